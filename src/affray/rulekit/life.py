"""Falling and rising: unconscious because of an id, dying, counts of death rolls, knocking out.

A game has one function for the moment in which somebody falls, whatever took the HP, and one for
when they are back. It calls them behind `harm.lose` and `regain`, and hands them to `set_by_hand`:

    loss = harm.lose(ctx, who, 12, "12 fire")
    if loss.hp and loss.depth <= 0:
        fall(ctx, who)            # begin_dying(ctx, who, "0 HP"); lie_unconscious(ctx, who, DYING)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from affray.core.heart.decide import Context, verb_of
from affray.core.heart.effects import end, gain, rule_of
from affray.core.heart.events import Became, Changed, Used
from affray.core.heart.history import back_from
from affray.core.heart.state import Combatant, Duration, Effect
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Choice, Pending, Verb
from affray.rulekit.harm import has_lost_hp

UNCONSCIOUS = "unconscious"
DOWN = ("dying", "stable", "unconscious")
"""The lives of those who are neither up nor out of the fight."""
FELL = "fell"
"""What is counted when somebody's own turn brings them down: they did not start it dying."""
KNOCK_OUT = "knock-out"


# -- unconscious -----------------------------------------------------------------------------------


def is_unconscious(who: Combatant, because: str) -> bool:
    """Whether somebody is unconscious because of that id."""
    return any(effect.because == because for effect in who.all_named(UNCONSCIOUS))


def lie_unconscious(ctx: Context, who: str, because: str, says: str = "healed") -> None:
    """Be unconscious because of that id, once for each; `says` tells what ends it."""
    if not is_unconscious(ctx.state[who], because):
        until = Duration(says=says)
        gain(ctx, who, Effect(UNCONSCIOUS, UNCONSCIOUS, "condition", until, because=because))


def wake(ctx: Context, who: str, why: str, ends: Callable[[Effect], bool]) -> None:
    """End of what keeps somebody unconscious, itself or by what it implies, all that `ends`."""
    for effect in ctx.state[who].effects:
        sleeps = UNCONSCIOUS in (effect.name, *rule_of(ctx.tables, effect.name).implies)
        if sleeps and ends(effect):
            end(ctx, who, effect.id, why)


# -- dying -----------------------------------------------------------------------------------------


def begin_dying(ctx: Context, who: str, why: str = "") -> None:
    """Be dying from now on; who falls in a turn of their own did not start it so (`FELL`)."""
    ctx.emit(Became(who, "dying", why))
    slot = ctx.state.slot(who)
    if slot is not None and slot.open and not slot.held:
        ctx.emit(Used(who, FELL))


def is_due(who: Combatant, roll: str) -> bool:
    """Whether somebody who started this turn dying has yet to make that roll of it."""
    return who.life == "dying" and not who.used(roll) and not who.used(FELL)


def owed(
    who: Combatant, verb: str, says: str, roll: str, answers: Iterable[tuple[str, str, str]]
) -> Pending:
    """A roll that somebody owes: it waits for the GM until the turn ends, and is rolled then.

    verb     the command that makes it, with the name behind it: "death"
    says     what is told behind the name: "is dying: luck roll"
    roll     what it is called
    answers  key, label, and the word that stands for it behind the command
    """
    command = f"{verb} {who.id}"
    return Pending(
        who.id,
        f"{who.name} {says}",
        tuple(Choice(key, label, f"{command} {word}") for key, label, word in answers),
        missed=f"{who.name}'s {roll} was rolled",
        holds=True,
        die=command,
    )


def full_count(who: Combatant, tracks: Iterable[str], enough: int) -> str:
    """The first of these tracks on which `enough` are counted; empty for none."""
    return next((track for track in tracks if who.track(track) >= enough), "")


def begin_counts_anew(ctx: Context, who: str, tracks: Iterable[str], why: str) -> None:
    """Put these tracks back to 0."""
    for track in tracks:
        if marked := ctx.state[who].track(track):
            ctx.emit(Changed(who, track, -marked, why=why))


# -- by hand ---------------------------------------------------------------------------------------


def set_by_hand(
    ctx: Context,
    who: str,
    fall: Callable[[Context, str], None],
    rise: Callable[[Context, str, str], None],
    still_out: Callable[[Combatant], bool],
) -> None:
    """What follows when the GM wrote HP or took an effect away: falling, rising, waking.

    `fall` is for HP that came down to 0 or below, `rise` for those that came up from there, or that
    the dead have again. Who is unconscious, but not `still_out` by any effect, is up.
    """
    combatant, before = ctx.state[who], ctx.before.find(who)
    if "hp" not in combatant.tracks or before is None:
        return
    hp, was = combatant.track("hp"), before.track("hp")
    lay_there = combatant.life == "unconscious" and was <= 0
    if hp <= 0 and hp < was and not lay_there and not combatant.is_out:
        fall(ctx, who)
    elif hp > 0 and hp != was and (combatant.is_out or (was <= 0 and combatant.life in DOWN)):
        rise(ctx, who, "HP were set")
    elif combatant.life == "unconscious" and not still_out(combatant):
        ctx.emit(Became(who, "up", "woken by hand"))


# -- knocking out, right after the damage ----------------------------------------------------------


def just_brought_down(ctx: Context, who: Combatant) -> bool:
    """Whether the last entry brought somebody down by damage, but for those of `knock-out`."""
    others = (p for p in back_from(ctx.previous) if verb_of(p.entry, ctx.ruleset) != KNOCK_OUT)
    previous = next(others, None)
    before = previous.before.find(who.id) if previous is not None else None
    fell = who.life in ("dead", "dying") or (who.life == "up" and who.track("hp") <= 0)
    if previous is None or before is None or not fell:
        return False
    was_up = before.life not in ("dead", "dying", "stable")
    return was_up and has_lost_hp(previous.entry.events, who.id)


def knock_out_verb(does: str, knock_out: Callable[[Context, str], None]) -> Verb:
    """The command `knock-out`, for those whom the last entry brought down."""

    def run(ctx: Context, words: Words) -> None:
        down = [c for c in ctx.state.combatants if just_brought_down(ctx, c)]
        targets = words.combatants("who is knocked out", down)
        for target in targets:
            if target not in down:
                raise Refused(
                    f"{target.name} was not just brought to 0 HP: "
                    f"`{KNOCK_OUT}` comes right after the damage"
                )
            knock_out(ctx, target.id)
        ctx.text = f"{they(targets, 'is', 'are')} knocked out"

    return Verb(KNOCK_OUT, "knock-out NAME[,NAME]", does, run)
