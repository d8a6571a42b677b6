"""Threads of fate: the players' four uses, the GM's three, being inspired; and the check they bend.

A check that was just made is bent by deciding its command anew, with another outcome. The dice that
the program rolled for it fall as they did before; what comes out differently is emitted. Several
threads may bend one check: each looks back past those before it, and what they have cost counts as
if it had been paid first, so that a critical can give one of them back.

Seed 004: Threads of Fate.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.engine.decide import Decision, command_name
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import CostPaid, NoteAdded, Rolled, TrackChanged
from affray.core.engine.evolve import evolve_all
from affray.core.engine.history import earlier_entries
from affray.core.engine.state import Combatant, Encounter
from affray.core.parser.clauses import require_one_die
from affray.core.parser.errors import Refused, format_signed
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Command, Context
from affray.mechanics import checks as shared_checks
from affray.mechanics.checks import emit_difference, other_rolls, redecide
from affray.rulesets.monsters_and_magic import checks, sheet
from affray.rulesets.monsters_and_magic.bonds import read_bond
from affray.rulesets.monsters_and_magic.checks import (
    ASIDE,
    LastCheck,
    checks_of,
    just_made,
    parties,
    threads_spent,
)

KEEP, RESULTS = "keep", ("old", "new")
REROLL = "reroll"
"""What the GM's thread is spent for that rolls a check again."""
GM_USES = (REROLL, KEEP, "monster-power", "change-scene")


def after_manual_change(ctx: Context, combatant_id: str) -> None:
    """Whose PB was set has room for as many threads, if that was so before."""
    now, before = ctx.state[combatant_id], ctx.before.find(combatant_id)
    track, pb = now.tracks.get("threads"), max(0, now.number("pb"))
    if track is not None and before is not None and pb != before.number("pb") == track.max:
        ctx.emit(TrackChanged(combatant_id, "threads", min(0, pb - track.value), pb, "PB"))


# -- bending it ------------------------------------------------------------------------------------


def _at_the_table(ctx: Context, what: str) -> None:
    ctx.emit(NoteAdded(f"no check with a known die was just made: at the table, {what}"))


def _bend(
    ctx: Context, last_check: LastCheck | None, amount: int, why: str, at_the_table: str
) -> None:
    """Add to the check's total, and let its command come out as that says."""
    if last_check is None or last_check.now.total is None:
        _at_the_table(ctx, at_the_table)
        return
    die = last_check.now.natural or 0
    _stand(
        ctx, last_check, _result(last_check, (die,), die, amount, f"{format_signed(amount)} {why}")
    )


def _result(
    last_check: LastCheck,
    faces: tuple[int, ...],
    natural: int,
    more: int,
    why: str,
    by_hand: bool = False,
) -> Rolled:
    """The check with another die, or with more added to it."""
    bonus = (last_check.now.total or 0) - (last_check.now.natural or 0)
    total = natural + bonus + more
    outcome = checks.outcome_of(natural, total, last_check.roll.dc, last_check.roll.step)
    new = replace(last_check.roll, faces=faces, total=total, natural=natural, outcome=outcome)
    return replace(new, why=why, by_hand=by_hand)


def _stand(ctx: Context, last_check: LastCheck, result: Rolled) -> None:
    """Let a result stand for the check, and its command come out as that says."""
    ctx.emit(result)
    text = result.outcome if result.total is None else f"{result.total}, {result.outcome}"
    ctx.text += f": {text}"
    _amend(ctx, last_check, result.outcome)


def _amend(ctx: Context, last_check: LastCheck, outcome: str) -> None:
    """Decide the check's command again with another outcome, and emit what comes out differently.

    What the thread itself has cost stays. XP and threads that the first outcome brought are taken
    along: the check counts as it ends.
    """
    if outcome == last_check.now.outcome:
        return
    try:
        was = _as_it_stands(ctx, last_check)
        new = _decided(ctx, last_check, outcome)
        if new.state.taking_turn() != was.taking_turn():
            raise Refused("it would be another's turn now")
    except Refused:
        ctx.emit(
            NoteAdded(f"the outcome is now {outcome}: what follows from it is set at the table")
        )
        return
    ctx.emit(*other_rolls(new.events)[len(last_check.beside) :])
    for together in [e for e in new.events if isinstance(e, Rolled) and e.outcome and not e.who]:
        ctx.emit(together)
        ctx.text += f"; the {together.for_} is {together.outcome}"
    emit_difference(ctx, was, new.state, f"now {outcome}")


def _as_it_stands(ctx: Context, last_check: LastCheck) -> Encounter:
    """What the check's command has come to so far."""
    if last_check.stand == last_check.checks:
        return evolve_all(_paid_first(ctx, last_check), last_check.origin.entry.events)
    return _decided(ctx, last_check, last_check.now.outcome).state


def _decided(ctx: Context, last_check: LastCheck, outcome: str) -> Decision:
    """What the check's command comes to with that outcome, and those of its other checks."""
    outcomes = [check.outcome for check in last_check.stand]
    outcomes[last_check.place] = outcome
    return redecide(
        ctx, last_check.origin, ",".join(outcomes), _paid_first(ctx, last_check), last_check.beside
    )


def _paid_first(ctx: Context, last_check: LastCheck) -> Encounter:
    """The fight before the check, less the threads that it has cost since."""
    return evolve_all(last_check.origin.before, (*last_check.paid, *threads_spent(ctx.events)))


# -- the players' threads --------------------------------------------------------------------------


def _thread(ctx: Context, tokens: TokenStream) -> None:
    combatant = tokens.combatant("whose thread")
    use = tokens.choice("what for", _USES)
    if combatant.kind != "pc":
        raise Refused(f"{combatant.name} has no threads of fate: only characters do")
    last_check = just_made(ctx.previous, ctx.ruleset, combatant.id)
    # Whom the check just made has killed may bend it: a thread comes before it is resolved.
    then = last_check.origin.before.find(combatant.id) if last_check is not None else None
    if combatant.life == "dead" and (then is None or then.life == "dead"):
        raise Refused(f"{combatant.name} is dead, and has no more threads to spend")
    _USES[use](ctx, tokens, combatant, last_check)


def _pay(
    ctx: Context, tokens: TokenStream, combatant: Combatant, use: str, threads: int = 1
) -> None:
    """Spend threads, or the inspiration that stands for one. A spent thread gives the GM one."""
    inspired = combatant.named("inspired")
    if tokens.take("inspired") and inspired is None:
        raise Refused(f"{combatant.name} is not inspired")
    if inspired is not None:
        remove_effect(ctx, combatant.id, inspired.id, f"used for {use}")
        threads -= 1
    for _ in range(threads):
        if ctx.state[combatant.id].track("threads") < 1:
            raise Refused(f"{combatant.name} has no thread of fate left")
        ctx.emit(CostPaid(combatant.id, "threads", 1, use))
        ctx.emit(TrackChanged("", "threads", 1, why=f"{combatant.name} spent a thread"))


def _may_bend(ctx: Context, combatant: Combatant, last_check: LastCheck | None) -> None:
    """Raises Refused for a check that was none of one's own, forced by one or made against one."""
    if last_check is None or combatant.id in parties(last_check.roll):
        return
    maker = last_check.roll.who
    roller = ctx.state.find(maker)
    ally = roller is not None and roller.side == combatant.side
    if ally or last_check.roll.against:
        hint = f"; `thread {combatant.id} bonds-of-fate {maker} N` adds a bond" if ally else ""
        whose = f"{ctx.state.name(maker)}'s check, made without them"
        raise Refused(f"{combatant.name}'s luck can't bend {whose}{hint}")


def _bend_luck(
    ctx: Context, tokens: TokenStream, combatant: Combatant, last_check: LastCheck | None
) -> None:
    _may_bend(ctx, combatant, last_check)
    if last_check is None:
        older = "`amend N` gives an older entry another outcome"
        raise Refused(f"no check was just made that luck could bend; {older}")
    luck = sheet.ability(combatant, "luck")
    _pay(ctx, tokens, combatant, "bend-luck")
    ctx.text = f"{combatant.name} bends luck"
    is_others = last_check is not None and last_check.roll.who != combatant.id
    either = f"{format_signed(luck)} to the check, or {format_signed(-luck)} to a foe's"
    _bend(ctx, last_check, -luck if is_others else luck, f"{combatant.name}'s luck", either)


def _bonds(
    ctx: Context, tokens: TokenStream, combatant: Combatant, last_check: LastCheck | None
) -> None:
    if tokens.done:  # whose bond it is, and what it is worth, is settled at the table
        tokens.offered.extend(c.id for c in ctx.state.combatants if c.id != combatant.id)
        _pay(ctx, tokens, combatant, "bonds-of-fate")
        ctx.text = f"{combatant.name} leans on a bond"
        return
    other = tokens.combatant("the other character")
    if other.id == combatant.id:
        raise Refused(f"{combatant.name} has bonds with others: name another character")
    if last_check is not None and last_check.roll.who != combatant.id:
        last_check = just_made(ctx.previous, ctx.ruleset, other.id)
    if last_check is not None and last_check.roll.who not in (combatant.id, other.id):
        raise Refused(
            f"the check just made is {ctx.state.name(last_check.roll.who)}'s; "
            f"a bond adds to one of {combatant.name}'s or {other.name}'s"
        )
    is_others = last_check is not None and last_check.roll.who == other.id
    bond = read_bond(tokens, *((other, combatant) if is_others else (combatant, other)))
    _pay(ctx, tokens, combatant, "bonds-of-fate")
    ctx.text = f"{combatant.name} leans on the bond with {other.name}"
    _bend(ctx, last_check, bond, f"bond with {other.name}", f"{format_signed(bond)} to the roll")


def _read_die(ctx: Context, tokens: TokenStream) -> shared_checks.DieInput:
    """Read a die, if one is said; else it is to be rolled."""
    is_said = shared_checks.is_die_input(tokens, checks.OUTCOMES)
    return (
        shared_checks.parse_die(ctx, tokens, checks.OUTCOMES)
        if is_said
        else shared_checks.DieInput()
    )


def _feeling_lucky(
    ctx: Context, tokens: TokenStream, combatant: Combatant, last_check: LastCheck | None
) -> None:
    _may_bend(ctx, combatant, last_check)
    die = _read_die(ctx, tokens)
    terms = (
        checks.CheckModifiers(dc=last_check.roll.dc, step=last_check.roll.step)
        if last_check
        else checks.CheckModifiers()
    )
    _pay(ctx, tokens, combatant, "feeling-lucky")
    luck = checks.plain(combatant, "luck", "luck", die, terms)
    is_own = (
        last_check is not None and last_check.roll.who == combatant.id
    )  # the check that it replaces is rewarded
    outcome = checks.make(ctx, replace(luck, rewarded=not is_own))
    ctx.text = f"{combatant.name} feels lucky, {outcome}"
    if last_check is not None:
        _amend(ctx, last_check, outcome)


def _lucky_find(
    ctx: Context, tokens: TokenStream, combatant: Combatant, last_check: LastCheck | None
) -> None:
    threads = tokens.maybe_number(1, "how many threads", 1)
    what = tokens.rest() if not tokens.done and tokens.peek() != "inspired" else ""
    if combatant.track("threads") + (combatant.named("inspired") is not None) < threads:
        raise Refused(
            f"{combatant.name} has {combatant.track('threads')} threads of fate, not {threads}"
        )
    _pay(ctx, tokens, combatant, "lucky-find", threads)
    ctx.text = f"{combatant.name} makes a lucky find{f': {what}' if what else ''}"


_USES = {
    "bend-luck": _bend_luck,
    "feeling-lucky": _feeling_lucky,
    "lucky-find": _lucky_find,
    "bonds-of-fate": _bonds,
}

# -- the GM's --------------------------------------------------------------------------------------


def _gm_thread(ctx: Context, tokens: TokenStream) -> None:
    use = tokens.choice("what for", GM_USES)
    if use == KEEP:
        _keep(ctx, tokens)
        return
    if ctx.state.gm("threads") < 1:
        raise Refused("the GM has no thread of fate")
    ctx.emit(CostPaid("", "threads", 1, use))
    ctx.text = f"The GM spends a thread: {use.replace('-', ' ')}"
    if use == REROLL:
        _reroll(ctx, tokens)
    elif not tokens.done:
        ctx.text += f", {tokens.rest()}"


def _reroll(ctx: Context, tokens: TokenStream) -> None:
    last_check = just_made(ctx.previous, ctx.ruleset)
    die = _read_die(ctx, tokens)
    keeps = tokens.choice("which result", RESULTS) if tokens.take(KEEP) else "new"
    if last_check is None or (last_check.now.total is None and not die.outcome):
        _at_the_table(ctx, "roll the check again and use either result")
        return
    new = _rerolled(ctx, last_check, die)
    if keeps == "new":
        _stand(ctx, last_check, new)
    else:
        ctx.emit(new, replace(last_check.now, why="the first result stands"))
        ctx.text += f": {new.outcome}, and {last_check.now.outcome} stands"


def _rerolled(ctx: Context, last_check: LastCheck, die: shared_checks.DieInput) -> Rolled:
    """The check rolled again, with the advantage or disadvantage of the roll that it replaces.

    Raises Refused for two dice where there was neither.
    """
    if die.outcome:
        rolled = replace(
            last_check.roll, faces=(), total=None, natural=None, why="rerolled", by_hand=True
        )
        return replace(rolled, outcome=die.outcome)
    if not last_check.roll.lean:
        require_one_die(die.faces)
    faces = die.faces or tuple(ctx.dice.die(20) for _ in range(2 if last_check.roll.lean else 1))
    natural = min(faces) if last_check.roll.lean < 0 else max(faces)
    return _result(last_check, faces, natural, 0, "rerolled", by_hand=bool(die.faces))


def _keep(ctx: Context, tokens: TokenStream) -> None:
    """Right after a reroll, choose which of the two results stands; it costs no other thread."""
    keeps = tokens.choice("which result", RESULTS)
    last_check = just_made(ctx.previous, ctx.ruleset)
    results = _just_rerolled(ctx)
    if last_check is None or results is None:
        raise Refused("nothing was rerolled just now: `keep` comes right after `gm-thread reroll`")
    result = results[RESULTS.index(keeps)]
    ctx.text = f"The GM keeps the {keeps} result"
    _stand(ctx, last_check, replace(result, why=f"the {keeps} result stands"))


def _just_rerolled(ctx: Context) -> tuple[Rolled, Rolled] | None:
    """The two results of which the GM chooses one: as it stood before the reroll, and the new one.

    None when no reroll came last, but for the choice between the two.
    """
    for entry in earlier_entries(ctx.previous):
        if command_name(entry.entry, ctx.ruleset) not in ("gm-thread", *ASIDE):
            return None
        spent = {e.for_ for e in entry.entry.events if isinstance(e, CostPaid)}
        if spent:
            new = checks_of(entry.entry.events)[:1] if REROLL in spent else []
            old = just_made(entry.earlier(), ctx.ruleset)
            return (old.now, new[0]) if new and old is not None else None
    return None


VERBS = (
    Command(
        "thread",
        "thread NAME bend-luck | feeling-lucky [natural N] | lucky-find [N] | "
        "bonds-of-fate [NAME [N]]",
        "spends a thread of fate, or inspiration, on the check just made or on the story",
        _thread,
    ),
    Command(
        "gm-thread",
        "gm-thread reroll [natural N[,M]] [keep old|new] | gm-thread keep old|new | "
        "gm-thread monster-power | gm-thread change-scene",
        "spends a thread of the GM's",
        _gm_thread,
    ),
)
