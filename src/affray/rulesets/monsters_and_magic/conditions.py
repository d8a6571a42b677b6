"""Conditions, statuses, and bonuses with an end: how they are laid, laid again, and got free of.

Seed 004: Conditions & Statuses; Ongoing, Forward, and Hold.
"""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import own_effects, timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, forbidden, in_force, rule_of
from affray.core.heart.events import Altered, Noted, Used
from affray.core.heart.own_effects import is_own, keys_of
from affray.core.heart.state import Combatant, Duration, Effect
from affray.core.language.clauses import names, read_amount, read_type, they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rolls
from affray.rulekit.placing import (
    Lasting,
    Placing,
    begin,
    lay_own,
    read_placing,
    read_takers,
    until_for,
)
from affray.rulesets.monsters_and_magic import harm, totals, tracks
from affray.rulesets.monsters_and_magic.sheet import names_of
from affray.rulesets.monsters_and_magic.totals import EVERY, FORWARD


class Again(Struct, frozen=True):
    """What becomes of an effect that is there already: longer, detonated, or a forward.

    A detonation deals `amount` (rolled by the program when None) of `type`, or fatigue.
    """

    how: str
    fatigue: bool = False
    amount: int | None = None
    type: str = ""


def concentrated_on(who: Combatant) -> dict[str, Effect]:
    """What keeps up each spell that somebody concentrates on, by its name in lower case."""
    return {e.note.casefold(): e for e in who.effects if e.name == "concentrating"}


def _concentrating(ctx: Context, words: Words, placing: Placing) -> Placing:
    source = placing.source or ctx.by or ctx.state.turn
    keeper = ctx.state.find(source)
    spells = concentrated_on(keeper) if keeper else {}
    held = spells[words.choice("the spell that is concentrated on", spells)]
    says = f"{ctx.state.name(source)} stops concentrating"
    return replace(placing, source=source, hangs=f"{source}/{held.id}", says=says)


LASTING = Lasting(
    clauses={"concentrating": _concentrating},
    default=lambda ctx, who, _: timing.at_turn(ctx.state, who, "end"),
)
"""Unless it is said, what is laid ends with the end of its bearer's next turn."""
_PLAIN = Placing()


AGAIN = {
    "condition": ("extend", "detonate AMOUNT [TYPE]", "detonate fatigue"),
    "status": ("extend", "forward"),
}
"""What is said of an effect that is laid on somebody who has it already, by its kind."""
_AGAIN_SAID = {
    "condition": "`extend` (1 turn longer), `detonate AMOUNT` or `detonate fatigue`",
    "status": "`extend` (1 turn longer) or `forward` (+1 to the next check)",
}


def lay(
    ctx: Context,
    who: str,
    name: str,
    placing: Placing,
    again: Again | None = None,
    breaks: tuple[str, ...] = (),
) -> str:
    """Lay a condition or status on somebody; on one who has it, do as `again` says.

    A status that would outlast the new one stays as it is. Gives what was done, in a sentence.
    Raises Refused when there is a choice and it was not made, or was made without cause.
    """
    have, bearer = ctx.state[who].named(name), ctx.state.name(who)
    until = until_for(LASTING, ctx, who, placing, name)
    if have is None:
        _refuse_again(ctx, who, name, again)
        begin(ctx, who, name, until, placing, breaks=breaks)
        return f"{bearer} is {name}"
    kind = rule_of(ctx.tables, name).kind
    outlasts = timing.place(ctx.state, have.until) > timing.place(ctx.state, until)
    if kind == "status" and outlasts:
        ctx.emit(Noted(f"{bearer} is {name} for longer already"))
        return f"{bearer} is {name} for longer already"
    known = list(dict.fromkeys(usage.split()[0] for usage in AGAIN[kind]))
    if again is None or again.how not in known:
        raise Refused(f"{bearer} is already {name}: say {_AGAIN_SAID[kind]}", known)
    return _lay_again(ctx, who, have, again)


def _refuse_again(ctx: Context, who: str, name: str, again: Again | None) -> None:
    """Raises Refused for what is to change an effect that somebody has not, or only by another."""
    if again is None:
        return
    bearer = ctx.state[who]
    implied = in_force(ctx.tables, ctx.state, bearer).get(name)
    if implied is None:
        raise Refused(f"{bearer.name} is not {name}, so there is nothing to {again.how}")
    by = f" by {ctx.state.name(implied.source)}" if implied.source else ""
    hint = f"{again.how} {implied.because}, or inflict {name} as well"
    raise Refused(f"{bearer.name} is {name} only as {implied.because}{by}: {hint}")


def _lay_again(ctx: Context, who: str, have: Effect, again: Again) -> str:
    bearer = ctx.state.name(who)
    if again.how == "forward":
        give_forward(ctx, who, {"check": 1}, f"next check, for {have.name}")
        return f"{bearer} is {have.name} already, and gets a bonus"
    if again.how == "detonate":
        _detonate(ctx, who, have, again)
        return f"{bearer}: {have.name} is detonated"
    longer = timing.later(have.until, 1)
    if longer is None:
        words = timing.in_words(ctx.state, have.until)
        raise Refused(f"{have.name} lasts {words}: time can't make it longer")
    ctx.emit(Altered(who, replace(have, until=longer), "extended by 1 turn"))
    return f"{bearer} is {have.name} for longer"


def _detonate(ctx: Context, who: str, effect: Effect, again: Again) -> None:
    end(ctx, who, effect.id, "detonated")
    economy = ctx.tables.economy
    if again.fatigue:
        harm.require_fatigue(ctx.state[who])
        harm.mark_fatigue(ctx, who, economy["detonation_fatigue"], f"{effect.name} detonated")
        return
    amount = again.amount
    if amount is None:
        amount = rolls.throw_dice(ctx, "", economy["detonation"], "detonation")
    harm.deal(ctx, who, harm.Blow(amount, again.type, label=f" from {effect.name}"))


def give_forward(
    ctx: Context, who: str, modifiers: dict[str, int], note: str, placing: Placing = _PLAIN
) -> None:
    """Give a bonus that the next fitting roll uses up, if it does not end before."""
    until = until_for(LASTING, ctx, who, placing, otherwise=Duration("use"))
    begin(ctx, who, FORWARD, until, placing, kind=FORWARD, modifiers=modifiers, note=note)


def read_again(ctx: Context, words: Words) -> Again | None:
    """Read `extend`, `forward`, `detonate [AMOUNT [TYPE] | fatigue]`, if one stands there."""
    how = words.take("extend", "detonate", "forward")
    if how != "detonate":
        return Again(how) if how else None
    if words.take("fatigue"):
        return Again(how, fatigue=True)
    is_amount = words.has_number() or words.peek()[:1].isdigit()
    amount = read_amount(ctx, words) if is_amount else None
    kind = read_type(words, lambda: harm.known_types(ctx), (*LASTING.words, "by"))
    return Again(how, amount=amount, type=kind)


def _lay_on_each(ctx: Context, words: Words, kind: str) -> None:
    targets = read_takers(words)
    if own_effects.stands_next(ctx.tables, words):
        lay_own(LASTING, ctx, words, targets, is_bestowed=kind == "status")
        return
    name = words.choice(f"a {kind}", names_of(ctx.tables, kind), own_effects.instead_of(words))
    again = read_again(ctx, words)
    how = read_placing(LASTING, ctx, words)
    if again is None:
        again = read_again(ctx, words)
        how = read_placing(LASTING, ctx, words, how)
    done = [lay(ctx, target.id, name, how, again) for target in targets]
    begun = len(targets) > 1 and all(target.named(name) is None for target in targets)
    ctx.text = f"{names(targets)} are {name}" if begun else ", ".join(done)


# -- getting free ----------------------------------------------------------------------------------


def _free(ctx: Context, words: Words) -> None:
    people = words.bearers("who gets free", _conditions)
    said = words.for_each(people, lambda _, who: _free_one(ctx, words, ctx.state[who.id]))
    ctx.text = ", ".join(said)


def _conditions(who: Combatant) -> dict[str, Effect]:
    """What somebody could get free of by what it is called: the first, of several of one name."""
    found = (e for e in reversed(who.effects) if e.kind == "condition" or is_own(e))
    return {key: effect for effect in found for key in keys_of(effect)}


def _free_one(ctx: Context, words: Words, who: Combatant) -> str:
    """Let somebody free themselves from one effect, at its price, unless that is prevented; gives
    what came of it."""
    have = _conditions(who)
    if not have:
        raise Refused(f"{who.name} has nothing to be freed from")
    effect = have[words.choice("what from", have)]
    barred = forbidden(ctx.tables, ctx.state, who, "escape")
    if barred:
        raise Refused(f"{who.name} can't get free of {effect.name} by themself: {barred}")
    _refuse_lasting(ctx, who, effect)
    prevented = bool(words.take("prevented", "prevent"))
    cost = rule_of(ctx.tables, effect.name).escape or {}
    if cost and ctx.state.phase == "combat" and not ctx.state.takes_turn(who.id):
        raise Refused(f"{who.name} can get free of {effect.name} only in their own turn")
    holder = _holder(ctx, effect) if prevented else ""
    tracks.pay(ctx, who.id, cost, f"to get free of {effect.name}")
    if ctx.state.takes_turn(who.id):
        ctx.emit(Used(who.id, "free"))  # the turn has begun: it can be neither delayed nor swapped
    if prevented:
        tracks.pay(ctx, holder, cost, "to keep the hold")
        return f"{who.name} strains against being {effect.name}, and is held"
    end(ctx, who.id, effect.id, "got free")
    return f"{who.name} gets free"


def _refuse_lasting(ctx: Context, who: Combatant, effect: Effect) -> None:
    """Raises Refused but for what has a price, or lasts until its bearer is free of it.

    What ends in a way of its own, as prone does when it stands, is left to that way.
    """
    rule = rule_of(ctx.tables, effect.name)
    if rule.escape is not None or (effect.until.ends == "removed" and not rule.until):
        return
    lasts = timing.in_words(ctx.state, effect.until, "name")
    lasts = lasts if lasts.startswith("until") else f"until the {lasts}"
    way = "`move` stands up" if effect.name == "prone" else "`remove` takes it away by hand"
    raise Refused(f"{who.name} is {effect.name} {lasts}, and can't get free of that: {way}")


def _holder(ctx: Context, effect: Effect) -> str:
    """Whoever holds with it. Raises Refused for nobody, and for one who can't hold on."""
    holder = ctx.state.find(effect.source)
    if holder is None:
        raise Refused(f"nobody holds them: {effect.name} has no creature behind it")
    barred = forbidden(ctx.tables, ctx.state, holder, "escape")
    if barred:
        raise Refused(f"{holder.name} can't keep the hold: {barred}")
    return holder.id


# -- bonuses ---------------------------------------------------------------------------------------


ONGOING = "ongoing"


def _forward(ctx: Context, words: Words) -> None:
    people = words.combatants("who gets it")
    amount = words.number("the bonus or penalty", -20, 20)
    note = _read_note(words)
    placing = read_placing(LASTING, ctx, words)
    note = note or words.rest()
    totals.refuse_slip_of_scope(note)
    modifiers = {totals.scope_of(note) or EVERY: amount}
    for who in people:
        give_forward(ctx, who.id, modifiers, note, placing)
    ctx.text = _given(people, amount)


def _given(people: list[Combatant], amount: int) -> str:
    return f"{they(people, 'gets', 'get')} a {'bonus' if amount >= 0 else 'penalty'}"


def _read_note(words: Words) -> str:
    """Read the words up to those on how long it lasts: `next attack until end of mira`."""
    parts = []
    while not words.done:
        timed = words.peek() == "until" or (words.peek() == "for" and words.peek(1).isdecimal())
        if timed and not words.upcoming.quoted:
            break
        parts.append(str(words.next("what it is for")))
    return " ".join(parts)


def _ongoing(ctx: Context, words: Words) -> None:
    people = words.combatants("who gets it")
    amount = words.number("the bonus or penalty", -99, 99)
    scope = totals.read_scope(words)
    placing = read_placing(LASTING, ctx, words)
    note = words.rest()
    # What is for some rolls alone is a modifier to checks that counts with those (`only_with`).
    is_whole = scope in (*totals.NUMBERS.rows, *totals.NO_CHECKS)
    what, only = (scope, ()) if is_whole else (EVERY, (scope,))
    for who in people:
        until = until_for(LASTING, ctx, who.id, placing, otherwise=Duration())
        more = {"modifiers": {what: amount}, "only_with": only, "note": note}
        begin(ctx, who.id, ONGOING, until, placing, kind=ONGOING, **more)
    ctx.text = _given(people, amount)


# -- the commands ----------------------------------------------------------------------------------


_TAIL = (
    "[for N turns] [until start|end of NAME | freed | removed | rest | fight | round N] [from NAME]"
)
VERBS = (
    Verb(
        "forward",
        'forward NAME[,NAME] +N ["next attack"] [for N turns | until ...]',
        "a bonus for the next fitting roll",
        _forward,
    ),
    Verb(
        "ongoing",
        "ongoing NAME[,NAME] +N check|attack|save|initiative|ABILITY|ac|speed|damage "
        "[for N turns | until ...] [NOTE]",
        "a bonus that lasts",
        _ongoing,
    ),
    Verb(
        "inflict",
        "inflict NAME[,NAME] CONDITION [extend | detonate AMOUNT [TYPE] | detonate fatigue] | "
        f"{own_effects.USAGE} {_TAIL}",
        "lays a condition on somebody, or an effect of any name",
        partial(_lay_on_each, kind="condition"),
        True,
    ),
    Verb(
        "bestow",
        f"bestow NAME[,NAME] STATUS [extend | forward] | {own_effects.USAGE} {_TAIL}",
        "lays a status on somebody, or a good effect of any name",
        partial(_lay_on_each, kind="status"),
        True,
    ),
    Verb(
        "free",
        "free NAME[,NAME] CONDITION [prevented]",
        "gets free of a condition, at its cost; `prevented` when the holder pays as much",
        _free,
    ),
)
