"""Sends a folder to the Hub with somebody's own token. What goes wrong becomes a reason that a visitor understands."""

from __future__ import annotations

from pathlib import Path

from app.errors import PlaygroundError
from app.registry.lookup import is_hub_name

MESSAGE = "Fine-tuned in PLM Playground"


def check_repo_id(repo_id: str) -> str:
    """The name, if the Hub takes it.

    Raises:
        PlaygroundError: `bad_value`.
    """
    if not is_hub_name(repo_id):
        raise PlaygroundError("bad_value", "repo_id")
    return repo_id


def publish(folder: Path, repo_id: str, token: str, *, private: bool) -> str:
    """Make the repository if there is none, and add the folder's files in one commit; its address.

    Args:
        folder: in Hub layout.
        repo_id: `owner/name`.
        token: whose name the commit bears. Never this machine's own: an empty one is refused.
        private: whether a repository made here is private; one that is there stays as it is.

    Raises:
        PlaygroundError: `not_sent`.
    """
    import httpx2  # what huggingface_hub speaks HTTP with; its errors reach us as they are
    from huggingface_hub import HfApi

    if not token:
        raise PlaygroundError("not_sent", "signed_out")
    api = HfApi(token=token)
    try:
        address = str(api.create_repo(repo_id, private=private, exist_ok=True, token=token))
        api.upload_folder(repo_id=repo_id, folder_path=folder, commit_message=MESSAGE, token=token)
    except (httpx2.HTTPError, OSError, ValueError, RuntimeError) as error:
        # Not chained: the library's error holds the request, and that the token.
        raise PlaygroundError("not_sent", reason_of(error), repo=repo_id) from None
    return address


REASONS_OF_STATUS = {401: "signed_out", 403: "forbidden", 404: "forbidden", 409: "conflict", 429: "crowded"}
REASONS = {
    "ConnectError": "unreachable",
    "OfflineModeIsEnabled": "unreachable",
    "ConnectTimeout": "slow",
    "ReadTimeout": "slow",
    "WriteTimeout": "slow",
    "PoolTimeout": "slow",
}


def reason_of(error: BaseException) -> str:
    """The key of the sentence for an error, found along the chain of causes."""
    seen: BaseException | None = error
    while seen is not None:
        status = getattr(getattr(seen, "response", None), "status_code", None)
        if status in REASONS_OF_STATUS:
            return REASONS_OF_STATUS[status]
        if type(seen).__name__ in REASONS:
            return REASONS[type(seen).__name__]
        seen = seen.__cause__ or seen.__context__
    return "failed"
