"""What a GM is told beside what changes. SRD 5.2.1, Damage Threshold, Concentration."""

from __future__ import annotations

from tests.played import rules_said

from affray import Fight

PEOPLE = (
    'add pc Wiz hp 30 ac 13 spell 7 spell-dc 15 slots 4,3,2 spells "Hold Person",Bless',
    "add pc Bo hp 30 ac 13",
    "add monster Goblin x6 hp 7 ac 12 group",
    "add monster Trog hp 30 ac 12 power Stench trait aura start save con dc 12 inflicts poisoned",
    "add monster Aboleth hp 100 ac 17 legendary 3",
    "add monster Door hp 20 ac 15 threshold 10 object resist fire",
    "init wiz 25",
    "init bo 24",
    "init goblin 20",
    "init aboleth,door,trog 0",
    "start",
)
NOBODY = "Wiz still concentrates on Hold Person, which holds nobody: `drop` ends it"


def _fight() -> Fight:
    fight = Fight("5e", seed=1)
    fight.do(*PEOPLE)
    return fight


def _told(fight: Fight, line: str) -> list[str]:
    fight.do(line)
    return rules_said(fight.entries[-1].events, fight.state)


def test_a_blow_below_the_threshold_says_why_it_does_nothing() -> None:
    fight = _fight()
    assert _told(fight, "damage door 9 cold") == [
        "Door takes no damage (9 cold, below the threshold of 10)"
    ]
    assert _told(fight, "damage door 18 fire") == [
        "Door takes no damage (18 fire, resisted 9, below the threshold of 10)"
    ]
    assert _told(fight, "damage door 10 cold") == []


def test_a_spell_that_holds_nobody_says_that_it_is_concentrated_on_all_the_same() -> None:
    """SRD 5.2.1, Concentration: no word of a spell that everybody saved against."""
    fight = _fight()
    assert _told(fight, 'cast "Hold Person" at goblin-1,goblin-2 success') == [NOBODY]
    assert fight.state["wiz"].named("concentrating") is not None
    fight.do("undo")
    assert _told(fight, 'cast "Hold Person" at goblin-1,goblin-2 failure,success') == []
    assert _told(fight, "damage goblin-1 30") == [NOBODY]
    fight.do("undo")
    assert _told(fight, "remove goblin-1 paralyzed") == [NOBODY]
    fight.do("undo")
    assert _told(fight, "save goblin-1 paralyzed success") == [NOBODY]


def test_a_spell_that_waits_for_a_characters_save_holds_nobody_once_that_is_made() -> None:
    fight = _fight()
    assert _told(fight, 'cast "Hold Person" at bo') == []
    assert _told(fight, "withstand bo success") == [NOBODY]
    fight.do("undo")
    assert _told(fight, "withstand bo failure") == []


def test_legendary_actions_are_told_of_once_between_two_turns_and_an_aura_once_in_a_fight() -> None:
    """What is only to be remembered then stands on the card."""
    fight = _fight()
    begun = rules_said(fight.entries[-1].events, fight.state)
    told = [begun, *(_told(fight, "next") for _ in range(10))]
    lines = [line for lines in told for line in lines]
    assert [n for n, row in enumerate(told) if "Aboleth has 3 legendary left" in row] == [1, 6]
    assert lines.count('Trog: Stench, `power "Stench" NAME by trog`') == 1


def test_an_aura_is_told_once_with_how_far_it_reaches_at_the_turns_it_is_due() -> None:
    """SRD 5.1, Pit Fiend, Balor: at the start of others' turns, and of its own."""
    fight = Fight("5e", seed=1)
    fight.do(
        "add pc Bo hp 30 ac 13",
        "add monster King hp 90 ac 17 power Dread trait aura start radius 20 save wis dc 17"
        ' inflicts frightened text "Any enemy that starts its turn within 20 feet saves."'
        ' power Heat trait aura own-start radius 5 3d6 fire text "At the start of each of its'
        ' turns, each creature near takes fire."',
        "init bo 20",
        "init king 10",
    )
    begun = _told(fight, "start")
    assert [line for line in begun if "Dread" in line or "Heat" in line] == [
        'King: Dread within 20 ft, `power "Dread" NAME by king`'
    ]
    due = _told(fight, "next")
    assert [line for line in due if "Dread" in line or "Heat" in line] == [
        'King: Heat within 5 ft, `power "Heat" NAME by king`'
    ]
