"""HTML is escaped unless it is marked as HTML."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from app.views.html import Markup, bar, bars, card, details, join, lines, listed, mixed, section, table, tag, td, th, tr

EVIL = "<script>alert(1)</script> \"'&amp;"


class Seen(HTMLParser):
    """What a browser would see."""

    def __init__(self, drawn: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[dict[str, str | None]] = []
        self.text = ""
        self.feed(drawn)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.append(dict(attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    "drawn",
    [
        tag("p", EVIL),
        join(EVIL),
        join("", EVIL),
        tag("p", "a") + EVIL,
        card(EVIL),
        section(EVIL),
        details(EVIL, EVIL),
        lines(EVIL, None, EVIL),
        listed("ul", [EVIL]),
        mixed(EVIL, [(1, 3, EVIL)]),
        table([EVIL], [[EVIL, th(EVIL), td(EVIL)], tr(EVIL)]),
        bars(EVIL, [bar(EVIL, 0.5, EVIL)]),
    ],
)
def test_a_plain_string_is_text(drawn: Markup) -> None:
    seen = Seen(drawn)
    assert isinstance(drawn, Markup) and "script" not in seen.tags
    assert "alert(1)" in seen.text and "&amp;" in seen.text


def test_an_attribute_is_text_even_where_it_holds_html() -> None:
    for value in (EVIL, tag("b", 'it\'s "bold"'), Markup(EVIL)):
        seen = Seen(tag("p", title=value, data_model=value, aria_label=value))
        assert seen.tags == ["p"]
        assert seen.attributes == [dict.fromkeys(("title", "data-model", "aria-label"), str(value))]


def test_html_stays_html_however_deep() -> None:
    assert tag("p", tag("b", tag("i", "<"))) == "<p><b><i>&lt;</i></b></p>"
    assert tag("p", Markup("<br>")) == "<p><br></p>"
    assert join("a & b", tag("br"), 3) == "a &amp; b<br>3"


def test_an_f_string_of_html_is_text_again() -> None:
    """What was put together by hand is escaped where it comes in: seen at once, and no hole."""
    assert tag("p", f"{tag('b', 'x')}") == "<p>&lt;b&gt;x&lt;/b&gt;</p>"


def test_attributes_have_python_names_and_may_be_left_out() -> None:
    drawn = tag("button", "x", class_="a b", tabindex=0, hidden=True, title="", id=None, popover=False)
    assert drawn == "<button class='a b' tabindex='0' hidden title=''>x</button>"
    assert tag("meta", http_equiv="x") == "<meta http-equiv='x'>"


def test_a_table_has_cells_and_rows_of_its_own_or_makes_them() -> None:
    rows = [[th("r"), 1], tr("a", td("b", class_="c"), data_x="y")]
    assert table(["", th("b", scope="col", title="t")], rows, id="t") == (
        "<div class='scroll'><table id='t'>"
        "<thead><tr><th scope='col'></th><th scope='col' title='t'>b</th></tr></thead>"
        "<tbody><tr><th scope='row'>r</th><td>1</td></tr><tr data-x='y'><td>a</td><td class='c'>b</td></tr></tbody>"
        "</table></div>"
    )
    assert table((), [["a"]]) == "<table><tbody><tr><td>a</td></tr></tbody></table>"


def test_a_bar_is_as_long_as_its_share() -> None:
    drawn = bars("all", [bar("a", 0.12345, "12 %", "base", data_label="a"), bar("b", None, 3)])
    assert drawn == (
        "<ol class='bars' aria-label='all'><li data-label='a'><span class='word'>a</span><span class='track'>"
        "<span class='fill base' style='width:12.35%'></span></span><span class='value'>12 %</span></li>"
        "<li><span class='word'>b</span><span class='track'></span><span class='value'>3</span></li></ol>"
    )
    assert "aria-label" not in bars(None, [])


def test_html_stands_in_the_place_of_parts_of_a_text() -> None:
    assert mixed("a <b> c", [(2, 5, tag("i", "x")), (4, 6, "left out"), (6, 7, "&")]) == "a <i>x</i> &amp;"
    assert mixed("a<", []) == "a&lt;"


def test_a_card_is_an_answer_of_a_model() -> None:
    drawn = card("x", kind="near", model="<m>", data_layer="3")
    assert drawn == "<article class='answer near' data-model='&lt;m&gt;' data-layer='3'>x</article>"
    assert card() == "<article class='answer'></article>"
