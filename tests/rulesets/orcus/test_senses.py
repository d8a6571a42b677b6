"""What senses make of concealment. Orcus, Vision and Light, Senses."""

from __future__ import annotations

import pytest

from affray import Fight


def _told(sense: str, hidden_by: str) -> str:
    fight = Fight("orcus", seed=1)
    fight.do(
        "add pc Kestrel hp 30 ac 15",
        f"add monster Bat hp 20 ac 12 {sense} attack bite +6 vs ac 1d6",
        "init bat 20",
        "init kestrel 3",
        "start",
        f"inflict kestrel {hidden_by}",
    )
    return str(fight.do("attack kestrel natural 12 5").events)


@pytest.mark.parametrize(
    ("sense", "hidden_by"),
    [
        ("blindsight 10", "invisible"),
        ("blindsight 10", "hidden"),
        ("blindsight 10", "heavily-obscured"),
        ("truesight 10", "invisible"),
    ],
)
def test_who_is_sensed_has_no_concealment(sense: str, hidden_by: str) -> None:
    assert "conceal" in _told("", hidden_by)
    assert "conceal" not in _told(sense, hidden_by)


def test_the_blinded_with_blindsight_need_no_eyes() -> None:
    fight = Fight("orcus", seed=1)
    fight.do("add pc Kestrel hp 30 ac 15")
    fight.do("add monster Bat hp 20 ac 12 blindsight 10 attack bite +6 vs ac 1d6")
    fight.do("init bat 20", "init kestrel 3", "start", "inflict bat blinded")
    assert "concealment" not in str(fight.do("attack kestrel natural 12 5").events)


@pytest.mark.parametrize(
    ("sense", "hidden_by"),
    [
        ("darkvision", "heavily-obscured"),
        ("truesight 10", "lightly-obscured"),
        ("tremorsense 10", "hidden"),
    ],
)
def test_a_sense_that_may_find_the_target_is_told(sense: str, hidden_by: str) -> None:
    told = _told(sense, hidden_by)
    assert "conceal" in told
    assert f"has {sense.split()[0]}: `clear` if it sees its target" in told
