"""What is laid on somebody, by hand or by attacks and powers, with the saves that these ask for.

Whoever is no character saves at once. A character owes the save until `withstand` says how it came
out; what nobody said by the end of a turn is rolled. Seed 002: Ongoing Damage, Damage Resistance,
Vulnerability and Immunity, Saving Throws; rules file, 6.3, 6.4, 7 and 12.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Noted
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import names, read_dice, read_type, refuse_dead
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Pending, declare
from affray.rulekit import cushion, harm, life, modifiers, placing, powers, rolls
from affray.rulekit.placing import Affliction, Lasting, Placing, begin
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, damage, dying, world
from affray.rulesets.level_up.checks import FAILURE, Sheltered, Terms, Try
from affray.rulesets.level_up.dying import THREATENED
from affray.rulesets.level_up.sheet import AGAINST, Save, conditions_of, has, known_to, save_of

ONGOING = "ongoing"
LASTING = Lasting()
"""How long what is laid lasts: as all games say it, and else until it is removed (12.3)."""
_PLACED = placing.placing_said(
    LASTING,
    "for N turns] [until start|end of NAME | round N | rest | fight | used | removed] [from NAME",
)


# -- laying ----------------------------------------------------------------------------------------


def can_have(who: Combatant, condition: str) -> bool:
    """Whether a condition can be on somebody: not on who is immune to it (6.4)."""
    return not has(who, "immunity", condition)


def _takes(ctx: Context, who: str, condition: str) -> bool:
    """Whether a condition can be laid on somebody; the log is told of who is immune (R36)."""
    bearer = ctx.state[who]
    takes_it = can_have(bearer, condition)
    if not takes_it:
        ctx.emit(Noted(f"{bearer.name} is immune to {condition}"))
    return takes_it


def lay(
    ctx: Context, who: str, name: str, until: Duration | None, source: str, because: str = ""
) -> None:
    """Lay one more instance of a condition on who is not immune, with an end of its own; without
    one, with that of its row, else until it is removed. Rules file, 12.3."""
    if _takes(ctx, who, name):
        begin(ctx, who, name, until, Placing(source=source), because=because)


def take_ongoing_damage(ctx: Context, who: str) -> None:
    """At the end of a turn: each instance of ongoing damage, rolled anew (rules file, 7)."""
    for effect in ctx.state[who].all_named(ONGOING):
        now = ctx.state[who]
        if "hp" in now.tracks and not now.is_out:
            since = len(ctx.events)
            amount = placing.amount_of(ctx, who, effect) + world.echo(ctx, effect.type, since)
            damage.deal(ctx, who, damage.Blow([(amount, effect.type)], label=" ongoing"))


def lay_it(ctx: Context, who: str, one: Affliction, how: Placing, note: str = "") -> object:
    """Lay a condition, or so much of something, on who is not immune; gives whether it is there."""
    return _takes(ctx, who, one.name) and placing.lay(LASTING, ctx, who, one, how, note)


lay_all = powers.one_by_one(lay_it)


# -- inflict ---------------------------------------------------------------------------------------


def _read_what(reading: Reading) -> list[Affliction]:
    words, tables = reading.words, reading.ctx.tables
    word = words.take(ONGOING, *AGAINST)
    if word == ONGOING:
        what = "how much damage at the end of each turn"
        amount = words.number(what, 1) if words.has_number() else 0
        dice = "" if amount else read_dice(words, what)
        kind = read_type(words, lambda: tables.damage_types, reading.stops)
        return [Affliction(ONGOING, amount, kind, dice)]
    if word:
        return [Affliction(word, type=words.choice(f"{word} to what", known_to(tables, word)))]
    names = placing.read_conditions(words, conditions_of(tables), beside=(ONGOING, *AGAINST))
    return [Affliction(name) for name in names]


_LAID = "CONDITION[,CONDITION] | ongoing AMOUNT [TYPE] | resistance|vulnerability|immunity TYPE|all"


class Inflict(placing.Inflict, frozen=True):
    what: Annotated[placing.What, placing.what_said(_read_what, _LAID)]
    ends: Annotated[str, arguments.quoted("what ends it", '"WHAT ENDS IT"')] = ""
    placing: Annotated[Placing, _PLACED] = Placing()


def _inflict(ctx: Context, said: Inflict) -> None:
    how = replace(said.placing, source=said.placing.source or ctx.by)
    note = said.ends
    if said.ends and how.until is None:  # in words alone: "until smothered"
        how = replace(how, until=Duration(says=said.ends.removeprefix("until ")))
        note = ""
    lay_one = partial(lay_it, ctx, how=how, note=note)
    placing.inflict(LASTING, ctx, replace(said, placing=how), lay_one)


class Modifier(modifiers.Modifier, frozen=True):
    placing: Annotated[Placing, _PLACED] = Placing()


# -- temporary HP ----------------------------------------------------------------------------------


class Temporary(cushion.Temporary, frozen=True):
    """What `temp` says: of two amounts the higher stays, unless it says which (rules file, R28);
    they have an end of their own where what gives them has a duration."""

    placing: Annotated[Placing, _PLACED] = Placing()


def _give_temporary(ctx: Context, who: str, said: Temporary) -> None:
    refuse_dead([ctx.state[who]])
    cushion.give(LASTING, ctx, who, said)


# -- saves that attacks and powers ask for ---------------------------------------------------------


def ask_save(
    ctx: Context,
    by: str,
    target: str,
    of: str,
    save: Save,
    fell: int,
    terms: Terms,
    die: Die | None = None,
) -> None:
    """Let a target save against what somebody does, `of` that name, as the die is known.

    `fell` is the damage that the save is about, `terms` what is said of it. The dead make none.
    """
    who = ctx.state[target]
    if who.life == "dead":
        return
    if die is None and who.kind == "pc":
        begin(ctx, target, THREATENED, placing=Placing(source=by), note=of, amount=fell)
    else:
        _save(ctx, by, target, save, fell, die or rolls.unsaid(ctx), terms)


def _save(ctx: Context, by: str, target: str, save: Save, fell: int, die: Die, terms: Terms) -> str:
    """Make a save; gives how it came out.

    Failed, it brings all the damage and what it inflicts; made, half the damage, where it says so.
    """
    trial = Try(target, save.ability, die, save=True, dc=save.dc, against=by, terms=terms)
    came = checks.attempt(ctx, trial).outcome
    if fell and (came == FAILURE or save.half):
        damage.deal(ctx, target, damage.Blow([(fell, save.type)], half=came != FAILURE))
    if came == FAILURE:
        powers.afflict(ctx, by, target, save.inflicts, lay_all)
    return came


def _against(state: Encounter, owed: Effect) -> Save | None:
    """The save that is owed; None where whoever it is against, or what, is gone."""
    source = state.find(owed.source)
    return save_of(source, owed.note) if source is not None else None


def _settle(ctx: Context, who: str, owed: Effect, die: Die, terms: Sheltered) -> str:
    """Make a save that is owed. Of whoever is gone there is nothing more to save against."""
    save = _against(ctx.state, owed)
    end(ctx, who, owed.id, "the save is made" if save else "nothing to save against")
    return _save(ctx, owed.source, who, save, owed.amount, die, terms) if save else ""


def roll_owed(ctx: Context) -> None:
    """Saves that nobody made by the end of a turn are rolled, those against massive damage last."""
    for who in ctx.state.combatants:
        for owed in who.all_named(THREATENED):
            if ctx.state[who.id].life != "dead":  # as one of them may have it
                _settle(ctx, who.id, owed, Die(), Sheltered())
    dying.roll_massive_saves(ctx)


def pending(state: Encounter) -> Iterator[Pending]:
    """The saves that wait for the players' dice."""
    for who in (one for one in state.combatants if one.life != "dead"):
        for owed in who.all_named(THREATENED)[:1]:
            save = _against(state, owed)
            called = f"{save.ability} save, DC {save.dc}" if save else "save"
            says = f"makes a {called}, against {owed.note}"
            yield life.owed(who, "withstand", says, f"save against {owed.note}", dying.ANSWERS)


class Withstand(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who saves", asks="targets")]
    dice: Annotated[list[Die], rolls.die_said(checks.OUTCOMES, of="people", asks="outcome:each")]
    terms: Annotated[Sheltered, arguments.words_of(Sheltered)]


def _withstand(ctx: Context, said: Withstand) -> None:
    free = [who for who in said.people if who.named(THREATENED) is None]
    if free:
        raise Refused(f"{names(free)} {'owes' if len(free) == 1 else 'owe'} no save")
    told = []
    for who, die in zip(said.people, said.dice, strict=True):
        owed = who.all_named(THREATENED)[0]
        came = _settle(ctx, who.id, owed, die, said.terms)
        told.append(f"{who.name}'s save against {owed.note}{f', {came}' if came else ''}")
    ctx.text = listed(told, "and")


VERBS = (
    declare("inflict", "lays conditions and the like on somebody", Inflict, _inflict, True),
    declare(
        "modifier",
        "gives a bonus or penalty, advantage or disadvantage",
        Modifier,
        partial(modifiers.modify, LASTING),
    ),
    harm.temp_verb(
        "gives temporary HP; of two the higher stays, or as said", Temporary, _give_temporary
    ),
    declare("withstand", "makes the save that an attack or a power asks", Withstand, _withstand),
)
