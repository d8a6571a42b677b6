"""What a power of a sheet brings beside damage, and how often it can be used."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Struct
from tests.core.conftest import BARE, Play, ruled
from tests.fallen_dice import FallenDice

from affray.core.engine.events import LifeChanged, UseCounted
from affray.core.engine.state import Combatant, Duration, Track
from affray.core.formatting.media import IN_WRITING
from affray.core.parser import arguments
from affray.core.rules.ruleset import Command
from affray.core.rules.tables import read_tables
from affray.mechanics import conditions, powers, sheet, sheet as sheets
from affray.mechanics.conditions import DurationRules

LASTING = DurationRules()
TABLES = {
    "damage_types": ["fire", "cold"],
    "effects": {"dazed": {}, "slowed": {}, "prone": {"until": "up again"}, "ongoing": {}},
    "powers": {
        "roar": {"name": "Great Roar", "uses": 2, "text": "Ears ring."},
        "snarl": {"uses": 1, "inflicts": "dazed"},
    },
}


class Power(Struct, frozen=True):
    name: Annotated[str, arguments.name_arg("the power's name")]
    plus: Annotated[tuple[powers.ExtraDamage, ...], powers.PLUS] = ()
    inflicts: Annotated[powers.Inflicts, powers.inflicts_arg(("ongoing",))] = ()
    uses: Annotated[int, powers.USES] = 0
    recharge: Annotated[int, powers.RECHARGE] = 0
    text: Annotated[str, powers.TEXT] = ""


ROWS = (sheets.hp_field(), powers.power_fields("power", Power, "[power NAME ...]", "powers"))


def _create(ctx, words, kind):
    sheet = sheets.parse_sheet(ctx, words, ROWS)
    return sheet.stats, {"hp": Track(9, 9)}


def _of(who: Combatant) -> list[Power]:
    return sheet.stat_rows(who, "powers", Power)


def _lay(ctx, who, spec):
    conditions.apply_condition(LASTING, ctx, who, spec)


def _use(ctx, words):
    """`use NAME`: the first power of whoever acts, on somebody."""
    who, target = ctx.actor(), words.combatant()
    power = _of(who)[0]
    powers.require_usable(
        who, power.name, powers.why_expended(who, power.name, power.uses, "fight")
    )
    powers.count_use(ctx, who, power.name, power.text, "fight")
    powers.apply_inflicted(ctx, who.id, target.id, power.inflicts, powers.apply_each(_lay))


def _back(ctx, words):
    """`back NAME`: a die for the first power of somebody."""
    who = words.combatant()
    power = _of(who)[0]
    powers.roll_recharge(ctx, who.id, power.name, "expended", power.recharge)
    why = powers.why_not_recharged(ctx.state[who.id], power.name, "expended", power.recharge)
    ctx.text = why or "ready"


def _spend(ctx, words):
    who = words.combatant()
    ctx.emit(UseCounted(who.id, _of(who)[0].name, "expended"))


def _die(ctx, words):
    ctx.emit(LifeChanged(words.combatant().id, "dead"))


COMMANDS = {"use": _use, "back": _back, "spend": _spend, "die": _die}


@pytest.fixture
def play() -> Play:
    fight = Play()
    tables = read_tables(TABLES)
    fight.ruleset = ruled(
        BARE,
        tables=tables,
        create=_create,
        commands={
            name: Command(name, f"{name} NAME", "", run, True) for name, run in COMMANDS.items()
        },
        row_effects=lambda tables: [*tables.effects],
    )
    return fight


def _armed(play: Play, power: str, *others: str) -> Power:
    play(f"add monster Ogre power {power}", "add monster Rat", "init ogre 9", "init rat 1", "start")
    return _of(play.state["ogre"])[0]


# -- what a hit brings -----------------------------------------------------------------------------


def test_damage_on_top_is_said_as_often_as_there_is_some(play: Play) -> None:
    power = _armed(play, "Bite plus 1d8 fire plus 2")
    assert [part.in_words(IN_WRITING) for part in power.plus] == ["1d8 fire", "2"]


@pytest.mark.parametrize(
    "said",
    [
        "dazed",
        "dazed target-end",
        "dazed user-start",
        "dazed for 2 turns",
        "dazed until rest",
        "ongoing 5 fire",
        "ongoing 1d6 target-start",
        '"webbed"',
    ],
)
def test_what_is_inflicted_is_told_as_it_was_said(play: Play, said: str) -> None:
    (one,) = _armed(play, f"Bite inflicts {said}").inflicts
    assert str(one) == said


def test_a_condition_without_an_end_is_a_word_in_the_log(play: Play) -> None:
    assert _armed(play, "Bite inflicts dazed,prone").inflicts == ("dazed", "prone")


def test_all_of_it_is_laid_until_it_ends_and_from_whom(play: Play) -> None:
    _armed(play, "Bite inflicts dazed,slowed user-end inflicts ongoing 5 cold")
    play("use rat")
    dazed, slowed, ongoing = play.state["rat"].effects
    assert dazed.until == slowed.until == Duration("turn", "ogre", "end", 2)
    assert (ongoing.amount, ongoing.type, ongoing.until) == (5, "cold", Duration())
    assert {effect.source for effect in play.state["rat"].effects} == {"ogre"}


def test_what_ends_as_its_row_says_is_laid_once(play: Play) -> None:
    _armed(play, "Trip inflicts prone,dazed")
    play("use rat", "use rat")
    assert [effect.name for effect in play.state["rat"].effects] == ["prone", "dazed", "dazed"]


def test_nothing_is_inflicted_on_the_dead(play: Play) -> None:
    _armed(play, "Bite inflicts dazed")
    play("die rat", "use rat")
    assert play.state["rat"].effects == ()


# -- powers of the tables --------------------------------------------------------------------------


def test_a_power_of_the_tables_is_named_by_its_id_with_more_said_behind_it(play: Play) -> None:
    assert _armed(play, "roar recharge 5") == Power(
        "Great Roar", uses=2, recharge=5, text="Ears ring."
    )


def test_several_powers_of_the_tables_are_said_at_once(play: Play) -> None:
    _armed(play, "roar,snarl")
    assert [p.name for p in _of(play.state["ogre"])] == ["Great Roar", "Snarl"]
    assert _of(play.state["ogre"])[1].inflicts == ("dazed",)


class Hit(Struct, frozen=True):
    """What a power is as an attack."""

    name: str
    bonus: int
    plus: tuple[powers.ExtraDamage, ...] = ()


def test_the_attack_of_a_power_has_what_both_have_and_no_bonus_where_none_is_said() -> None:
    class Blast(Struct):
        name: str
        bonus: int | None
        plus: tuple[powers.ExtraDamage, ...]
        text: str

    blast = Blast("Blast", None, (powers.ExtraDamage("1d6", "fire"),), "Boom.")
    assert powers.power_attack(blast, Hit) == Hit("Blast", 0, blast.plus)


def test_a_power_among_all_that_can_be_done_has_its_kind_before_its_name() -> None:
    shown = powers.available_power(
        "power", Power("Roar", text="Ears ring."), {"ap": 2}, "", "uses 2", "×2"
    )
    assert (shown.technique, shown.text, shown.available) == (
        "power Roar",
        "uses 2. Ears ring.",
        True,
    )


# -- how often -------------------------------------------------------------------------------------


def test_a_power_is_used_up_by_its_uses(play: Play) -> None:
    _armed(play, "Howl uses 2")
    play("use rat", "use rat")
    assert play.refused("use rat") == "Ogre can't use Howl: used 2 of 2 in this fight"


def test_the_text_of_a_power_is_told(play: Play) -> None:
    _armed(play, 'Howl text "Ears ring."')
    assert play.told("use rat") == "Ogre uses Howl"
    events = str(play.history.entries[play.history.last].events)
    assert "NoteAdded(text='Ears ring.', who='ogre', aside=True)" in events


@pytest.mark.parametrize(("least", "shown"), [(5, "5 or more"), (6, "6")])
def test_what_is_expended_says_by_which_die_it_comes_back(
    play: Play, least: int, shown: str
) -> None:
    _armed(play, f"Howl recharge {least}")
    play("spend ogre")
    said = powers.why_not_recharged(play.state["ogre"], "Howl", "expended", least)
    assert said == f"expended until a d6 shows {shown}"


@pytest.mark.parametrize(
    ("fell", "left"), [(4, "expended until a d6 shows 5 or more"), (5, "ready"), (6, "ready")]
)
def test_what_is_expended_comes_back_by_its_die(play: Play, fell: int, left: str) -> None:
    play.dice = FallenDice((fell,))
    _armed(play, "Howl recharge 5")
    assert play.told("back ogre") == "ready", "no die is rolled for what is not expended"
    play("spend ogre")
    assert play.told("back ogre") == left
    events = str(play.history.entries[play.history.last].events)
    assert ("NoteAdded(text='Howl is back', who='ogre'" in events) is (left == "ready")
