"""Hiding, being found, and ambushes. Seed 001: Hide, Seek, Ambush, Concealment; rules file, 8.

What is counted for a fight: that somebody was not hidden once in it, and that they had a turn.
"""

from __future__ import annotations

from typing import Annotated

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, in_force
from affray.core.heart.events import Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.clauses import names
from affray.core.language.refusal import Refused
from affray.core.language.who import standing
from affray.rulekit.acts import Pay
from affray.rulekit.doing import Declared
from affray.rulekit.placing import renew
from affray.rulesets.adventure_school import conditions
from affray.rulesets.adventure_school.checks import HIDDEN, Trial
from affray.rulesets.adventure_school.contests import Contested, contest

ROGUERY, SEEKING = "roguery", "seeking"
CONCEALED, PARTLY, AMBUSHED = "concealed", "partially-concealed", "ambushed"
UNHIDDEN, TURN, FIGHT = "unhidden", "a turn", "fight"


def enemies(ctx: Context, who: Combatant) -> list[Combatant]:
    """Those of another side who are up."""
    return [other for other in standing(ctx.state) if other.side not in (who.side, "world")]


def is_hidden(ctx: Context, who: Combatant) -> bool:
    """Whether somebody is hidden."""
    return HIDDEN in in_force(ctx.tables, ctx.state, who)


# -- hide and seek ---------------------------------------------------------------------------------


class Hide(Contested, frozen=True, kw_only=True):
    """`hide [SKILL] OUTCOME [THEIRS] [partial]`."""

    partial: Annotated[bool, arguments.flag(heard="partial")] = False


def hide(ctx: Context, said: Hide, who: Combatant, pay: Pay) -> None:
    """Roguery against the seeking of every enemy, of which the highest must be beaten (8.1)."""
    pay()
    force = in_force(ctx.tables, ctx.state, who)
    partly = said.partial or (PARTLY in force and CONCEALED not in force)
    con = ("partially concealed",) if partly else ()
    mine = Trial(who.id, said.skill or ROGUERY, said.die, terms=said.words, con=con)
    rivals = [Trial(other.id, SEEKING) for other in enemies(ctx, who)]
    won = contest(ctx, mine, rivals, said.words.theirs, all_of=True).won
    if won and not is_hidden(ctx, ctx.state[who.id]):
        conditions.lay(ctx, who.id, HIDDEN)
    ctx.text = f"{who.name} {'hides' if won else 'tries in vain to hide'}"


_SOUGHT = arguments.person("who is sought", asks="person:hidden")


class Seek(Contested, frozen=True):
    """`seek [NAME] [SKILL] OUTCOME [THEIRS]`."""

    target: Annotated[Combatant | None, _SOUGHT] = None


def seek(ctx: Context, said: Seek, who: Combatant, pay: Pay) -> None:
    """Seeking against the roguery of each hidden enemy, or of the one named (8.5)."""
    target = said.target
    if target is not None and not is_hidden(ctx, target):
        raise Refused(f"{target.name} isn't hidden")
    pay()
    hidden = [target] if target else [e for e in enemies(ctx, who) if is_hidden(ctx, e)]
    mine = Trial(who.id, said.skill or SEEKING, said.die, terms=said.words)
    rivals = [Trial(other.id, ROGUERY, against=who.id) for other in hidden]
    found = contest(ctx, mine, rivals, said.words.theirs).beaten
    for other in found:
        reveal(ctx, other, f"found by {who.name}")
    told = f"finds {names(ctx.state[other] for other in found)}" if found else "finds nobody"
    ctx.text = f"{who.name} seeks and {told}"


# -- what ends it ----------------------------------------------------------------------------------


def reveal(ctx: Context, who: str, why: str) -> None:
    """End that somebody is hidden, if it is."""
    end_named(ctx, who, HIDDEN, why)


# -- ambush ----------------------------------------------------------------------------------------


def acts_against(ctx: Context, who: str, target: str, from_hiding: bool = False) -> None:
    """Somebody acts against another, who is ambushed by it if nobody knew of this one (8.4).

    That lasts until the ambusher's turn ends or the other's first one starts (R11). `from_hiding`
    tells that the act began so, whoever has come out of hiding by the first part of it (8.3).
    """
    actor, enemy = ctx.state[who], ctx.state[target]
    if not ((from_hiding or is_hidden(ctx, actor)) and _is_ambush(ctx, actor, enemy)):
        return
    ends = (timing.this_turn(ctx.state, who), timing.at_turn(ctx.state, target, "start"))
    until = min(ends, key=timing.placing(ctx.state))
    renew(ctx, target, AMBUSHED, until, by_source=True, source=who)


def _is_ambush(ctx: Context, who: Combatant, enemy: Combatant) -> bool:
    on_guard = enemy.used(TURN, FIGHT) or enemy.side == who.side
    return ctx.state.phase == "combat" and not (who.used(UNHIDDEN, FIGHT) or on_guard)


def turn_started(ctx: Context, who: str) -> None:
    """From the first turn on nobody is ambushed."""
    if not ctx.state[who].used(TURN, FIGHT):
        ctx.emit(Used(who, TURN, FIGHT))


def settled(ctx: Context, who: str) -> None:
    """Whoever hides in the middle of a fight was seen in it."""
    now, before = ctx.state[who], ctx.before.find(who)
    if ctx.before.phase != "combat" or now.named(HIDDEN) is None or now.used(UNHIDDEN, FIGHT):
        return
    if before is None or before.named(HIDDEN) is None:
        ctx.emit(Used(who, UNHIDDEN, FIGHT))


ACTS = {"hide": Declared(Hide, hide), "seek": Declared(Seek, seek)}
