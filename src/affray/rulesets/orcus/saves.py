"""Saving throws: at the end of each turn, against every effect that a save ends.

Seed 003: Saving Throws, Duration, The End of Your Turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.effects import end
from affray.core.events import Used
from affray.core.narrate import called
from affray.core.refusal import Refused, listed
from affray.core.ruleset import Choice, Pending, Verb
from affray.core.state import OUT_OF_THE_FIGHT, Combatant, Effect, Encounter
from affray.core.words import Words
from affray.rulesets.orcus import checks, conditions
from affray.rulesets.orcus.modifiers import Part

if TYPE_CHECKING:
    from affray.core.decide import Context

TREATED = "treated"
"""A treatment that waits for a save at the end of a turn."""
_ANSWERS = (("s", "success"), ("f", "failure"), ("r", "roll"))


def to_save(who: Combatant) -> list[Effect]:
    """The effects that are still to be saved against in this turn.

    Of those that came at once and share a save there is one.
    """
    return [effect for effect in ended_by_saves(who) if not who.used(_use(effect))]


def ended_by_saves(who: Combatant) -> list[Effect]:
    """The effects that a save of their bearer's ends, whether one was made this turn or not."""
    return [e for e in who.effects if e.until.ends == "save" and _shared_with(who, e) is e]


def _shared_with(who: Combatant, effect: Effect) -> Effect:
    """The effect whose save ends this one as well; mostly itself."""
    bearer, _, effect_id = effect.hangs.partition("/")
    first = who.effect(effect_id) if bearer == who.id else None
    return first if first is not None and first.until.ends == "save" else effect


def _use(effect: Effect) -> str:
    return f"save {effect.id}"


def _against(who: Combatant, effect: Effect) -> str:
    """What the save is against: "dazed and immobile" when they share it."""
    row = [e for e in who.effects if e.until.ends == "save" and _shared_with(who, e) is effect]
    return listed((called(e) for e in row), "and")


def roll_missing(ctx: Context, who: str) -> None:
    """At the turn's end: every save that nobody made is rolled."""
    if ctx.state[who].life in OUT_OF_THE_FIGHT:
        return
    for effect in to_save(ctx.state[who]):
        make(ctx, who, effect, checks.Die())


def make(ctx: Context, who: str, effect: Effect, die: checks.Die, plus: int = 0) -> bool:
    """Make a save against an effect; a success ends it with all that hangs on it.

    The save of one's own turn is counted, so that it is made once; others are made beside it.
    """
    against = _against(ctx.state[who], effect)
    parts = checks.save_parts(ctx.tables, ctx.state, ctx.state[who])
    if plus:
        parts = (*parts, Part(plus, "said"))
    eased = _eased(ctx.state, ctx.state[who])
    if eased is not None:
        parts = (*parts, Part(eased.amount, eased.note))
        end(ctx, who, eased.id, "used")
    dc = ctx.tables.economy["save"]
    check = checks.Check(who, f"save against {against}", parts, dc, die)
    saved = checks.make(ctx, check) != "miss"
    checks.use_up(ctx, who, ("save",))
    if saved:
        conditions.end_with_all(ctx, who, effect.id, "saved against")
    elif ctx.state.turn == who:
        ctx.emit(Used(who, _use(effect)))
    return saved


def _eased(state: Encounter, who: Combatant) -> Effect | None:
    """The treatment that helps a save now: one at the end of the turn that ends it, in that turn.

    Seed 003: Treat Ally (Additional Saving Throw).
    """
    slot = state.slot(who.id)
    if slot is None or state.turn != who.id:
        return None
    row = (e for e in who.effects if e.name == TREATED)
    return next((e for e in row if e.until.count <= slot.turns), None)


def pending(state: Encounter) -> list[Pending]:
    """The saves that wait for the GM before this turn ends: those of player characters."""
    up = state.up
    if up is None or up.kind != "pc" or up.life in OUT_OF_THE_FIGHT:
        return []
    return [_pending(up, effect) for effect in to_save(up)]


def _pending(up: Combatant, effect: Effect) -> Pending:
    return Pending(
        up.id,
        f"{up.name} saves against {_against(up, effect)}",
        tuple(Choice(key, word, f"save {up.id} {effect.id} {word}") for key, word in _ANSWERS),
        holds=True,
        die=f"save {up.id} {effect.id}",
    )


def _save(ctx: Context, words: Words) -> None:
    who = words.combatant("who saves")
    effect = _read_effect(words, who)
    if ctx.state.turn == who.id and who.used(_use(effect)):
        against = _against(who, effect)
        raise Refused(f"{who.name} has made this turn's save against {against} already")
    die = checks.read_die(words, "success, failure, natural N or roll")
    plus = words.number("the bonus", -99, 99) if words.take("plus") else 0
    against = _against(who, effect)
    if make(ctx, who.id, effect, die, plus):
        ctx.text = f"{who.name} saves against {against}: it ends"
    else:
        ctx.text = f"{who.name} saves against {against} in vain"


def _read_effect(words: Words, who: Combatant) -> Effect:
    """Read what is saved against, which may be left out when there is only one."""
    row = ended_by_saves(who)
    if not row:
        raise Refused(f"{who.name} has nothing that a save ends")
    names = dict.fromkeys([*(e.id for e in row), *(e.name for e in who.effects if _ends(e))])
    if words.done or checks.is_die(words):
        words.offered.extend(names)
        if len(row) == 1:
            return row[0]
        raise words.refuse(f"expected what {who.name} saves against: {listed(names)}", names)
    word = words.choice(f"what {who.name} saves against", names)
    exact = who.effect(word)
    if exact is not None and _ends(exact):
        return _shared_with(who, exact)
    return _one_named(words, who, word)


def _ends(effect: Effect) -> bool:
    return effect.until.ends == "save"


def _one_named(words: Words, who: Combatant, name: str) -> Effect:
    row = {_shared_with(who, e).id: e for e in who.effects if e.name == name and _ends(e)}
    if len(row) > 1:
        words.back()
        raise words.refuse(f"{who.name} is {name} more than once: {listed(row)}", row)
    return _shared_with(who, next(iter(row.values())))


SAVE_VERBS: tuple[Verb, ...] = (
    Verb(
        "save",
        "save NAME [EFFECT] success|failure|natural N|roll [plus N]",
        "makes a saving throw against an effect",
        _save,
    ),
)
