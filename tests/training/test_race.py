"""The race: the same rows and draws for all, judges that choose nothing, frozen vectors computed once, stopping."""

from __future__ import annotations

import random

import pytest

from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.results.tuning.race import Race, RacePoint, Racer
from app.tasks.fine_tune import runs
from app.tasks.fine_tune.race.run import Racing, racers_for, run_race
from app.tasks.fine_tune.starting import BAG, load_start
from app.training import race as training
from app.training.labelled import Example
from app.training.plan import Plan
from app.training.race import DRAWS, FEWEST_STEPS, FEWEST_STEPS_OF_A_HEAD, Entrant, drawn, plan_for, sizes_of
from app.visits import visits
from tests.conftest import SetSetting

ROWS = [
    {"text": f"the {word} {'and you ' * (index % 3)}{index}", "label": label}
    for index in range(10)
    for word, label in (("dog", "A"), ("soup", "B"))
]
EXAMPLES = [Example(row["text"], row["label"]) for row in ROWS]
BAG_PLAN = Plan(method="regression")


pytestmark = pytest.mark.usefixtures("fresh_trainings")


def entrants() -> list[Entrant]:
    """A bag of words and an ELMo."""
    return [
        Entrant(BAG.name, lambda: load_start(BAG), BAG_PLAN),
        Entrant("elmo", lambda: loader().get(BY_NAME["elmo-original"]), Plan(method="mix", learning_rate=0.1)),
    ]


def test_sizes_and_draws() -> None:
    assert (
        sizes_of(14, 2) == [5, 10, 14] and sizes_of(100, 2) == [5, 10, 20, 50, 100] and sizes_of(21, 2) == [5, 10, 21]
    )
    assert sizes_of(400, 7) == [10, 20, 50, 100, 400] and sizes_of(4, 2) == [4]
    rows = [Example(str(index), "ABC"[2 if index > 94 else index % 10 // 8]) for index in range(100)]
    orders = [drawn(rows, seed) for seed in range(DRAWS)]
    for order in orders:
        assert sorted(order, key=str) == sorted(rows, key=str)
        assert {row.label for row in order[:3]} == {"A", "B", "C"}
        for count in (10, 20, 50):
            shares = [sum(row.label == label for row in order[:count]) / count for label in "ABC"]
            assert shares == pytest.approx([0.77, 0.18, 0.05], abs=1.5 / count)
    assert orders[0] != orders[1] and orders[0] == drawn(rows, 0)


def test_few_rows_are_gone_through_more_often() -> None:
    for method, fewest in (("full", FEWEST_STEPS), ("mix", FEWEST_STEPS_OF_A_HEAD)):
        for rows in (5, 16, 100):
            plan = plan_for(Plan(epochs=2, method=method), rows, 2)
            assert plan.seed == 2 and fewest <= plan.epochs * -(-rows // 16) < fewest + 7
    assert plan_for(Plan(epochs=6), 1000, 0).epochs == 6


@pytest.mark.slow
def test_all_learn_from_the_same_rows_and_are_judged_by_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    learned, original = [], training.learner_for

    def spied(base: object, labels: list, plan: Plan, vectors: dict) -> object:
        learner = original(base, labels, plan, vectors)
        learn = learner.learn

        def learning(rows: list, kept_back: list, *more: object) -> object:
            assert kept_back == [], "nothing is chosen by the rows that judge"
            learned.append((base.checkpoint.name, tuple(rows)))
            return learn(rows, kept_back, *more)

        learner.learn = learning
        return learner

    monkeypatch.setattr(training, "learner_for", spied)
    stands: list[Race] = []
    race = training.run_race(entrants(), EXAMPLES, 0.3, 100.0, stands.append)
    by_model = {name: [rows for whose, rows in learned if whose == name] for name, _ in learned}
    bag, elmo = by_model.values()
    assert bag == elmo and len(bag) == len(race.sizes) * DRAWS
    assert race.sizes == [5, 10, 14] and race.kept_rows == 6
    assert race.ended == "done" and race.done == race.total == 18 and race.waiting == []
    for racer in race.racers:
        assert [(point.examples, point.draw) for point in racer.points] == [
            (s, d) for s in race.sizes for d in range(3)
        ]
        assert racer.trained_weights > 0 and racer.kept_bytes >= 4 * racer.trained_weights
    assert race.racers[0].mean(14, "accuracy") == 1.0, "one word tells the rows apart"
    assert {1 / 3} == {round(race.guessing, 9)} or race.guessing == pytest.approx(1 / 3)
    assert [stand.done for stand in stands] == sorted(stand.done for stand in stands) and stands[0].waiting


@pytest.mark.slow
def test_a_racer_s_vectors_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.engine.adapters.words_classifier import MeansOfWords

    asked, original = [], MeansOfWords.vectors

    def spied(self: MeansOfWords, rows: list) -> object:
        asked.extend(rows)
        return original(self, rows)

    monkeypatch.setattr(MeansOfWords, "vectors", spied)
    training.run_race(entrants()[1:], EXAMPLES, 0.3, 100.0, lambda race: None)
    assert len(asked) == len(EXAMPLES)


@pytest.mark.parametrize("done", [0, 4, 11])
def test_a_stop_keeps_what_is_done(done: int) -> None:
    race = training.run_race(entrants(), EXAMPLES, 0.3, 100.0, lambda race: race.done >= done)
    assert race.ended == "stopped" and race.done == done
    assert all(point.macro_f1 <= 1.0 for racer in race.racers for point in racer.points)


def test_time_ends_it() -> None:
    race = training.run_race(entrants(), EXAMPLES, 0.3, 0.0, lambda race: None)
    assert race.ended == "time" and race.done == 0


def racer(name: str, **means: float) -> Racer:
    """With one draw of each size."""
    return Racer(name, "full", [RacePoint(int(size[1:]), 0, mean, mean) for size, mean in means.items()])


def test_how_many_examples_are_enough() -> None:
    bag, bert = racer("bag", n5=0.4, n10=0.5, n20=0.7), racer("bert", n5=0.6, n10=0.7, n20=0.65)
    race = Race([5, 10, 20], 9, 0.3, [bag, bert], [], 6, 6, 1.0)
    assert race.enough(bert, bag) == 10 and race.enough(bag, bag) == 20
    assert race.enough(racer("poor", n5=0.1, n10=0.2, n20=0.3), bag) is None
    assert race.enough(bert, racer("unfinished", n5=0.4)) is None


def refused(rows: object, models: list[str]) -> str:
    with pytest.raises(PlaygroundError) as caught:
        run_race(rows, models, "anna", Racing())
    return caught.value.key


def test_what_is_refused(set_setting: SetSetting) -> None:
    two = [BAG.name, "bert-mini"]
    assert refused(ROWS, []) == "bad_value.models" and refused(ROWS, two[:1]) == "bad_value.few_racers"
    assert refused(ROWS, [BAG.name, "nobody"]) == "unknown_model"
    assert refused(ROWS, [BAG.name, "bert-base-uncased"]) == "bad_value.parameters"
    assert refused(ROWS[::2], two) == "bad_value.one_label"
    assert refused([{**row, "text_pair": "b"} for row in ROWS], two) == "bad_value.no_pairs"
    set_setting(race="0")
    assert refused(ROWS, two) == "bad_value.no_race"


@pytest.mark.slow
def test_it_is_there_for_the_whole_visit_and_for_nobody_else() -> None:
    *_, race = runs.start_race(ROWS, [BAG.name, "elmo-original"], "anna")
    assert isinstance(race, Race) and runs.race_of("anna") == race and runs.race_of("ben") is None
    assert list(runs.watch_race("anna")) == []
    visits().end("anna")
    assert runs.race_of("anna") is None


def test_a_visit_has_one_thing_running_and_a_race_is_no_training() -> None:
    states = runs.start_race(ROWS, ["elmo-original", "bert-mini"], "anna")
    next(states)
    with pytest.raises(PlaygroundError, match="own"):
        next(runs.start_race(ROWS, ["elmo-original", "bert-mini"], "anna"))
    assert list(runs.watch_tuning("anna")) == [] and next(runs.watch_race("anna")) is not None
    runs.stop_tuning("anna")
    *_, last = states
    assert not isinstance(last, Race) or last.ended == "stopped"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_of_each_family_that_knows_the_language_takes_part(language: str) -> None:
    first = racers_for(language, [])
    assert first[0] == BAG.name and len(first) >= 3 and len(set(first)) == len(first)
    assert all(BY_NAME[name].language == language for name in first[1:])
    assert racers_for(language, first[:2]) == first[:2]
    assert racers_for("zh" if language == "en" else "en", first) != first


def test_the_rows_kept_back_are_random_but_the_same() -> None:
    rows = list(EXAMPLES)
    random.Random(3).shuffle(rows)
    races = [training.run_race(entrants()[:1], rows, 0.3, 100.0, lambda race: None) for _ in range(2)]
    assert races[0].racers[0].points == races[1].racers[0].points
