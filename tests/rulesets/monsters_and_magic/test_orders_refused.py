"""What is not understood changes nothing and gets one line; odd fights never fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.rulesets.monsters_and_magic.conftest import Fight


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("", "expected a command"),
        ("strik ghoul-1 strong 5", "did you mean strike"),
        ("strike goul strong 5", "nobody here is called"),
        ("strike ghoul strong 5", "could be ghoul-1 or ghoul-2"),
        ("strike", "expected the target"),
        ("strike ghoul-1", "miss, weak, strong"),
        ("strike ghoul-1 stron 5", "did you mean strong"),
        ("strike ghoul-1 strong many", "many"),
        ("strike ghoul-1 strong -5", "must be from 0"),
        ("strike ghoul-1 strong 5 slashin", "did you mean slashing"),
        ("strike ghoul-1 strong 5 slashing 6", "did not expect"),
        ("strike ghoul-1 strong 5 fatigue", "not both"),
        ("strike ghoul-1 natural 21 5", "1 to 20"),
        ("strike ghoul-1 natural 0 5", "1 to 20"),
        ("strike ghoul-1 natural 4,5,6 5", "1 to 20"),
        ("strike ghoul-1 natural", "1 to 20"),
        ("strike brannoc strong 5", "themself"),
        ("strike ghoul-1 strong 5 by", "after `by`"),
        ("strike ghoul-1 strong 5 by nobody", "nobody here is called"),
        ("strike ghoul-1 strong 5 with axe", "no attack"),
        ("strike 9 strong 5", "no combatant has number 9"),
        ("check mira wits strong", "expected an ability"),
        ("check mira cunning", "an outcome"),
        ("check mira cunning natural 9 dc", "the DC"),
        ("check mira cunning natural 9 dc high", "whole number"),
        ("inflict ghoul-1 sleepy", "expected a condition"),
        ("inflict ghoul-1", "expected a condition"),
        ("inflict ghoul-1 weakened for two turns", "the number of turns"),
        ("inflict ghoul-1 weakened until tomorrow", "expected its end"),
        ("bestow mira blessed", "expected a status"),
        ("free mira restrained", "nothing to be freed"),
        ("remove mira weakened", "no effect to remove"),
        ("damage", "the combatants to damage"),
        ("damage mira", "expected the damage"),
        ("damage mira 2d", "a number of sides"),
        ("damage , 4", "the combatants to damage"),
        ("heal mira lots", "lots"),
        ("temp mira", "temporary HP"),
        ("mark mira hp 3", "expected a track, found 'hp'"),
        ("mark mira fatigue -1", "must be from 1"),
        ("clear mira fatigue 0", "must be from 1"),
        ("set mira hp 99", "at most 24 hp"),
        ("set mira wits 3", "expected one of their tracks or numbers"),
        ("hold mira arrows", "expected a number"),
        ("forward mira", "bonus"),
        ("death mira weak", "not dying"),
        ("thread mira bend", "bend-luck"),
        ("react dodge", "expected a reaction"),
        ("react retaliate", "expected"),
        ("ready", "expected a technique"),
        ("trigger", "nobody has"),
        ("return", "nobody has delayed"),
        ("next please", "did not expect"),
        ("next 2", "did not expect"),
        ("start", "has begun"),
        ("aid ghoul-1", "the bond"),
        ("aid mira bond big", "whole number"),
        ("disengage fatigue 3", "from 0 to 2"),
        ("grapple ghoul-1", "saving throw"),
        ("hide", "an outcome"),
        ("hide ghoul-1", "an outcome"),
        ('note "', "never closed"),
        ("add", "expected"),
        ("add pc", "a name"),
        ("add pc Zed", "expected `hp`"),
        ("add pc Zed hp 0", "out of range"),
        ("add monster Zed x0 hp 4", "you can add 1 to 50"),
        ("add monster Zed hp 4 hp 5", "given twice"),
        ("clock", "name"),
        ('clock "x" 4d', "expected dice such as 4d6"),
    ],
)
def test_a_mistake_gets_one_clear_line(fight: Fight, line: str, saying: str) -> None:
    """Says what was expected and what is close, and changes nothing."""
    fight.refuses(line, saying)


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("strike ghoul-1 strong 5", "it is nobody's turn"),
        ("next", "the fight has not begun"),
        ("delay", "the fight has not begun"),
        ("end", "the fight has not begun"),
        ("regroup by brannoc", "only in a fight"),
        ("swap mira", "the fight has not begun"),
    ],
)
def test_before_the_fight_there_are_no_turns(gathered: Fight, line: str, saying: str) -> None:
    gathered.refuses(line, saying)


@pytest.mark.parametrize(
    "line", ["strike 3 strong 5", "strike GHOUL-1 strong 5", 'strike "Ghoul 1" STRONG 5']
)
def test_a_combatant_by_number_name_or_beginning(fight: Fight, line: str) -> None:
    """Ids, unique prefixes of names, or list numbers."""
    fight.do(line)
    assert fight.track("ghoul-1", "hp") == 15


@pytest.mark.parametrize("name", ["Zoë Ærin", "Łukasz", "Ñandú", "O'Brien", "Mary-Ann", "Åsa 2"])
def test_names_of_all_kinds(fight: Fight, name: str) -> None:
    """Names as people have them."""
    fight.do(f'add pc "{name}" hp 9')
    fight.do(f'damage "{name}" 4', f'heal "{name}" 1')
    assert fight.shown["combatants"][-1]["tracks"]["hp"]["value"] == 6


PIT = "add hazard Pit"


@pytest.mark.parametrize(
    ("line", "saying"),
    [
        ("strike pit strong 5", "has no HP"),
        ("strike pit weak fatigue", "has no fatigue to mark"),
        ("damage pit 4", "has no HP"),
        ("heal pit 4", "has no HP"),
        ("temp pit 4", "has no HP"),
        ("mark pit fatigue 1", "has no tracks"),
        ("clear pit fatigue 1", "has no tracks"),
        ("react retaliate pit", "has no fatigue to mark"),
        ("death pit weak", "is not dying"),
        ("thread pit bend-luck", "has no threads of fate"),
    ],
)
def test_a_hazard_without_tracks_is_never_more_than_a_refusal(
    fight: Fight, line: str, saying: str
) -> None:
    """A hazard has neither HP nor fatigue."""
    fight.do(PIT, faces=[1]).refuses(line, saying)


def test_a_hazard_has_no_ap_that_it_could_spend(fight: Fight) -> None:
    fight.do(PIT, *["next"] * 4, faces=[1])
    assert fight.shown["turn"] == "pit"
    fight.refuses("strike mira strong 5", "0 AP left, needs 1")
    fight.refuses("move", "0 AP left, needs 1")


@pytest.mark.parametrize(
    "line",
    [
        "inflict pit doomed",
        "inflict pit weakened",
        "check pit power natural 10",
        "grapple pit weak",
        "distract pit weak",
        "note on pit deep",
        "set pit ac 3",
        "leave pit",
        "init pit roll",
    ],
)
def test_a_hazard_has_its_turns_all_the_same(fight: Fight, line: str) -> None:
    fight.do(PIT, faces=[1]).do(line, faces=[3] if line.endswith("roll") else [])
    fight.do(*["next"] * 6)


@pytest.mark.parametrize(
    "stats",
    [
        {},
        {"ac": "abc", "speed": None, "power": [], "pb": "two", "luck": 1.5, "cunning": True},
        {"resist": 3, "vulnerable": "fire", "immune": [1, 2], "attacks": ["bite", "x|y", 4]},
        {"attacks": "bite|1d6", "important": "yes", "ac": float("inf"), "speed": float("nan")},
    ],
)
@pytest.mark.parametrize("tracks", ["all", "none", "some"])
def test_a_log_edited_by_hand_never_fails(
    fight: Fight, stats: dict[str, object], tracks: str
) -> None:
    """What a GM edits is read; odd numbers count as nothing."""
    have = fight["brannoc"].tracks
    kept = {"all": have, "none": {}, "some": {k: have[k] for k in ("hp", "ap", "fatigue")}}[tracks]
    fight.edited("brannoc", stats=stats, tracks=kept)
    fight.play_anything(
        "strike ghoul-1 natural 12 5", "strike ghoul-1", "strike ghoul-1 weak fatigue", "move",
        "damage brannoc 5 fire", "damage brannoc 99", "heal brannoc 3", "mark brannoc fatigue 3",
        "mark brannoc exhaustion 9", "death brannoc miss", "check brannoc luck roll",
        "thread brannoc bend-luck", "inflict brannoc doomed", "inflict brannoc doomed detonate",
        "bestow brannoc invigorated", "grapple ghoul-1 miss", "distract ghoul-1 weak", "dodge",
        "ready dodge", "trigger by brannoc", "react retaliate ghoul-1 by brannoc", "init roll all",
        "rest long", "free brannoc doomed", "aid brannoc bond 1 by mira", "set brannoc ac 3",
        "next", "next", "next", "next", "end", "rest short", "rest long brannoc clear 1 tend 2",
    )  # fmt: skip
