"""The local Hub's support for writing: creating a repository, preparing uploads, large files, a commit.

The real huggingface_hub client uses it. Xet, which the client prefers if hf_xet is installed, is not supported: with
`HF_HUB_DISABLE_XET`, it sends large files by LFS.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit


@dataclass
class Written:
    """A repository that somebody made here."""

    owner: str
    private: bool
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)


@dataclass
class Desk:
    """Who may write what.

    Attributes:
        owners: the namespaces that a token may write to.
        repos: what was written.
        large: content of large files by SHA-256.
        tokens: the token of every writing request, in their order; empty where there was none.
    """

    owners: dict[str, set[str]] = field(default_factory=dict)
    repos: dict[str, Written] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)


class WritingHandler:
    """The writing half of the local Hub's handler."""

    def do_POST(self) -> None:
        """Find what is to be done, or the fault that stands before it."""
        path, body = self._begin()
        if path is None:
            return None
        desk, parts, token = self.hub.desk, path.strip("/").split("/"), self.headers.get("Authorization", "")[7:]
        desk.tokens.append(token)
        if path == "/api/validate-yaml":
            return self._json(200, {"errors": [], "warnings": []})
        if token not in desk.owners:
            return self._answer(401, {"X-Error-Message": "Invalid username or password."})
        if path == "/api/repos/create":
            return self._create(desk, token, json.loads(body))
        repo_id = "/".join(parts[2:4] if parts[0] == "api" else parts[:2]).removesuffix(".git")
        if repo_id not in desk.repos or repo_id.split("/")[0] not in desk.owners[token]:
            return self._answer(404, {"X-Error-Code": "RepoNotFound"})
        if path.endswith("/objects/batch"):
            return self._batch(json.loads(body))
        if parts[4] == "preupload":
            files = [
                {**one, "uploadMode": _mode(one["path"]), "shouldIgnore": False} for one in json.loads(body)["files"]
            ]
            return self._json(200, {"files": files})
        return self._commit(desk.repos[repo_id], repo_id, body)

    def do_PUT(self) -> None:
        """The content of a large file; where it goes needs no token."""
        path, body = self._begin()
        if path is None:
            return None
        oid = path.rsplit("/", 1)[1]
        if hashlib.sha256(body).hexdigest() != oid:
            return self._answer(400, {})
        self.hub.desk.large[oid] = body
        return self._answer(200, {})

    def _begin(self) -> tuple[str | None, bytes]:
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append((self.command, path, ""))
        body = self._body()
        fault = self._fault(path)
        if fault.delay:
            self.hub.asleep.wait(fault.delay)
        if fault.status:
            self._answer(fault.status, fault.headers)
            return None, b""
        return path, body

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _create(self, desk: Desk, token: str, asked: dict) -> None:
        owner = asked.get("organization") or sorted(desk.owners[token])[0]
        repo_id = f"{owner}/{asked['name']}"
        if owner not in desk.owners[token]:
            return self._answer(403, {"X-Error-Message": "You don't have the rights to create a model there."})
        if repo_id in desk.repos:
            return self._json(409, {"url": f"{self.hub.url}/{repo_id}", "error": "You already created this model repo"})
        desk.repos[repo_id] = Written(owner, asked.get("visibility") == "private" or bool(asked.get("private")))
        return self._json(200, {"url": f"{self.hub.url}/{repo_id}", "name": repo_id})

    def _batch(self, asked: dict) -> None:
        objects = [
            {**one, "actions": {"upload": {"href": f"{self.hub.url}/lfs/{one['oid']}"}}} for one in asked["objects"]
        ]
        self._json(200, {"transfer": "basic", "objects": objects})

    def _commit(self, repo: Written, repo_id: str, body: bytes) -> None:
        for line in body.decode().splitlines():
            entry = json.loads(line)
            value = entry["value"]
            if entry["key"] == "header":
                repo.commits.append(value["summary"])
            elif entry["key"] == "file":
                repo.files[value["path"]] = base64.b64decode(value["content"])
            elif entry["key"] == "lfsFile":
                repo.files[value["path"]] = self.hub.desk.large[value["oid"]]
        oid = hashlib.sha1(body).hexdigest()
        self._json(200, {"commitUrl": f"{self.hub.url}/{repo_id}/commit/{oid}", "commitOid": oid, "success": True})

    def _json(self, status: int, content: dict) -> None:
        self._answer(status, {"Content-Type": "application/json"}, json.dumps(content).encode())


def _mode(path: str) -> str:
    return "lfs" if path.endswith((".safetensors", ".bin", ".model")) else "regular"
