"""Whatever is typed, saved or pressed: an error line or a fight. A short form of the torture."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.fuzz.limits import Hang, by_the_clock, by_work
from tests.fuzz.target import FIGHT, REFUSED
from tests.fuzz.targets import CORPUS, TARGETS, attack, corpus

KEPT = [(name, path) for name in TARGETS for path in corpus(name)]
QUICK = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize(
    ("name", "path"), KEPT, ids=lambda value: str(getattr(value, "stem", value))
)
def test_what_once_failed_does_not_fail_again(name: str, path: Path) -> None:
    with by_work():
        assert TARGETS[name].run(path.read_bytes(), True) in (REFUSED, FIGHT)


def test_every_kept_input_belongs_to_a_target_that_has_some() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_odd_inputs_are_refused_or_make_a_fight(name: str) -> None:
    target = TARGETS[name]

    @QUICK
    @given(st.randoms(use_true_random=False))
    def try_one(rng: Random) -> None:
        with by_work():
            assert target.run(target.make(rng), True) in (REFUSED, FIGHT)

    try_one()


@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes_at_all_are_refused_or_make_a_fight(name: str) -> None:
    target = TARGETS[name]

    @QUICK
    @given(st.one_of(st.binary(max_size=60), st.text(max_size=40).map(_utf8)))
    def try_one(data: bytes) -> None:
        with by_work():
            assert target.run(data, True) in (REFUSED, FIGHT)

    try_one()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("name", TARGETS)
def test_a_run_reaches_both_answers_and_is_the_same_for_the_same_seed(name: str) -> None:
    first, again = (attack(name, tries=40, seed=3) for _ in range(2))
    assert not first.faults
    assert set(first.answers) == {REFUSED, FIGHT}
    assert first.answers == again.answers


def test_a_hang_is_noticed_by_its_work_and_by_the_clock() -> None:
    def spin() -> None:
        while True:
            len("")

    with pytest.raises(Hang, match="calls"), by_work(1000):
        spin()
    with pytest.raises(Hang, match="seconds"), by_the_clock(0.05):
        spin()
