"""Address, language, links and outdated answers, in every tab that has them, with tiny models."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.browser.ways import go_to, opened
from tests.conftest import open_page

BOX = "#fill_mask-text textarea"
ANSWERS = "#fill_mask-answers"


def open_tab(page: object, query: str = "") -> None:
    """Open masked words, or what the query says, and wait until the page is filled."""
    page.goto(f"{page.base}/{query or '?tab=fill_mask'}")
    page.wait_for_function("window.playground?.ready")


def run(page: object, text: str) -> None:
    """Ask, and wait for the answer."""
    page.locator(BOX).fill(text)
    page.click("#fill_mask-run")
    page.wait_for_function(
        "text => Object.values(playground.asked).some((asked) => JSON.parse(asked)[0] === text)", arg=text
    )
    page.locator(f"{ANSWERS} .bars li").first.wait_for()


def test_back_and_forward_go_from_tab_to_tab(page: object) -> None:
    open_tab(page, "?tab=surprise&lang=en")
    opened(page, "surprise")
    assert parse_qs(urlsplit(page.url).query)["tab"] == ["surprise"], "opening a link changes nothing in the address"
    for slug in ("prompting", "fill_mask"):
        go_to(page, slug)
        page.wait_for_url(f"**tab={slug}**")
    for slug in ("prompting", "surprise"):
        page.go_back()
        opened(page, slug)
        assert f"tab={slug}" in page.url and "lang=en" in page.url
    page.go_forward()
    opened(page, "prompting")


def test_back_to_an_address_without_a_tab_opens_the_first(page: object) -> None:
    open_tab(page, "?lang=en")
    opened(page, "start")
    go_to(page, "surprise")
    page.wait_for_url("**tab=surprise**")
    page.go_back()
    opened(page, "start")


def test_an_old_answer_is_dimmed_and_comes_back_with_its_text(page: object) -> None:
    open_tab(page)
    run(page, "A [MASK] sentence.")
    state = f"document.querySelector('{ANSWERS}').dataset"
    assert page.evaluate(f"{state}.state") == ""
    page.locator(BOX).fill("Another [MASK] sentence.")
    page.wait_for_function(f"{state}.state === 'stale'")
    assert "Run it again" in page.evaluate(f"{state}.said")
    opacity = f"getComputedStyle(document.querySelector('{ANSWERS} .html-container')).opacity"
    page.wait_for_function(f"{opacity} < 0.6")  # it fades
    page.locator(BOX).fill("A [MASK] sentence.")
    page.wait_for_function(f"{state}.state === ''")
    run(page, "Another [MASK] sentence.")
    page.wait_for_function(f"{state}.state === ''")


@pytest.mark.parametrize(
    ("language", "said", "title"),
    [("en", "hide at least one word", "did not work"), ("zh-CN", "请至少遮住一个词", "出错了")],
)
def test_an_error_leaves_no_old_answer_and_is_read_whole(page: object, language: str, said: str, title: str) -> None:
    open_tab(page, f"?tab=fill_mask&lang={language}")
    run(page, "A [MASK] sentence.")
    page.locator(BOX).fill("No blank here.")
    page.click("#fill_mask-run")
    page.wait_for_selector(f"{ANSWERS}[data-state=failed], #fill_mask-note[data-state=failed]", state="attached")
    assert not page.locator(f"{ANSWERS} .bars").is_visible()
    toast = page.inner_text("[data-testid=toast-text]")
    assert said in toast and "<mask>" in toast and "no_mask" not in toast
    assert title in page.evaluate("getComputedStyle(document.querySelector('.toast-title'), '::before').content")
    stays = "[...document.querySelectorAll('[data-state=failed]')].map(({ dataset }) => dataset.said ?? '').join('')"
    assert page.evaluate(stays) == toast


def test_the_language_changes_and_the_text_stays(page: object) -> None:
    open_tab(page, "?tab=surprise")
    page.locator("#surprise-first textarea").fill("My own text.")
    go_to(page, "fill_mask")
    page.locator(BOX).fill("My own [MASK] sentence.")
    page.wait_for_function("document.querySelector('#fill_mask-words')?.innerText.includes('own')")
    page.click("#lang-zh-CN")
    page.wait_for_url("**lang=zh-CN**")
    page.wait_for_function(f"document.querySelector('{BOX}')?.value === 'My own [MASK] sentence.'")
    assert page.inner_text("#fill_mask-run") == "填空"
    go_to(page, "surprise")
    page.wait_for_function("document.querySelector('#surprise-first textarea')?.value === 'My own text.'")
    # What nobody changed is what the language brings.
    assert page.input_value("#surprise-second textarea") == "北京是中国的香蕉。"


@pytest.mark.parametrize("accepted", ["zh-TW", "zh-HK", "zh-Hant-HK", "zh"])
def test_every_chinese_browser_gets_a_whole_page(browser: object, server: str, accepted: str) -> None:
    for page in open_page(browser, server, locale=accepted):
        open_tab(page)
        assert page.inner_text("#fill_mask-run") == "填空" and "[MASK]" in page.input_value(BOX)
        assert page.evaluate("document.documentElement.lang") == "zh-CN"


def test_a_copied_link_says_so_and_opens_answered(page: object) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_tab(page, "?tab=fill_mask&lang=zh-CN")
    page.locator(BOX).fill("A [MASK] link.")
    page.click("#fill_mask-link")
    page.locator("#fill_mask-link .told", has_text="已复制").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    query = parse_qs(urlsplit(link).query, keep_blank_values=True)
    assert (query["tab"], query["lang"], query["run"]) == (["fill_mask"], ["zh-CN"], ["1"])
    assert (query["text"], query["guess"], query["targets"]) == (["A [MASK] link."], ["false"], [""])
    page.goto(link)
    page.locator(f"{ANSWERS} .bars li").first.wait_for()
    assert page.input_value(BOX) == "A [MASK] link."


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("tab=surprise&first=The+dog+ran.&second=&model=gpt2", "#surprise-answers article"),
        ("tab=prompting&prompt=The+dog&model=gpt2", "#prompting-left article"),
        ("tab=zero_shot&text=x&labels=a%0Ab&template={text}:&model=gpt2", "#zero_shot-answers article"),
        (f"tab=attention&text={quote('The dog ran.')}&model=bert-mini", "#attention-view canvas"),
    ],
)
def test_a_link_with_run_opens_answered_in_other_tabs(page: object, query: str, answer: str) -> None:
    page.goto(f"{page.base}/?{query}&run=1")
    page.locator(answer).first.wait_for()


def test_nothing_can_be_asked_of_a_model_that_is_not_there(page: object) -> None:
    page.goto(f"{page.base}/?tab=fine_tune")
    page.wait_for_selector("#fine_tune-ask")
    for button in ("ask", "map", "pack"):
        assert page.locator(f"#fine_tune-{button}").is_disabled()


def test_an_offline_server_offers_no_download(page: object) -> None:
    page.goto(f"{page.base}/?tab=fill_mask&model=bert-large-uncased")
    page.wait_for_selector("#fill_mask-text")
    page.locator(".downloads .note", has_text="offline").first.wait_for()
    assert page.get_by_role("button", name="Download", exact=True).locator("visible=true").count() == 0
    page.locator(".token", has_text="not on this server").locator("visible=true").wait_for()


def test_a_link_keeps_layer_and_head(page: object) -> None:
    text = quote("The dog ran.")
    page.goto(f"{page.base}/?tab=attention&text={text}&model=bert-mini&run=1&layer=1&heads=1")
    view = "#attention-view [data-layer='1'][data-heads='1']"
    page.wait_for_selector(view)
    page.click("#attention-link")
    page.locator("#attention-link .told").wait_for()
    query = parse_qs(urlsplit(page.url).query)
    assert (query["layer"], query["heads"], query["run"]) == (["1"], ["1"], ["1"])
    page.goto(f"{page.base}/?tab=word_sense&run=1&model=bert-mini&layer=1&word=dog&lines={quote('a | The dog.')}")
    page.wait_for_selector("#word_sense-view [data-layer='1']")


def test_the_footer_of_a_phone_begins_with_a_word(browser: object, server: str) -> None:
    for page in open_page(browser, server, viewport={"width": 390, "height": 844}):
        open_tab(page)
        assert not page.locator("footer").inner_text().strip().startswith("·")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("tab=tagging&model=mine-1", "not here: mine-1"),
        ("tab=attribution&model=mine-1", "not here: mine-1"),
        ("tab=classification&model=mine-1&lang=zh-CN", "模型 mine-1 这里没有"),
        ("tab=attention&other=mine-1", "not here: mine-1"),
        ("tab=prompting&temperature=99", "temperature as “99”"),
        ("tab=none", "a tab that does not exist"),
    ],
)
def test_what_of_a_link_cannot_be_followed_is_said(page: object, query: str, said: str) -> None:
    open_tab(page, f"?{query}")
    page.locator("[data-testid=toast-text]", has_text=said).wait_for()


def test_the_settings_stay_when_the_language_changes(page: object) -> None:
    open_tab(page, "?tab=prompting")
    page.locator("#prompting-new input[type=number]").fill("300")
    page.locator("#prompting-new input[type=number]").press("Tab")
    page.locator("#prompting-two input").check()
    page.wait_for_function("Object.keys(playground.typed('prompting').fields).length === 2")
    page.click("#lang-zh-CN")
    page.wait_for_url("**lang=zh-CN**")
    page.wait_for_function("document.querySelector('#prompting-new input[type=number]')?.value === '300'")
    assert page.is_checked("#prompting-two input")


def test_rows_to_train_on_stay_on_the_way_to_another_tab_and_language(page: object) -> None:
    open_tab(page, "?tab=fine_tune")
    page.locator("#fine_tune-lines textarea").fill("mine | A\nyours | B")
    page.locator("#fine_tune-epochs input[type=number]").fill("2")
    page.locator("#fine_tune-epochs input[type=number]").press("Tab")
    page.wait_for_function("Object.keys(playground.typed('fine_tune').fields).length >= 2")
    go_to(page, "surprise")
    page.click("#lang-zh-CN")
    page.wait_for_url("**lang=zh-CN**")
    go_to(page, "fine_tune")
    page.wait_for_function("document.querySelector('#fine_tune-lines textarea')?.value.startsWith('mine | A')")
    assert page.input_value("#fine_tune-epochs input[type=number]") == "2"


def test_a_text_goes_on_with_its_model_when_the_language_changes(page: object) -> None:
    open_tab(page, "?tab=prompting")
    model = "#prompting-first-model input"
    before = page.input_value(model).split()[0]
    page.locator("#prompting-prompt textarea").fill("Once upon a time")
    page.wait_for_function("playground.typed('prompting').fields.prompt")
    page.click("#lang-zh-CN")
    page.wait_for_url("**lang=zh-CN**")
    page.wait_for_function("document.querySelector('#prompting-prompt textarea')?.value === 'Once upon a time'")
    kept = page.evaluate("playground.typed('prompting').fields.model")
    assert kept == "gpt2", f"it was {before}"
