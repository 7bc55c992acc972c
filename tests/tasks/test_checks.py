"""Input is valid or refused with a code: numbers of any length, names of any shape."""

from __future__ import annotations

import pytest

from app.errors import PlaygroundError
from app.registry.lookup import is_hub_name
from app.tasks.checks import check_number, check_whole_number, is_number
from app.tasks.fine_tune.rows import check_examples

ODD = [10**400, -(10**400), 10**5000, float("nan"), float("inf"), -float("inf"), True, None, "1", [1], {}]
LABELS = [10**400, 10**5000, float("nan"), float("inf"), True, None, [], {}]
NAMES = ["a--b/c", "a.git/b.git", "owner/name.git", "a/b..c", "-a/b", "a/b/c", "/etc", 7, None]


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_what_is_no_number_of_the_range_is_refused(value: object) -> None:
    assert not is_number(value)
    for check in (check_number, check_whole_number):
        with pytest.raises(PlaygroundError) as refused:
            check(value, "top_p", 0, 10)
        assert refused.value.code == "bad_value"


def test_numbers_are_taken() -> None:
    assert check_whole_number(5.0, "top_k", 1, 10) == 5 and check_number(1e308, "x", 0, 1e308) == 1e308
    assert is_number(10**308) and is_number(-0.0) and is_number(5e-324)


@pytest.mark.parametrize("label", LABELS, ids=range(len(LABELS)))
def test_an_odd_label_is_refused(label: object) -> None:
    with pytest.raises(PlaygroundError) as refused:
        check_examples([{"text": "one", "label": label}, {"text": "two", "label": "b"}])
    assert refused.value.key == "bad_value.label"


@pytest.mark.parametrize("name", NAMES)
def test_what_the_hub_would_not_take_for_a_name_is_none(name: object) -> None:
    assert not is_hub_name(name)


def test_names_of_the_hub_are() -> None:
    assert is_hub_name("google-bert/bert-base-uncased") and is_hub_name("a/b_c.d-e")
