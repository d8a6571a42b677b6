"""Conditions, and what is laid like one: by hand, by damage, by what somebody does.

Seed 001: Fear to Petrification, Immune, Buff, Debuff; rules file, 9, 10 and 17.2.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import called, end, end_named, in_force, rule_of
from affray.core.heart.events import Noted
from affray.core.heart.own_effects import OwnEffect
from affray.core.heart.state import Combatant, Duration, Effect
from affray.core.language.clauses import read_dice
from affray.core.language.declared import Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit import modifiers, placing, powers, recorded
from affray.rulekit.numbers import Force
from affray.rulekit.placing import Affliction, Lasting, Placing, begin
from affray.rulesets.adventure_school import sheet
from affray.rulesets.adventure_school.totals import GRABBED

BURNING, ONGOING, CHARMED, TAUNTED = "burning", "ongoing", "charmed", "taunted"
REGENERATION, FLYING, FALLING, MODIFIER = "regeneration", "flying", "falling", "modifier"
PRONE, IMMOBILIZED = "prone", "immobilized"
IMMUNE = "immune"
AGAINST = ("resist", "weak", IMMUNE, "absorb")
"""What is laid against a type of damage; `immune` against a condition too."""
LASTING = Lasting({"long-rest": Duration("long-rest")})
"""How long what is laid lasts: as all games say it, or until a long rest; else until removed."""
PLACED = placing.placing_said(
    LASTING,
    "for N turns] [until start|end of NAME | round N | rest | long rest | fight | used | removed] "
    "[from NAME",
)


# -- laying ----------------------------------------------------------------------------------------


def kinds_of(who: Combatant, stat: str) -> tuple[str, ...]:
    """What somebody absorbs, resists, is immune or weak to: by the sheet, and for a time."""
    return (*recorded.words_of(who, stat), *(effect.type for effect in who.all_named(stat)))


def can_have(who: Combatant, name: str) -> bool:
    """Whether somebody can have an effect: not if immune to it."""
    return name not in kinds_of(who, IMMUNE)


def why_not(ctx: Context, who: Combatant, name: str) -> str:
    """Why somebody can't get a condition: immune, or something keeps it off; empty for who can."""
    if not can_have(who, name):
        return f"{who.name} is immune to {name}"
    by = kept_off_by(ctx.tables, in_force(ctx.tables, ctx.state, who), name)
    return f"{who.name} can't be {name}: {called(ctx.tables, by)}" if by else ""


def kept_off_by(tables: Tables, force: Force, name: str) -> str:
    """What of all that is in force on somebody keeps an effect off them (`keeps_off`)."""
    return next((has for has in force if name in rule_of(tables, has).keeps_off), "")


def put_out(ctx: Context, who: str) -> None:
    """End what others that are in force keep off, as when one of these has just begun."""
    for effect in ctx.state[who].effects:
        by = kept_off_by(ctx.tables, in_force(ctx.tables, ctx.state, ctx.state[who]), effect.name)
        if by:
            end(ctx, who, effect.id, called(ctx.tables, by))


def lay(
    ctx: Context, who: str, name: str, until: Duration | None = None, source: str = "", **more: Any
) -> Effect | None:
    """Lay one more instance of a condition, with an end of its own; without one, with that of its
    row, else until it is removed. What it keeps off ends, and a condition to which it makes immune.
    `more` are other fields of an effect. None for who can't have it (9, 10)."""
    reason = why_not(ctx, ctx.state[who], name)
    if reason:
        ctx.emit(Noted(reason))
        return None
    if name == FLYING:
        end_named(ctx, who, FLYING, "at another height")
    if name == TAUNTED and more.get("amount"):  # of several the worst counts, as of one ability
        more |= {"modifiers": {"attack": -more["amount"]}, "type": TAUNTED}
    laid = begin(ctx, who, name, until, Placing(source=source), **more)
    put_out(ctx, who)
    if name == IMMUNE:
        for effect in ctx.state[who].all_named(laid.type):
            if effect.because != ctx.state[who].life:  # what 0 HP do to anybody stays
                end(ctx, who, effect.id, f"{IMMUNE} to it")
    return laid


def fall_prone(ctx: Context, who: str) -> None:
    """Be prone until it stands; whoever lies there so already is no more prone."""
    lies = (e.until.ends for e in ctx.state[who].all_named(PRONE) if not (e.hangs or e.because))
    if "removed" not in lies:
        lay(ctx, who, PRONE)


def end_charms(ctx: Context, who: str, by: str) -> None:
    """End what charms somebody, now that the charmer has attacked it or done it harm (9)."""
    for effect in ctx.state[who].all_named(CHARMED) if by and by != who else ():
        if effect.source == by:
            end(ctx, who, effect.id, f"{ctx.state.name(by)} does it harm")


def mind_the_charmer(ctx: Context, who: str, target: str) -> None:
    """Answer a hostile act against one's charmer with a reminder, and let it be done when it is
    given again (Charm)."""
    charms = ctx.state[who].all_named(CHARMED)
    if any(effect.source == target for effect in charms):
        name, other = ctx.state.name(who), ctx.state.name(target)
        ctx.remind(
            f"{name} is charmed by {other}, and avoids hostile acts: given again, it is done"
        )


def lay_one(ctx: Context, who: str, one: Affliction, how: Placing) -> Effect | None:
    """Lay a condition, or so much of something, until its end as that is said."""
    until = placing.until_for(LASTING, ctx, who, how, one.name)
    kind = "fire" if one.name == BURNING else one.type
    much = {"amount": one.amount, "type": kind, "dice": one.dice}
    return lay(ctx, who, one.name, until, how.source, **much)


lay_all = powers.one_by_one(lay_one)


# -- inflict ---------------------------------------------------------------------------------------


_HOW_MUCH = {
    BURNING: "how much fire damage at the end of each turn",
    ONGOING: "how much damage at the start of each turn",
    REGENERATION: "how many HP at the start of each turn",
    FLYING: "how many feet up",
    FALLING: "how many feet down",
}
"""What is inflicted as so much of something, and how it is asked for."""
_NEED_MORE = (*_HOW_MUCH, *AGAINST)


def conditions_of(tables: Tables) -> list[str]:
    """What can be inflicted by its name alone."""
    return [name for name in sheet.conditions_of(tables) if name not in _NEED_MORE]


def _read_what(reading: Reading) -> list[Affliction]:
    words, tables = reading.words, reading.ctx.tables
    word = words.take(*_NEED_MORE)
    if word in AGAINST:
        more = sheet.conditions_of(tables) if word == IMMUNE else ()
        kind = words.choice(f"{word} to what", (*tables.damage_types, *more))
        return [Affliction(word, type=kind)]
    if word in (BURNING, ONGOING):
        return [_read_harm(reading, word)]
    if word:
        return [Affliction(word, words.number(_HOW_MUCH[word], 1, 99_999))]
    found = placing.read_conditions(words, conditions_of(tables), beside=_NEED_MORE)
    if found == [TAUNTED] and words.has_number():
        return [Affliction(TAUNTED, words.number("the penalty", 1, 99))]
    return [Affliction(name) for name in found]


def _read_harm(reading: Reading, name: str) -> Affliction:
    """So much damage, or dice that fall anew each time: `burning 4`, `ongoing 1d6 acid`."""
    words, what = reading.words, _HOW_MUCH[name]
    amount = words.number(what, 1) if words.has_number() else 0
    dice = "" if amount else read_dice(words, what)
    types = reading.ctx.tables.damage_types
    kind = "fire" if name == BURNING else words.choice("a type of damage", types)
    return Affliction(name, amount, kind, dice)


_WHAT = placing.what_said(
    _read_what,
    "CONDITION[,CONDITION] | burning AMOUNT | ongoing AMOUNT TYPE | regeneration N | "
    f"taunted [N] | flying FEET | {'|'.join(AGAINST)} TYPE",
)


class Inflict(placing.Inflict, frozen=True):
    """What `inflict` says."""

    what: Annotated[placing.What, _WHAT]
    placing: Annotated[Placing, PLACED] = Placing()


def _inflict(ctx: Context, said: Inflict) -> None:
    how = replace(said.placing, source=said.placing.source or ctx.by)
    laid = [] if isinstance(said.what, OwnEffect) else [one.name for one in said.what]
    if GRABBED in laid and how.source in ("", *(who.id for who in said.people)):
        raise Refused(f"a grab is somebody else's: say `inflict NAME {GRABBED} from NAME`")
    placing.inflict(LASTING, ctx, said, lambda who, one: lay_one(ctx, who, one, how))


ROLLS = ("attack", "attacked", "check", "save", "reflex", "initiative")
"""What can have advantage or disadvantage; `attacked` are rolls to hit its bearer."""
WHAT = (*ROLLS, "damage", "ac", "speed", "threat", "max-hp")
"""What a modifier can be to."""


class Modifier(modifiers.Modifier, frozen=True):
    """What `modifier` says. Those of one ability don't add up, whoever they are from (17.2)."""

    placing: Annotated[Placing, PLACED] = Placing()


_modify = partial(modifiers.modify, LASTING, is_typed=True)
VERBS = (
    declare("inflict", "lays conditions and the like on somebody", Inflict, _inflict, True),
    declare("modifier", "gives a bonus or penalty, advantage or disadvantage", Modifier, _modify),
)
