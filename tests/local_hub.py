"""A small server that speaks the Hub's file API, with faults on demand.

Checkpoints are folders. The real huggingface_hub client uses it: `HF_ENDPOINT=http://127.0.0.1:PORT`, or in one process
the fixture `hub` of `tests/engine/conftest.py`. `python -m tests.local_hub FOLDER [PORT]` serves every sub-folder
`owner/name` of a folder.

As on the Hub, large files are answered with a redirect to another host (here `localhost` instead of `127.0.0.1`) and
small ones directly; a large file's ETag is its SHA-256, a small one's is its git id.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.hub_writing import Desk, WritingHandler

CHUNK = 8_192
LARGE = (".safetensors", ".bin", ".model", ".hdf5")


@dataclass
class Fault:
    """What goes wrong with requests whose path contains `where`.

    Attributes:
        where: part of a path; files come from `/cdn/...` where they are large.
        times: how often; then the fault is over.
        status: answer with this HTTP status.
        headers: headers of that answer, `X-Error-Code` for one.
        delay: seconds before anything is sent.
        cut_after: bytes of the body after which the connection is closed.
        rate: bytes per second.
        until: the last piece waits for it.
        flip: one byte of the body is another one.
        no_ranges: the whole file, whatever part is asked for.
    """

    where: str
    times: int = 1_000_000
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut_after: int | None = None
    rate: int | None = None
    until: threading.Event | None = None
    flip: bool = False
    no_ranges: bool = False


class Repo:
    """A folder as a repository of one commit."""

    def __init__(self, folder: Path, commit: str, tags: dict[str, object]) -> None:
        self.folder, self.tags = folder, tags
        of_files = hashlib.sha1(json.dumps(self.digests).encode()).hexdigest()
        self.commit = commit or of_files

    @cached_property
    def files(self) -> dict[str, Path]:
        """Path in the repository to the file."""
        found = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path for path in found}

    @cached_property
    def digests(self) -> dict[str, str]:
        """Path in the repository to its ETag."""
        return {name: sha256(path) if is_large(name) else git_id(path) for name, path in self.files.items()}

    def info(self, repo_id: str) -> dict[str, object]:
        """What `/api/models/...` says."""
        siblings = []
        for name, path in self.files.items():
            entry: dict[str, object] = {"rfilename": name, "size": path.stat().st_size}
            if is_large(name):
                entry["lfs"] = {"sha256": self.digests[name], "size": path.stat().st_size, "pointerSize": 134}
            siblings.append(entry)
        return {"id": repo_id, "modelId": repo_id, "sha": self.commit, "siblings": siblings, "tags": [], **self.tags}


def is_large(name: str) -> bool:
    """Would the Hub keep it as a large file?"""
    return name.endswith(LARGE)


def sha256(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def git_id(path: Path) -> str:
    """The id that git gives a file's content."""
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class LocalHub:
    """The server; use as a context manager.

    Attributes:
        url: what `HF_ENDPOINT` is set to.
        requests: every request as (method, path, Range header).
        faults: what goes wrong, the first that fits.
        moved: old repository name to new one.
        desk: what is written here, and who may.
        asleep: set at the end, so that no delayed answer holds it up.
    """

    def __init__(self, port: int = 0) -> None:
        self.repos: dict[str, Repo] = {}
        self.moved: dict[str, str] = {}
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str, str]] = []
        self.desk, self.asleep = Desk(), threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), type("Bound", (Handler,), {"hub": self}))
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def add(self, repo_id: str, folder: Path, commit: str = "", **tags: object) -> Repo:
        """Serve a folder; without a commit it gets one made of its files. `gated=True` refuses its files."""
        self.repos[repo_id] = Repo(folder, commit, tags)
        return self.repos[repo_id]

    def fault(self, where: str, **what: object) -> Fault:
        """Let something go wrong from now on."""
        self.faults.append(Fault(where, **what))
        return self.faults[-1]

    def asked(self, part: str = "") -> list[tuple[str, str, str]]:
        """The requests whose path contains `part`."""
        return [request for request in self.requests if part in request[1]]

    def __enter__(self) -> LocalHub:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.asleep.set()
        self._server.shutdown()
        self._server.server_close()


class Handler(WritingHandler, BaseHTTPRequestHandler):
    """One request."""

    hub: LocalHub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        """As GET, without the body."""
        self.do_GET()

    def do_GET(self) -> None:
        """Find what is asked for, or the fault that stands before it."""
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append((self.command, path, self.headers.get("Range", "")))
        fault = self._fault(path)
        time.sleep(fault.delay)
        if fault.status:
            return self._answer(fault.status, fault.headers)
        parts = path.strip("/").split("/")
        if parts[:2] == ["api", "models"] and len(parts) >= 4:
            return self._info("/".join(parts[2:4]), parts[5] if parts[4:5] == ["revision"] else "main", parts)
        if path == "/.well-known/openid-configuration":
            known = {"issuer": self.hub.url, "authorization_endpoint": f"{self.hub.url}/oauth/authorize"}
            return self._answer(200, {"Content-Type": "application/json"}, json.dumps(known).encode())
        if parts[0] == "cdn":
            return self._cdn(parts[1], fault)
        if len(parts) >= 5 and parts[2] == "resolve":
            return self._resolve("/".join(parts[:2]), parts[3], "/".join(parts[4:]), fault)
        return self._answer(404, {"X-Error-Code": "RepoNotFound"})

    def _fault(self, path: str) -> Fault:
        for fault in self.hub.faults:
            if fault.where in path and fault.times > 0:
                fault.times -= 1
                return fault
        return Fault("")

    def _repo(self, repo_id: str, revision: str) -> Repo | None:
        """The repository; where there is none of that name and revision, it has been answered already."""
        if repo_id in self.hub.moved:
            self._answer(307, {"Location": self.path.replace(repo_id, self.hub.moved[repo_id])})
            return None
        repo = self.hub.repos.get(repo_id)
        if repo is None:  # the Hub does not tell strangers whether a repository is private or absent
            self._answer(401, {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Invalid username or password."})
        elif revision not in ("main", repo.commit):
            self._answer(404, {"X-Error-Code": "RevisionNotFound"})
        else:
            return repo
        return None

    def _info(self, repo_id: str, revision: str, parts: list[str]) -> None:
        repo = self._repo(repo_id, revision)
        if repo is not None:
            body = json.dumps(repo.info(repo_id)).encode()
            self._answer(200, {"Content-Type": "application/json"}, body)

    def _resolve(self, repo_id: str, revision: str, name: str, fault: Fault) -> None:
        repo = self._repo(repo_id, revision)
        if repo is None:
            return
        headers = {"X-Repo-Commit": repo.commit}
        if repo.tags.get("gated"):
            return self._answer(401, {**headers, "X-Error-Code": "GatedRepo"})
        if name not in repo.files:
            return self._answer(404, {**headers, "X-Error-Code": "EntryNotFound"})
        path, digest = repo.files[name], repo.digests[name]
        if is_large(name):
            headers |= {"X-Linked-Etag": f'"{digest}"', "X-Linked-Size": str(path.stat().st_size)}
            headers |= {"Location": f"http://localhost:{self.hub.port}/cdn/{digest}"}
            return self._answer(302, headers)
        return self._file(path, headers | {"ETag": f'"{digest}"'}, fault)

    def _cdn(self, digest: str, fault: Fault) -> None:
        for repo in self.hub.repos.values():
            for name, known in repo.digests.items():
                if known == digest:
                    return self._file(repo.files[name], {}, fault)
        return self._answer(403, {})

    def _file(self, path: Path, headers: dict[str, str], fault: Fault) -> None:
        size = path.stat().st_size
        wanted = "" if fault.no_ranges else self.headers.get("Range", "")
        start, _, end = wanted.removeprefix("bytes=").partition("-")
        first, last = int(start or 0), min(int(end or size - 1), size - 1)
        if wanted and first >= size:
            return self._answer(416, {"Content-Range": f"bytes */{size}"})
        self.send_response(206 if wanted else 200)
        if wanted:
            headers = {**headers, "Content-Range": f"bytes {first}-{last}/{size}"}
        for name, value in {**headers, "Accept-Ranges": "bytes", "Content-Length": str(last - first + 1)}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self._send(path, first, last - first + 1, fault)
        return None

    def _send(self, path: Path, first: int, count: int, fault: Fault) -> None:
        left = count if fault.cut_after is None else min(count, fault.cut_after)
        with path.open("rb") as opened:
            opened.seek(first)
            while left > 0:
                piece = opened.read(min(CHUNK, left))
                if fault.flip and left <= len(piece):  # the last byte
                    piece = piece[:-1] + bytes([piece[-1] ^ 1])
                if fault.until is not None and left <= len(piece):
                    fault.until.wait()
                try:
                    self.wfile.write(piece)
                except OSError:
                    break  # the client has had enough
                left -= len(piece)
                if fault.rate:
                    time.sleep(len(piece) / fault.rate)
        if fault.cut_after is not None and fault.cut_after < count:
            self.close_connection = True

    def _answer(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            with contextlib.suppress(OSError):  # the client waits no more
                self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    """Serve a folder of `owner/name` folders until it is stopped."""
    with LocalHub(int(sys.argv[2]) if len(sys.argv) > 2 else 0) as hub:
        for folder in sorted(Path(sys.argv[1]).glob("*/*")):
            print(f"{folder.parent.name}/{folder.name}", hub.add(f"{folder.parent.name}/{folder.name}", folder).commit)
        print(f"HF_ENDPOINT={hub.url}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
