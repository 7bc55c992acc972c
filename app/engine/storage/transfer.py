"""Fetches one file from the Hub into the Hub's own cache, resumes where it stopped, and verifies it.

huggingface_hub throws a partial file away when a download fails and compares only its size, so the transfer itself is
done here; addresses, headers, errors and the layout of the cache are the library's.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from huggingface_hub import HfFileMetadata

TIMEOUT_SECONDS = 15.0
# Attempts in a row that bring nothing new, and seconds between them.
ATTEMPTS, PAUSE_SECONDS = 4, 1.0


class Meter(Protocol):
    """Counts the bytes received; may raise to stop a transfer, of which what was received is kept."""

    def had(self, count: int) -> None:
        """This many are here from earlier (fewer, where the number is negative)."""

    def came(self, count: int) -> None:
        """This many came over the line."""


class DownloadDamaged(Exception):
    """The file's size or hash differs from what the Hub announced."""


def fetch_file(repo_id: str, revision: str, name: str, cache: Path, meter: Meter) -> Path:
    """Have a file in the cache, fetching what is missing of it.

    Args:
        repo_id: `owner/name`.
        revision: a commit hash.
        name: path in the repository.
        cache: the Hub's cache folder.
        meter: called with the size of every chunk.

    Returns:
        The file in the cache's snapshot of that revision.

    Raises:
        DownloadDamaged: size or hash differ; what was received is deleted.
        httpx2.HTTPError, OSError: no connection, or the Hub's refusal.
    """
    from huggingface_hub import get_hf_file_metadata, hf_hub_download, hf_hub_url
    from huggingface_hub.file_download import repo_folder_name
    from huggingface_hub.utils import WeakFileLock

    url = hf_hub_url(repo_id, name, revision=revision)
    about = get_hf_file_metadata(url, timeout=TIMEOUT_SECONDS)
    if about.etag is None or not re.fullmatch(r"[\w.-]+", about.etag):
        raise DownloadDamaged(name)
    blobs = cache / repo_folder_name(repo_id=repo_id, repo_type="model") / "blobs"
    blobs.mkdir(parents=True, exist_ok=True)
    part, blob = blobs / f"{about.etag}.part", blobs / about.etag
    with WeakFileLock(f"{part}.lock"):
        if blob.exists():
            meter.had(blob.stat().st_size)
        else:
            _complete(url, part, about, meter)
            os.replace(part, blob)
    # The library finds the blob and puts it into its snapshot.
    return Path(hf_hub_download(repo_id, name, revision=revision, cache_dir=cache))


def _complete(url: str, part: Path, about: HfFileMetadata, meter: Meter) -> None:
    """Fetch the rest of a file; broken connections are taken up again while they bring something."""
    import httpx2

    with part.open("ab") as opened:
        meter.had(opened.tell())
        empty_handed = 0
        while about.size is None or opened.tell() < about.size:
            before = opened.tell()
            try:
                _append(url, opened, meter)
                break
            except httpx2.TransportError:
                empty_handed = 0 if opened.tell() > before else empty_handed + 1
                if empty_handed == ATTEMPTS:
                    raise
                meter.came(0)
                time.sleep(PAUSE_SECONDS)
    if not _is_whole(part, about):
        part.unlink()
        raise DownloadDamaged(part.name)


def _append(url: str, opened: BinaryIO, meter: Meter) -> None:
    from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

    headers = build_hf_headers() | {"Accept-Encoding": "identity"}
    if opened.tell():
        headers["Range"] = f"bytes={opened.tell()}-"
    with get_session().stream("GET", url, headers=headers, timeout=TIMEOUT_SECONDS) as response:
        hf_raise_for_status(response)
        if opened.tell() and response.status_code == 200:  # a server that knows no ranges begins again
            meter.had(-opened.tell())
            opened.seek(0)
            opened.truncate()
        for piece in response.iter_bytes():
            opened.write(piece)
            meter.came(len(piece))


def _is_whole(path: Path, about: HfFileMetadata) -> bool:
    """Size, and the hash that the ETag is: SHA-256 of a large file, git's id of a small one."""
    if about.size is not None and path.stat().st_size != about.size:
        return False
    if re.fullmatch("[0-9a-f]{64}", about.etag):
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest() == about.etag
    if re.fullmatch("[0-9a-f]{40}", about.etag):
        content = path.read_bytes()
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest() == about.etag
    return True
