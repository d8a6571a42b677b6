"""The eleven conditions: what each does, inflicting again, what implies what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from affray.core.formatting.pieces import why_in_words

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


CONDITIONS = (
    "weakened", "sundered", "impaired", "stunned", "doomed", "restrained", "slowed", "prone",
    "unconscious", "frightened", "blinded",
)  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_all_eleven_can_be_inflicted_and_taken_away(fight: Fight, name: str) -> None:
    """Monsters & Magic, Conditions."""
    fight.do(f"inflict mira {name}")
    assert name in fight.effects("mira")
    assert next(e for e in fight.who("mira")["effects"] if e["name"] == name)["kind"] == "condition"
    fight.do(f"remove mira {name}")
    assert name not in fight.effects("mira")


@pytest.mark.parametrize(
    "name", [c for c in CONDITIONS if c not in ("prone", "doomed", "restrained")]
)
def test_a_condition_lasts_to_the_end_of_its_bearers_next_turn(fight: Fight, name: str) -> None:
    """Monsters & Magic, Conditions & Statuses."""
    fight.do(f"inflict mira {name}")
    assert fight.until("mira", name) == "end of mira's next turn"
    fight.do("next")
    assert name in fight.effects("mira")
    fight.do("next")
    assert name not in fight.effects("mira")


def test_weakened_takes_two_from_every_check(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Weakened)."""
    fight.do("inflict brannoc weakened")
    assert (fight.total("brannoc", "check"), fight.total("brannoc", "attack")) == (-2, -2)
    fight.do("check brannoc power natural 10")
    assert fight.rolled.total == 10


def test_sundered_takes_two_from_ac(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Sundered)."""
    fight.do("inflict brannoc sundered", "damage brannoc 10")
    assert fight.total("brannoc", "ac") == 2
    assert fight.track("brannoc", "hp") == 22


@pytest.mark.parametrize("name", ["stunned", "unconscious"])
def test_stunned_can_neither_act_nor_move_nor_react(fight: Fight, name: str) -> None:
    """Monsters & Magic, Conditions (Stunned, Unconscious)."""
    fight.do(f"inflict brannoc {name}")
    assert fight.total("brannoc", "speed") == 0
    assert not any(o["available"] for o in fight.who("brannoc")["options"])
    fight.refuses("strike ghoul-1 strong 5", f"{name}: can't spend AP")
    fight.refuses("react retaliate ghoul-1", f"{name}: can't react")


def test_doomed_marks_fatigue_at_every_turns_start(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Doomed): until you free yourself."""
    fight.do("inflict mira doomed for 2 turns", "next")
    assert fight.fatigue("mira") == (1, 0)
    fight.do(*["next"] * 4)
    assert fight.fatigue("mira") == (2, 0)
    fight.do("free mira doomed")
    assert fight.effects("mira") == set()
    fight.do(*["next"] * 4)
    assert fight.fatigue("mira") == (2, 0)


def test_restrained_can_react_but_neither_act_nor_move(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Restrained): immobile, can't spend AP."""
    fight.do("inflict brannoc restrained")
    assert fight.total("brannoc", "speed") == 0
    assert fight.option("brannoc", "strike")["reason"] == "restrained: can't spend AP"
    assert fight.option("brannoc", "retaliate")["available"]


def test_three_fatigue_free_the_restrained_in_their_own_turn(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Restrained)."""
    fight.do("inflict brannoc restrained from ghoul-1", "inflict mira restrained")
    fight.refuses("free mira restrained", "own turn")
    fight.do("free brannoc restrained")
    assert fight.fatigue("brannoc") == (3, 0)
    assert fight.effects("brannoc") == set()
    fight.do("strike ghoul-1 strong 5")


def test_the_holder_may_mark_as_much_to_keep_the_grip(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Restrained): they can mark the same to prevent you."""
    fight.do("inflict brannoc restrained from ghoul-1", "free brannoc restrained prevented")
    assert fight.fatigue("brannoc") == (3, 0)
    assert fight.fatigue("ghoul-1") == (3, 0)
    assert "restrained" in fight.effects("brannoc")
    fight.do("undo", "undo", "inflict brannoc restrained")
    fight.refuses("free brannoc restrained prevented", "nobody holds")


def test_slowed_halves_the_speed(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Slowed); Round Down."""
    fight.do("set brannoc speed 25", "inflict brannoc slowed")
    assert fight.total("brannoc", "speed") == 12


def test_prone_is_slowed_and_attacks_badly(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Prone)."""
    fight.do("inflict brannoc prone")
    assert fight.effects("brannoc") == {"prone", "slowed"}
    fight.do("strike ghoul-1 natural 15,4 5")
    assert fight.rolled.natural == 4


@pytest.mark.parametrize(("where", "natural"), [("", 15), (" far", 4)])
def test_prone_is_hit_easily_from_near_and_hardly_from_far(
    fight: Fight, where: str, natural: int
) -> None:
    """Monsters & Magic, Conditions (Prone): advantage within touch range, disadvantage further
    away."""
    fight.do("inflict ghoul-1 prone", f"strike ghoul-1 natural 4,15 5{where}")
    assert fight.rolled.natural == natural


def test_prone_lasts_until_it_stands(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Prone)."""
    fight.do("inflict mira prone", *["next"] * 5)
    assert fight.until("mira", "prone") == "until it stands"
    fight.refuses("inflict mira prone extend", "it can't be extended")


def test_unconscious_is_prone_and_stunned(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Unconscious)."""
    fight.do("inflict ghoul-1 unconscious")
    assert fight.effects("ghoul-1") == {"unconscious", "stunned", "prone", "slowed"}
    fight.do("next", "next", "next")
    assert fight.effects("ghoul-1") == {"prone", "slowed"}


def test_frightened_is_weakened_while_the_source_is_there(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Frightened)."""
    fight.do("inflict mira frightened from ghoul-1")
    assert fight.effects("mira") == {"frightened", "weakened"}
    assert fight.total("mira", "check") == -2
    fight.do("damage ghoul-1 99")
    assert fight.total("mira", "check") == 0


def test_frightened_and_weakened_do_not_add_up(fight: Fight) -> None:
    """Monsters & Magic, Conditions & Statuses: not the same condition more than once."""
    fight.do("inflict mira frightened from ghoul-1", "inflict mira weakened")
    assert fight.total("mira", "check") == -2


def test_blinded_fails_at_sight_and_attacks_badly(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Blinded)."""
    fight.do("inflict brannoc blinded", "check brannoc focus sight natural 19")
    assert fight.outcome == "miss"
    fight.do("strike ghoul-1 natural 15,4 5")
    assert fight.rolled.natural == 4


def test_the_blinded_are_hit_easily(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Blinded): attack rolls against you with advantage."""
    fight.do("inflict ghoul-1 blinded", "strike ghoul-1 natural 4,15 5 far")
    assert fight.rolled.natural == 15


def test_advantage_and_disadvantage_of_conditions_cancel_out(fight: Fight) -> None:
    """Monsters & Magic, Advantage & Disadvantage."""
    fight.do("inflict ghoul-1 blinded", "inflict brannoc prone")
    why = "as advantage (target blinded) and disadvantage (prone) cancel out"
    fight.refuses("strike ghoul-1 natural 4,15 5", why)
    fight.do("strike ghoul-1 natural 4 5")
    assert (fight.rolled.natural, "cancel" in why_in_words(fight.rolled)) == (4, True)


def test_a_condition_again_must_be_extended_or_detonated(fight: Fight) -> None:
    """Monsters & Magic, Conditions: the choices are named."""
    fight.do("inflict ghoul-1 weakened")
    message = fight.refuses("inflict ghoul-1 weakened", "extend")
    assert "detonate" in message
    fight.refuses("inflict ghoul-1 weakened forward", "already weakened")
    fight.refuses("inflict ghoul-2 weakened extend", "not weakened")


def test_extended_lasts_a_turn_longer(fight: Fight) -> None:
    """Monsters & Magic, Conditions: extend the duration by 1 turn."""
    fight.do("inflict mira weakened", "inflict mira weakened extend", "next", "next")
    assert "weakened" in fight.effects("mira")
    fight.do(*["next"] * 4)
    assert "weakened" not in fight.effects("mira")


@pytest.mark.parametrize(
    ("how", "left", "marks"),
    [
        ("detonate 7", 13, (0, 0)),
        ("detonate 7 necrotic", 13, (0, 0)),
        ("detonate fatigue", 18, (3, 0)),
        ("detonate 1d10", 15, (0, 0)),
        ("detonate", 15, (0, 0)),
    ],
)
def test_detonated_ends_at_once_with_damage_or_fatigue(
    fight: Fight, how: str, left: int, marks: tuple[int, int]
) -> None:
    """Monsters & Magic, Conditions: 1d10 damage of the type of your attack, or 3 fatigue."""
    rolled = how in ("detonate", "detonate 1d10")
    fight.do("inflict ghoul-1 weakened")
    fight.do(f"inflict ghoul-1 weakened {how}", faces=[5] if rolled else [])
    assert fight.effects("ghoul-1") == set()
    assert (fight.track("ghoul-1", "hp"), fight.fatigue("ghoul-1")) == (left, marks)


def test_a_detonation_meets_resistance(new_fight: type[Fight]) -> None:
    """Monsters & Magic, Conditions: damage of the same type as your attack."""
    fight = new_fight("add monster Imp hp 9 resist fire", "inflict imp weakened")
    fight.do("inflict imp weakened detonate 6 fire")
    assert fight.track("imp", "hp") == 6


def test_a_condition_may_be_laid_on_several_at_once(fight: Fight) -> None:
    """Monsters & Magic, Attacking & Dealing Damage: an action may affect several creatures."""
    fight.do("inflict ghoul-1,mira weakened for 2 turns")
    assert fight.effects("ghoul-1") == fight.effects("mira") == {"weakened"}
    assert fight.until("mira", "weakened") == "end of mira's 2nd turn from now"
    fight.refuses("inflict ghoul-1,ghoul-2 weakened extend", "Ghoul 2 is not weakened")
    fight.do("bestow brannoc,mira protected")
    assert (fight.total("brannoc", "ac"), fight.total("mira", "ac")) == (6, 4)


def test_the_choice_may_stand_before_or_behind_the_duration(fight: Fight) -> None:
    """Forgiving: `again` and `how long` in either order."""
    fight.do("bestow mira protected", "bestow mira protected for 2 turns extend")
    assert fight.until("mira", "protected") == "end of mira's 2nd turn from now"
    fight.do("bestow mira protected forward for 3 turns")
    assert "forward" in fight.effects("mira")


def test_several_are_laid_low_each_to_the_end_of_their_own_turn(fight: Fight) -> None:
    """Monsters & Magic, Conditions & Statuses: a creature's next turn is that of each."""
    fight.do("inflict ghoul-1,ghoul-2 weakened for 2 turns")
    assert fight.until("ghoul-1", "weakened") == "end of ghoul-1's 2nd turn from now"
    assert fight.until("ghoul-2", "weakened") == "end of ghoul-2's 2nd turn from now"
    fight.refuses("inflict mira,ghoul-1 weakened extend", "Mira is not weakened")


def test_every_forward_is_shown(fight: Fight) -> None:
    """What `show --json` prints."""
    fight.do('forward mira +1 "next attack"', "forward mira +2")
    assert [e["name"] for e in fight.who("mira")["effects"]] == ["forward", "forward"]


@pytest.mark.parametrize("name", ["doomed", "restrained"])
def test_doomed_and_restrained_last_until_freed(fight: Fight, name: str) -> None:
    """Monsters & Magic, Conditions; ruling 33: where nothing else is said."""
    fight.do(f"inflict mira {name}", *["next"] * 5)
    assert fight.until("mira", name) == "until freed"
    fight.refuses(f"inflict mira {name} extend", "it can't be extended")
    fight.do(f"free mira {name}")
    assert fight.effects("mira") == set()
    fight.do(f"inflict mira {name} for 2 turns")
    assert fight.until("mira", name) == "end of mira's 2nd turn from now"


@pytest.mark.parametrize("name", ["doomed", "restrained", "prone"])
def test_what_has_no_end_can_be_detonated(fight: Fight, name: str) -> None:
    """Monsters & Magic, ruling 33: what has no end can be detonated, not extended."""
    fight.do(f"inflict ghoul-1 {name}")
    fight.refuses(f"inflict ghoul-1 {name}", "detonate")
    fight.refuses(f"inflict ghoul-1 {name} extend", "it can't be extended")
    fight.do(f"inflict ghoul-1 {name} detonate 7 fire")
    assert (fight.track("ghoul-1", "hp"), fight.effects("ghoul-1")) == (13, set())


def test_an_implied_condition_can_be_inflicted_on_its_own(fight: Fight) -> None:
    """Monsters & Magic, ruling 34: weakened, of the frightened; detonating it names whom it comes
    from."""
    fight.do("inflict mira frightened from ghoul-1")
    for again in ("detonate 5", "extend"):
        fight.refuses(f"inflict mira weakened {again}", "only as frightened by Ghoul 1")
    fight.do("inflict mira weakened for 3 turns", "remove mira frightened")
    assert fight.effects("mira") == {"weakened"}
    fight.do("inflict mira frightened from ghoul-1", "inflict mira weakened detonate fatigue")
    assert fight.fatigue("mira") == (3, 0)
    assert fight.effects("mira") == {"frightened", "weakened"}
    fight.refuses("inflict mira doomed detonate 5", "is not doomed, so there is nothing")


@pytest.mark.parametrize("name", ["weakened", "stunned", "prone", "blinded", "frightened"])
def test_only_what_can_be_escaped_is_freed_from(fight: Fight, name: str) -> None:
    """Monsters & Magic, Conditions: time ends them; the prone stand up with Move."""
    fight.do(f"inflict brannoc {name} from ghoul-1")
    way = "`move` stands up" if name == "prone" else "`remove` removes it"
    fight.refuses(f"free brannoc {name}", way)


def test_what_lasts_until_freed_can_be_freed_from(fight: Fight) -> None:
    """Of `until freed`."""
    fight.do("inflict brannoc slowed until freed", "free brannoc slowed")
    assert fight.effects("brannoc") == set()
    fight.do("mount mira")
    fight.refuses("free brannoc mounted", "nothing to be freed from")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("inflict ghoul-1 unconscious", "Ghoul 1 can't keep the hold: unconscious"),
        ("mark ghoul-1 fatigue 12", "Ghoul 1 can't keep the hold: unconscious"),
        ("damage ghoul-1 99", "Ghoul 1 can't keep the hold: dead"),
        ("leave ghoul-1", "nobody holds them"),
    ],
)
def test_only_a_holder_who_can_act_keeps_the_grip(fight: Fight, line: str, why: str) -> None:
    """Monsters & Magic, Conditions (Restrained); ruling 53: life forbids."""
    fight.do("inflict brannoc restrained from ghoul-1", line)
    fight.refuses("free brannoc restrained prevented", why)
    fight.do("free brannoc restrained")
    assert fight.fatigue("brannoc") == (3, 0)


def test_the_sleeping_get_free_of_nothing(fight: Fight) -> None:
    """Monsters & Magic, Conditions (Unconscious)."""
    fight.do("inflict brannoc restrained from ghoul-1", "inflict brannoc unconscious")
    for name in ("restrained", "prone", "unconscious"):
        fight.refuses(f"free brannoc {name}", "by themself: unconscious")
    assert fight.pending == []


def test_nothing_hangs_on_a_spell_that_nobody_concentrates_on(fight: Fight) -> None:
    """What was expected, and that there is none."""
    fight.refuses("inflict ghoul-1 slowed concentrating fog from mira", "'fog': there is none")
