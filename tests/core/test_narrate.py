"""Events in words: short, complete, and silent about bookkeeping."""

from __future__ import annotations

import pytest
from msgspec import structs

from affray.core.engine import events as e
from affray.core.engine.history import Entry
from affray.core.engine.state import Clock, Combatant, Duration, Effect, Encounter, Slot, Track
from affray.core.formatting.log_lines import entry_line, entry_pieces, outcome_lines
from affray.core.rules.tables import TrackRow

TRACKS = {
    "hp": TrackRow("HP", everybody=True, recap="damage"),
    "fatigue": TrackRow("Fatigue", counts="marked", everybody=True),
    "exhaustion": TrackRow("Exhaustion", counts="marked", everybody=True, grave=True),
    "threads": TrackRow("Threads", gm=True),
    "xp": TrackRow("XP", counts="marked"),
    "spellburn": TrackRow("Spellburn die", shown="die"),
}

WEAKENED = Effect("weakened", "weakened", "condition", Duration("turn", "ghoul-1", "end", 3))
PRONE = Effect("prone", "prone", "condition", Duration(says="it stands"))
STEPS = (e.Step("slashing", amount=8), e.Step("AC", by=-2))


def fight() -> Encounter:
    brannoc = Combatant(
        "brannoc",
        "Brannoc",
        "party",
        "pc",
        tracks={
            "hp": Track(18, 30),
            "fatigue": Track(4, 5),
            "exhaustion": Track(1, 5),
            "spellburn": Track(8),
        },
    )
    ghoul = Combatant(
        "ghoul-1", "Ghoul 1", "foes", "monster", tracks={"hp": Track(18, 18)}, effects=(PRONE,)
    )
    slots = (Slot("brannoc", 17, 3, 3, True), Slot("ghoul-1", 15, 2, 2))
    return Encounter(
        phase="combat",
        round=3,
        turn="brannoc",
        slots=slots,
        combatants=(brannoc, ghoul),
        tracks={"threads": Track(1)},
    )


def told(*events: e.AnyEvent, by: str = "") -> list[str]:
    return outcome_lines(events, fight(), TRACKS, by)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            e.TrackChanged("ghoul-1", "hp", -6, parts=STEPS),
            "Ghoul 1 −6 HP, 12 left (8 slashing, AC 2)",
        ),
        (e.TrackChanged("brannoc", "spellburn", -2), "Brannoc Spellburn die d8 → d6"),
        (e.TrackChanged("brannoc", "spellburn", -8), "Brannoc Spellburn die d8 → out"),
        (e.TrackChanged("brannoc", "hp", 5), "Brannoc +5 HP, now 23 of 30"),
        (e.TrackChanged("brannoc", "fatigue", -2), "Brannoc −2 Fatigue, now 2 of 5"),
        (e.TrackChanged("brannoc", "xp", 1), "Brannoc +1 XP, now 1"),
        (e.TrackChanged("brannoc", "hp", 0, 40), "Brannoc HP at most 40"),
        (e.TrackChanged("", "threads", 1), "GM +1 Threads, now 2"),
        (e.CostPaid("", "threads", 1, "Bell Toll"), "GM −1 Threads, 0 left"),
        (e.EffectGained("ghoul-1", WEAKENED), "Ghoul 1 weakened until the end of its next turn"),
        (
            e.EffectGained("brannoc", WEAKENED),
            "Brannoc weakened until the end of Ghoul 1's next turn",
        ),
        (e.EffectGained("brannoc", PRONE), "Brannoc prone until it stands"),
        (
            e.EffectGained(
                "brannoc", Effect("f", "forward", "forward", Duration("use"), note="+2")
            ),
            "Brannoc forward (+2) until used",
        ),
        (e.EffectGained("brannoc", Effect("h", "held", "hold")), "Brannoc held"),
        (
            e.EffectGained(
                "brannoc", Effect("s", "slowed", "condition", Duration("round", count=4))
            ),
            "Brannoc slowed until the end of round 4",
        ),
        (
            e.EffectChanged("ghoul-1", Effect("prone", "prone", "condition", Duration("save"))),
            "Ghoul 1 prone until saved against",
        ),
        (
            e.EffectLost("ghoul-1", "prone", "its time is up"),
            "Ghoul 1 no longer prone (its time is up)",
        ),
        (e.LifeChanged("brannoc", "dying"), "Brannoc is dying"),
        (e.LifeChanged("ghoul-1", "dead", "out of HP"), "Ghoul 1 is dead (out of HP)"),
        (
            e.Rolled("brannoc", "1d20+2", (15,), 17, 15, outcome="strong"),
            "Brannoc 1d20 [15] +2 = 17, strong",
        ),
        (
            e.Rolled("", "3d6", (6, 2, 5), for_="The bridge falls"),
            "The bridge falls 3d6 [6 2 5]",
        ),
        (e.StatChanged("brannoc", "power", 3), "Brannoc: power is 3"),
        (e.StatChanged("ghoul-1", "resist", ["fire", "cold"]), "Ghoul 1: resist is fire, cold"),
        (e.RoundStarted(4), "round 4 begins"),
        (e.NoteAdded("the door holds"), "the door holds"),
        (e.NoteAdded("bleeds", "brannoc"), "Brannoc: bleeds"),
        (e.Left("ghoul-1", "fled"), "Ghoul 1 leaves: fled"),
        (e.ClockChanged("Flood", Clock("Flood", 2, 6)), "Flood: 2 steps left"),
        (e.ClockChanged("Flood", Clock("Flood", 3, sides=6)), "Flood: 3d6 left"),
        (e.ClockChanged("Flood", None), "Flood: removed"),
    ],
)
def test_an_event_in_words(event: e.AnyEvent, words: str) -> None:
    assert told(event) == [words]


@pytest.mark.parametrize(
    "event",
    [
        e.UseCounted("brannoc", "strike"),
        e.UsesReset("brannoc", "turn"),
        e.InitiativeSet(()),
        e.TurnEnded("brannoc"),
        e.TurnEnded("ghoul-1", passed=True),
        e.TurnStarted("ghoul-1"),
        e.CostPaid("brannoc", "ap", 1),
        e.Rolled("brannoc", "1d20", outcome="strong"),
        e.TrackChanged("brannoc", "hp", 0),
        e.EffectLost("brannoc", "nothing-of-that-id"),
        e.EffectGained("nobody", PRONE),
        e.StatChanged("brannoc", "name", "Bran"),
        e.Began(),
        e.Ended(),
    ],
)
def test_bookkeeping_gives_nothing(event: e.AnyEvent) -> None:
    assert told(event) == []


def test_who_acts_is_not_named_again_with_a_roll() -> None:
    roll = e.Rolled("brannoc", "1d20+2", (15,), 17, 15, outcome="strong")
    assert told(roll, by="brannoc") == ["1d20 [15] +2 = 17, strong"]


def test_marks_that_ran_over_are_told_by_what_they_became() -> None:
    """Marks past a full track: it fills, empties and fills again within one entry. That it holds
    fewer now is no relief, so it stands behind, as the reason."""
    marks = (
        e.TrackChanged("brannoc", "fatigue", 1),
        e.TrackChanged("brannoc", "exhaustion", 1),
        e.TrackChanged("brannoc", "fatigue", -5),
        e.TrackChanged("brannoc", "fatigue", 1),
    )
    full = "(Fatigue was full, now 1 of 5)"
    assert told(*marks) == [f"Brannoc +1 Exhaustion, now 2 of 5 {full}"]
    emptied = (e.TrackChanged("brannoc", "fatigue", -4), e.TrackChanged("brannoc", "exhaustion", 1))
    full = "(Fatigue was full, now 0 of 5)"
    assert told(*emptied) == [f"Brannoc +1 Exhaustion, now 2 of 5 {full}"]
    rest = (e.TrackChanged("brannoc", "fatigue", -4), e.TrackChanged("brannoc", "exhaustion", -1))
    assert told(*rest) == ["Brannoc −4 Fatigue, now 0 of 5, −1 Exhaustion, now 0 of 5"]


def test_who_is_hurt_comes_first_and_what_is_only_kept_account_of_last_before_the_dice() -> None:
    """At 80x24 a line is cut, so its order is: HP and lives, what else is so, threads and XP."""
    events = (
        e.Rolled("brannoc", "1d20+2", (20,), 22, 20, outcome="crit", for_="strike"),
        e.TrackChanged("", "threads", 1, why="Brannoc's critical"),
        e.TrackChanged("brannoc", "xp", 1),
        e.EffectGained("ghoul-1", WEAKENED),
        e.TrackChanged("ghoul-1", "hp", -18, why="10 slashing, doubled 20, AC 2"),
        e.LifeChanged("ghoul-1", "dead", "0 HP"),
    )
    assert told(*events, by="brannoc") == [
        "Ghoul 1 −18 HP, 0 left (10 slashing, doubled 20, AC 2)",
        "Ghoul 1 is dead",
        "Ghoul 1 weakened until the end of its next turn",
        "GM +1 Threads, now 2 (Brannoc's critical)",
        "Brannoc +1 XP, now 1",
        "strike 1d20 [20] +2 = 22, crit",
    ]


def test_values_are_those_of_the_moment() -> None:
    first, second = (
        e.TrackChanged("ghoul-1", "hp", -6, why="fire"),
        e.TrackChanged("ghoul-1", "hp", -2),
    )
    assert told(first, second) == ["Ghoul 1 −6 HP, 12 left (fire)", "Ghoul 1 −2 HP, 10 left"]


def test_an_entry_is_one_line() -> None:
    hit = e.TrackChanged("ghoul-1", "hp", -6, why="AC 2")
    entry = Entry(12, "strike 2 strong 8", "brannoc", "Brannoc strikes Ghoul 1, strong 8", (hit,))
    assert entry_pieces(entry, fight(), TRACKS) == [
        "Brannoc strikes Ghoul 1, strong 8",
        "Ghoul 1 −6 HP, 12 left (AC 2)",
    ]
    assert entry_line(entry, fight(), TRACKS) == (
        "Brannoc strikes Ghoul 1, strong 8 · Ghoul 1 −6 HP, 12 left (AC 2)"
    )


def test_a_line_does_not_say_twice_what_the_title_says() -> None:
    note = Entry(
        3,
        'note "the door holds"',
        text="Note: the door holds",
        events=(e.NoteAdded("the door holds"),),
    )
    assert entry_line(note, fight(), {}) == "Note: the door holds"


def test_the_name_that_the_title_begins_with_is_not_said_again() -> None:
    """Up to the first piece about somebody else: there it could be taken for theirs."""
    events = (
        e.TrackChanged("ghoul-1", "hp", -6),
        e.TrackChanged("ghoul-1", "hp", -2, why="fire"),
        e.LifeChanged("ghoul-1", "dead"),
        e.LifeChanged("brannoc", "dying"),
        e.LifeChanged("ghoul-1", "up"),
    )
    entry = Entry(4, "damage ghoul-1 6", text="Ghoul 1 is hurt", events=events)
    assert entry_pieces(entry, fight(), TRACKS)[1:] == [
        "−6 HP, 12 left",
        "−2 HP, 10 left (fire)",
        "is dead",
        "Brannoc is dying",
        "Ghoul 1 is up again",
    ]
    other = Entry(4, "note hm", text="Ghoul 12 is hurt", events=events[:1])
    assert entry_pieces(other, fight(), TRACKS)[1:] == ["Ghoul 1 −6 HP, 12 left"]
    two = Entry(4, "next", text="Ghoul 1's turn ends; Brannoc is up", events=events[:1])
    assert entry_pieces(two, fight(), TRACKS)[1:] == ["Ghoul 1 −6 HP, 12 left"]


def test_a_move_in_the_log_is_only_named() -> None:
    undo = Entry(9, "undo", text="Undo: Brannoc moves", to=7)
    assert entry_line(undo, fight(), {}) == "Undo: Brannoc moves"


@pytest.mark.parametrize(
    ("title", "event", "line"),
    [
        (
            "Ghoul 1 is weakened",
            e.EffectGained("ghoul-1", WEAKENED),
            "Ghoul 1 is weakened · until the end of its next turn",
        ),
        (
            "Brannoc strikes Ghoul 1, strong 8 slashing",
            e.TrackChanged("ghoul-1", "hp", -6, parts=STEPS),
            "Brannoc strikes Ghoul 1, strong 8 slashing · Ghoul 1 −6 HP, 12 left (AC 2)",
        ),
        (
            "Ghoul 1 takes 8",
            e.TrackChanged("ghoul-1", "hp", -8, why="8"),
            "Ghoul 1 takes 8 · −8 HP, 10 left",
        ),
        (
            "Brannoc readies Strike: the door opens",
            e.EffectGained(
                "brannoc", Effect("r", "readied", "readied", note="Strike: the door opens")
            ),
            "Brannoc readies Strike: the door opens · readied",
        ),
        (
            "Ghoul 1 is no longer prone",
            e.EffectLost("ghoul-1", "prone"),
            "Ghoul 1 is no longer prone",
        ),
        (
            "Ghoul 1 is no longer slowed",
            e.EffectLost("ghoul-1", "prone"),
            "Ghoul 1 is no longer slowed · no longer prone",
        ),
        (
            "Brannoc marks fatigue",
            e.TrackChanged("brannoc", "fatigue", 1),
            "Brannoc marks fatigue · +1 Fatigue, now 5 of 5",
        ),
    ],
)
def test_what_the_title_says_is_not_said_again(title: str, event: e.AnyEvent, line: str) -> None:
    entry = Entry(4, "a command", text=title, events=(event,))
    assert entry_line(entry, fight(), TRACKS) == line


def test_what_only_gives_something_is_told_by_what_it_gave_when_it_ends() -> None:
    kept = Effect("m", "modifier", "modifier", modifiers={"attack": 1}, note="every lamp at once")
    bearer = structs.replace(fight()["brannoc"], effects=(kept,))
    before = structs.replace(fight(), combatants=(bearer, fight()["ghoul-1"]))
    assert outcome_lines([e.EffectLost("brannoc", "m", "its time is up")], before, TRACKS) == [
        "Brannoc no longer has +1 attack (every lamp at once; its time is up)"
    ]


def test_a_name_is_kept_behind_a_piece_about_somebody_else() -> None:
    events = (e.LifeChanged("ghoul-1", "dead"), e.LifeChanged("brannoc", "dying"))
    entry = Entry(4, "a command", text="Brannoc falls", events=events)
    assert entry_line(entry, fight(), TRACKS) == (
        "Brannoc falls · Ghoul 1 is dead · Brannoc is dying"
    )


BOTH = "Brannoc and Ghoul 1"


@pytest.mark.parametrize(
    ("title", "line"),
    [
        (f"{BOTH} are prone", f"{BOTH} are prone · until it stands"),
        (f"{BOTH}: prone", f"{BOTH}: prone · until it stands"),
        ("The floor gives way", f"The floor gives way · {BOTH} prone until it stands"),
    ],
)
def test_what_came_to_several_alike_is_told_once_for_all(title: str, line: str) -> None:
    events = (e.EffectGained("brannoc", PRONE), e.EffectGained("ghoul-1", PRONE))
    entry = Entry(4, "a command", text=title, events=events)
    assert entry_line(entry, fight(), TRACKS) == line


def test_what_came_to_each_of_several_in_another_way_is_told_of_each() -> None:
    events = [
        e.EffectGained("brannoc", PRONE),
        e.EffectGained("brannoc", WEAKENED),
        e.EffectGained("ghoul-1", PRONE),
        e.EffectGained("ghoul-1", PRONE),
        e.RoundStarted(4),
        e.EffectGained("ghoul-1", PRONE),
    ]
    assert outcome_lines(events, fight(), TRACKS) == [
        "Brannoc and Ghoul 1 prone until it stands",
        "Brannoc weakened until the end of Ghoul 1's next turn",
        "Ghoul 1 prone until it stands",
        "round 4 begins",
        "Ghoul 1 prone until it stands",
    ]


def test_what_ends_on_one_again_and_again_is_told_once() -> None:
    prone = tuple(structs.replace(PRONE, id=f"p{n}") for n in "123")
    state = structs.replace(
        fight(), combatants=(structs.replace(fight()["brannoc"], effects=prone),)
    )
    ends = [e.EffectLost("brannoc", f"p{n}", "its time is up") for n in "123"]
    assert outcome_lines(ends, state, TRACKS) == [
        "Brannoc prone once less (its time is up) ×2",
        "Brannoc no longer prone",
    ]


def test_of_several_of_a_name_that_is_told_which_ends_by_its_note() -> None:
    kept = [Effect(n, "concentrating", "concentration", note=n) for n in ("Fog", "Hail")]
    one = structs.replace(fight()["brannoc"], effects=tuple(kept))
    state = structs.replace(fight(), combatants=(one,))
    assert outcome_lines([e.EffectLost("brannoc", "Fog", "its time is up")], state, TRACKS) == [
        "Brannoc no longer concentrating (Fog; its time is up)",
    ]


def test_why_several_effects_ended_is_told_once_and_never_where_the_title_says_it() -> None:
    kept = Effect("m", "modifier", "modifier", modifiers={"attack": 1}, note="every lamp at once")
    one, other = fight()["brannoc"], fight()["ghoul-1"]
    bearers = structs.replace(one, effects=(PRONE, kept)), structs.replace(other, effects=(PRONE,))
    before, why = structs.replace(fight(), combatants=bearers), "the fight is over"
    ends = tuple(e.EffectLost(b.id, effect.id, why) for b in bearers for effect in b.effects)
    assert outcome_lines(ends, before, TRACKS) == [
        "Brannoc and Ghoul 1 no longer prone (the fight is over)",
        "Brannoc no longer has +1 attack (every lamp at once)",
    ]
    entry = Entry(4, "end", text="The fight is over", events=ends)
    assert "(the fight is over)" not in entry_line(entry, before, TRACKS)


def test_what_several_are_given_alike_is_told_once_and_what_they_lose_of_each() -> None:
    tracks = {"hp": Track(10, 20)}
    both = tuple(structs.replace(who, tracks=tracks) for who in fight().combatants)
    before = structs.replace(fight(), combatants=both)
    given = [e.TrackChanged(who.id, "hp", 5, why="a song") for who in both]
    assert outcome_lines(given, before, TRACKS) == [
        "Brannoc and Ghoul 1 +5 HP, now 15 of 20 (a song)"
    ]
    lost = [e.TrackChanged(who.id, "hp", -5, why="a fire") for who in both]
    assert outcome_lines(lost, before, TRACKS) == [
        "Brannoc −5 HP, 5 left (a fire)",
        "Ghoul 1 −5 HP, 5 left (a fire)",
    ]
