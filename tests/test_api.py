"""The public API as programs see it: endpoints, their shapes, their errors."""

from __future__ import annotations

import json
import urllib.request

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

# Those of the contract whose tabs exist; a new tab adds its own.
ENDPOINTS = {
    "/models", "/tokenize", "/fill_mask", "/score", "/layer_predictions", "/sentence_pair", "/sentence_matrix",
    "/attention", "/classify", "/embed", "/attribute", "/fine_tune",
    "/next_token", "/generate", "/zero_shot", "/word_sense", "/tag", "/answer",
}  # fmt: skip


@pytest.fixture(scope="module")
def client(server: str) -> Client:
    """A client of the running app."""
    return Client(server, verbose=False)


def test_the_public_endpoints_are_exactly_these(client: Client) -> None:
    assert set(client.view_api(return_format="dict", print_info=False)["named_endpoints"]) == ENDPOINTS
    assert client.view_api(return_format="dict", print_info=False)["unnamed_endpoints"] == {}


def test_arguments_and_defaults_are_those_of_the_contract(client: Client) -> None:
    described = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    parameters = described["/fill_mask"]["parameters"]
    assert [p["parameter_name"] for p in parameters] == ["text", "model", "top_k", "targets"]
    assert [p["parameter_default"] for p in parameters[1:]] == ["", 5, []]


def test_fill_mask_has_the_shape_of_the_contract(client: Client) -> None:
    answer = client.predict("The [MASK] barked at the cat.", "bert-mini", 5, [], api_name="/fill_mask")
    assert set(answer) == {"model", "revision", "tokens", "masks", "joint", "targets", "unknown"}
    assert (answer["model"], answer["revision"], answer["joint"], answer["targets"]) == ("bert-mini", "folder", [], [])
    assert set(answer["tokens"][0]) == {"token", "piece", "token_id", "start", "end", "special"}
    assert (answer["tokens"][0]["start"], answer["tokens"][0]["special"]) == (None, True)
    (mask,) = answer["masks"]
    assert answer["tokens"][mask["token_index"]]["piece"] == "[MASK]"
    assert len(mask["candidates"]) == 5
    assert set(mask["candidates"][0]) == {"token", "piece", "token_id", "probability"}
    both = client.predict("I [MASK] you [MASK].", "bert-mini", 3, ["dog"], api_name="/fill_mask")
    assert set(both["joint"][0]) == {"words", "text", "log_probability"}
    assert {"word", "pieces", "probability", "log_probability", "rank"} <= set(both["targets"][0])


def test_defaults_serve(client: Client) -> None:
    assert client.predict("A [MASK].", api_name="/fill_mask")["model"] == "bert-mini"


def test_score_tokenize_and_models_have_the_shape_of_the_contract(client: Client) -> None:
    scored = client.predict("The dog ran.", "gpt2", api_name="/score")
    assert set(scored) == {"model", "revision", "kind", "tokens", "log_probability", "perplexity", "unknown"}
    assert {"token", "log_probability", "rank"} <= set(scored["tokens"][0])
    assert set(client.predict("The dog", "gpt2", api_name="/tokenize")) == {"model", "revision", "tokens"}
    entries = client.predict(api_name="/models")
    assert set(entries[0]) == {
        "name", "family", "language", "source", "repo_id", "revision", "tasks", "parameters", "download_bytes",
        "licence", "status",
    }  # fmt: skip
    assert {entry["name"] for entry in client.predict("fill_mask", api_name="/models")} < {e["name"] for e in entries}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("", "bert-mini"), "(empty_text)"),
        (("no blank", "bert-mini"), "(no_mask)"),
        (("a" * 100_000, "bert-mini"), "(too_long)"),
        (("a [MASK]", "nope"), "(unknown_model)"),
        (("a [MASK]", "gpt2"), "(wrong_model)"),
        (("a [MASK]", "bert-mini", 10**9), "(bad_value)"),
        (("a [MASK]", "bert-mini", "x"), "(bad_value)"),
        ((None, None, None, None), "(bad_value)"),
        (("a [MASK]", "distilgpt2"), "(wrong_model)"),
        (("a [MASK]", "bert-base-cased"), "(model_unavailable)"),
    ],
)
def test_errors_are_one_sentence_with_a_code(client: Client, arguments: tuple, code: str) -> None:
    with pytest.raises(AppError) as caught:
        client.predict(*arguments, api_name="/fill_mask")
    message = str(caught.value)
    assert message.endswith(code) and message.count("\n") == 0 and "/" not in message.removesuffix(code)


def test_the_app_goes_on_after_errors_and_concurrent_callers_get_their_own_answer(client: Client) -> None:
    jobs = {word: client.submit(f"{word} [MASK].", "bert-mini", api_name="/fill_mask") for word in "abcdefgh"}
    for word, job in jobs.items():
        assert job.result()["tokens"][1]["token"] == word


def test_nan_is_refused(server: str) -> None:
    body = json.dumps({"data": ["a [MASK]", "bert-mini", float("nan"), []]}).encode()
    request = urllib.request.Request(
        f"{server}/gradio_api/call/fill_mask", data=body, headers={"Content-Type": "application/json"}
    )
    try:
        event = json.load(urllib.request.urlopen(request, timeout=30))["event_id"]
        stream = urllib.request.urlopen(f"{server}/gradio_api/call/fill_mask/{event}", timeout=60).read().decode()
        assert "bad_value" in stream
    except urllib.error.HTTPError as error:
        assert error.code in (400, 422)


@pytest.mark.slow
def test_endpoints_are_mcp_tools_where_the_extra_is_installed(tiny_models) -> None:
    pytest.importorskip("mcp", reason="needs gradio[mcp]")
    from tests.running_app import run_app

    for url in run_app(tiny_models, GRADIO_MCP_SERVER="True", PLAYGROUND_WARM="0"):
        schema = json.load(urllib.request.urlopen(f"{url}/gradio_api/mcp/schema", timeout=60))
        assert {f"/{tool['name']}" for tool in schema} == ENDPOINTS
