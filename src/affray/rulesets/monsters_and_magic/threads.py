"""Threads of fate: the players' four uses, the GM's three, being inspired; and the check they bend.

A check that was just made is bent by deciding its command anew, with another outcome. The dice that
the program rolled for it fall as they did before; what comes out differently is emitted. Several
threads may bend one check: each looks back past those before it, and what they have cost counts as
if it had been paid first, so that a critical can give one of them back.

Seed 004: Threads of Fate.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart.decide import Context, Decision, verb_of
from affray.core.heart.effects import end
from affray.core.heart.events import Changed, Noted, Rolled, Spent
from affray.core.heart.evolve import evolve_all
from affray.core.heart.history import back_from
from affray.core.heart.state import Combatant, Encounter
from affray.core.language.clauses import refuse_two_dice
from affray.core.language.refusal import Refused, signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rolls
from affray.rulekit.rolls import become, decided, rolled_beside
from affray.rulesets.monsters_and_magic import checks, sheet
from affray.rulesets.monsters_and_magic.bonds import read_bond
from affray.rulesets.monsters_and_magic.last_check import (
    ASIDE,
    MadeCheck,
    checks_of,
    just_made,
    parties,
    threads_spent,
)

KEEP, RESULTS = "keep", ("old", "new")
REROLL = "reroll"
"""What the GM's thread is spent for that rolls a check again."""
GM_USES = (REROLL, KEEP, "monster-power", "change-scene")


def set_by_hand(ctx: Context, who: str) -> None:
    """Whose PB was set has room for as many threads, if that was so before."""
    now, before = ctx.state[who], ctx.before.find(who)
    track, pb = now.tracks.get("threads"), max(0, now.number("pb"))
    if track is not None and before is not None and pb != before.number("pb") == track.max:
        ctx.emit(Changed(who, "threads", min(0, pb - track.value), pb, "PB"))


# -- bending it ------------------------------------------------------------------------------------


def _at_the_table(ctx: Context, what: str) -> None:
    ctx.emit(Noted(f"no check with a known die was just made: at the table, {what}"))


def _bend(ctx: Context, made: MadeCheck | None, amount: int, why: str, at_the_table: str) -> None:
    """Add to the check's total, and let its command come out as that says."""
    if made is None or made.now.total is None:
        _at_the_table(ctx, at_the_table)
        return
    die = made.now.natural or 0
    _stand(ctx, made, _result(made, (die,), die, amount, f"{signed(amount)} {why}"))


def _result(
    made: MadeCheck,
    faces: tuple[int, ...],
    natural: int,
    more: int,
    why: str,
    by_hand: bool = False,
) -> Rolled:
    """The check with another die, or with more added to it."""
    bonus = (made.now.total or 0) - (made.now.natural or 0)
    total = natural + bonus + more
    outcome = checks.outcome_of(natural, total, made.roll.dc, made.roll.step)
    new = replace(made.roll, faces=faces, total=total, natural=natural, outcome=outcome)
    return replace(new, why=why, by_hand=by_hand)


def _stand(ctx: Context, made: MadeCheck, result: Rolled) -> None:
    """Let a result stand for the check, and its command come out as that says."""
    ctx.emit(result)
    told = result.outcome if result.total is None else f"{result.total}, {result.outcome}"
    ctx.text += f": {told}"
    _amend(ctx, made, result.outcome)


def _amend(ctx: Context, made: MadeCheck, outcome: str) -> None:
    """Decide the check's command again with another outcome, and emit what comes out differently.

    What the thread itself has cost stays. XP and threads that the first outcome brought are taken
    along: the check counts as it ends.
    """
    if outcome == made.now.outcome:
        return
    try:
        was = _as_it_stands(ctx, made)
        new = _decided(ctx, made, outcome)
        if new.state.taking_turn() != was.taking_turn():
            raise Refused("it would be another's turn now")
    except Refused:
        ctx.emit(Noted(f"the outcome is now {outcome}: what follows from it is set at the table"))
        return
    ctx.emit(*rolled_beside(new.events)[len(made.beside) :])
    for together in [e for e in new.events if isinstance(e, Rolled) and e.outcome and not e.who]:
        ctx.emit(together)
        ctx.text += f"; the {together.for_} is {together.outcome}"
    become(ctx, was, new.state, f"now {outcome}")


def _as_it_stands(ctx: Context, made: MadeCheck) -> Encounter:
    """What the check's command has come to so far."""
    if made.stand == made.checks:
        return evolve_all(_paid_first(ctx, made), made.origin.entry.events)
    return _decided(ctx, made, made.now.outcome).state


def _decided(ctx: Context, made: MadeCheck, outcome: str) -> Decision:
    """What the check's command comes to with that outcome, and those of its other checks."""
    outcomes = [check.outcome for check in made.stand]
    outcomes[made.place] = outcome
    return decided(ctx, made.origin, ",".join(outcomes), _paid_first(ctx, made), made.beside)


def _paid_first(ctx: Context, made: MadeCheck) -> Encounter:
    """The fight before the check, less the threads that it has cost since."""
    return evolve_all(made.origin.before, (*made.paid, *threads_spent(ctx.events)))


# -- the players' threads --------------------------------------------------------------------------


def _thread(ctx: Context, words: Words) -> None:
    who = words.combatant("whose thread")
    use = words.choice("what for", _USES)
    if who.kind != "pc":
        raise Refused(f"{who.name} has no threads of fate: only characters do")
    made = just_made(ctx.previous, ctx.ruleset, who.id)
    # Whom the check just made has killed may bend it: a thread comes before it is resolved.
    then = made.origin.before.find(who.id) if made is not None else None
    if who.life == "dead" and (then is None or then.life == "dead"):
        raise Refused(f"{who.name} is dead, and has no more threads to spend")
    _USES[use](ctx, words, who, made)


def _pay(ctx: Context, words: Words, who: Combatant, use: str, threads: int = 1) -> None:
    """Spend threads, or the inspiration that stands for one. A spent thread gives the GM one."""
    inspired = who.named("inspired")
    if words.take("inspired") and inspired is None:
        raise Refused(f"{who.name} is not inspired")
    if inspired is not None:
        end(ctx, who.id, inspired.id, f"used for {use}")
        threads -= 1
    for _ in range(threads):
        if ctx.state[who.id].track("threads") < 1:
            raise Refused(f"{who.name} has no thread of fate left")
        ctx.emit(Spent(who.id, "threads", 1, use))
        ctx.emit(Changed("", "threads", 1, why=f"{who.name} spent a thread"))


def _may_bend(ctx: Context, who: Combatant, made: MadeCheck | None) -> None:
    """Raises Refused for a check that was none of one's own, forced by one or made against one."""
    if made is None or who.id in parties(made.roll):
        return
    maker = made.roll.who
    roller = ctx.state.find(maker)
    ally = roller is not None and roller.side == who.side
    if ally or made.roll.against:
        hint = f"; `thread {who.id} bonds-of-fate {maker} N` adds a bond" if ally else ""
        whose = f"{ctx.state.name(maker)}'s check, made without them"
        raise Refused(f"{who.name}'s luck can't bend {whose}{hint}")


def _bend_luck(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    _may_bend(ctx, who, made)
    if made is None:
        older = "`amend N` gives an older entry another outcome"
        raise Refused(f"no check was just made that luck could bend; {older}")
    luck = sheet.ability(who, "luck")
    _pay(ctx, words, who, "bend-luck")
    ctx.text = f"{who.name} bends luck"
    is_others = made is not None and made.roll.who != who.id
    either = f"{signed(luck)} to the check, or {signed(-luck)} to a foe's"
    _bend(ctx, made, -luck if is_others else luck, f"{who.name}'s luck", either)


def _bonds(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    if words.done:  # whose bond it is, and what it is worth, is settled at the table
        words.offered.extend(c.id for c in ctx.state.combatants if c.id != who.id)
        _pay(ctx, words, who, "bonds-of-fate")
        ctx.text = f"{who.name} leans on a bond"
        return
    other = words.combatant("the other character")
    if other.id == who.id:
        raise Refused(f"{who.name} has bonds with others: name another character")
    if made is not None and made.roll.who != who.id:
        made = just_made(ctx.previous, ctx.ruleset, other.id)
    if made is not None and made.roll.who not in (who.id, other.id):
        raise Refused(
            f"the check just made is {ctx.state.name(made.roll.who)}'s; "
            f"a bond adds to one of {who.name}'s or {other.name}'s"
        )
    is_others = made is not None and made.roll.who == other.id
    bond = read_bond(words, *((other, who) if is_others else (who, other)))
    _pay(ctx, words, who, "bonds-of-fate")
    ctx.text = f"{who.name} leans on the bond with {other.name}"
    _bend(ctx, made, bond, f"bond with {other.name}", f"{signed(bond)} to the roll")


def _read_die(ctx: Context, words: Words) -> rolls.Die:
    """Read a die, if one is said; else it is to be rolled."""
    is_said = rolls.is_die(words, checks.OUTCOMES)
    return rolls.read_die(ctx, words, checks.OUTCOMES) if is_said else rolls.Die()


def _feeling_lucky(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    _may_bend(ctx, who, made)
    die = _read_die(ctx, words)
    terms = checks.Terms(dc=made.roll.dc, step=made.roll.step) if made else checks.Terms()
    _pay(ctx, words, who, "feeling-lucky")
    luck = checks.plain(who, "luck", "luck", die, terms)
    is_own = made is not None and made.roll.who == who.id  # the check that it replaces is rewarded
    outcome = checks.make(ctx, replace(luck, rewarded=not is_own))
    ctx.text = f"{who.name} feels lucky, {outcome}"
    if made is not None:
        _amend(ctx, made, outcome)


def _lucky_find(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    threads = words.maybe_number(1, "how many threads", 1)
    what = words.rest() if not words.done and words.peek() != "inspired" else ""
    if who.track("threads") + (who.named("inspired") is not None) < threads:
        raise Refused(f"{who.name} has {who.track('threads')} threads of fate, not {threads}")
    _pay(ctx, words, who, "lucky-find", threads)
    ctx.text = f"{who.name} makes a lucky find{f': {what}' if what else ''}"


_USES = {
    "bend-luck": _bend_luck,
    "feeling-lucky": _feeling_lucky,
    "lucky-find": _lucky_find,
    "bonds-of-fate": _bonds,
}

# -- the GM's --------------------------------------------------------------------------------------


def _gm_thread(ctx: Context, words: Words) -> None:
    use = words.choice("what for", GM_USES)
    if use == KEEP:
        _keep(ctx, words)
        return
    if ctx.state.gm("threads") < 1:
        raise Refused("the GM has no thread of fate")
    ctx.emit(Spent("", "threads", 1, use))
    ctx.text = f"The GM spends a thread: {use.replace('-', ' ')}"
    if use == REROLL:
        _reroll(ctx, words)
    elif not words.done:
        ctx.text += f", {words.rest()}"


def _reroll(ctx: Context, words: Words) -> None:
    made = just_made(ctx.previous, ctx.ruleset)
    die = _read_die(ctx, words)
    keeps = words.choice("which result", RESULTS) if words.take(KEEP) else "new"
    if made is None or (made.now.total is None and not die.said):
        _at_the_table(ctx, "roll the check again and use either result")
        return
    new = _rerolled(ctx, made, die)
    if keeps == "new":
        _stand(ctx, made, new)
    else:
        ctx.emit(new, replace(made.now, why="the first result stands"))
        ctx.text += f": {new.outcome}, and {made.now.outcome} stands"


def _rerolled(ctx: Context, made: MadeCheck, die: rolls.Die) -> Rolled:
    """The check rolled again, with the advantage or disadvantage of the roll that it replaces.

    Raises Refused for two dice where there was neither.
    """
    if die.said:
        said = replace(made.roll, faces=(), total=None, natural=None, why="rerolled", by_hand=True)
        return replace(said, outcome=die.said)
    if not made.roll.lean:
        refuse_two_dice(die.faces)
    faces = die.faces or tuple(ctx.dice.die(20) for _ in range(2 if made.roll.lean else 1))
    natural = min(faces) if made.roll.lean < 0 else max(faces)
    return _result(made, faces, natural, 0, "rerolled", by_hand=bool(die.faces))


def _keep(ctx: Context, words: Words) -> None:
    """Right after a reroll, choose which of the two results stands; it costs no other thread."""
    keeps = words.choice("which result", RESULTS)
    made = just_made(ctx.previous, ctx.ruleset)
    results = _just_rerolled(ctx)
    if made is None or results is None:
        raise Refused("nothing was rerolled just now: `keep` comes right after `gm-thread reroll`")
    result = results[RESULTS.index(keeps)]
    ctx.text = f"The GM keeps the {keeps} result"
    _stand(ctx, made, replace(result, why=f"the {keeps} result stands"))


def _just_rerolled(ctx: Context) -> tuple[Rolled, Rolled] | None:
    """The two results of which the GM chooses one: as it stood before the reroll, and the new one.

    None when no reroll came last, but for the choice between the two.
    """
    for here in back_from(ctx.previous):
        if verb_of(here.entry, ctx.ruleset) not in ("gm-thread", *ASIDE):
            return None
        spent = {e.for_ for e in here.entry.events if isinstance(e, Spent)}
        if spent:
            new = checks_of(here.entry.events)[:1] if REROLL in spent else []
            old = just_made(here.earlier(), ctx.ruleset)
            return (old.now, new[0]) if new and old is not None else None
    return None


VERBS = (
    Verb(
        "thread",
        "thread NAME bend-luck | feeling-lucky [natural N] | lucky-find [N] | "
        "bonds-of-fate [NAME [N]]",
        "spends a thread of fate, or inspiration, on the check just made or on the story",
        _thread,
    ),
    Verb(
        "gm-thread",
        "gm-thread reroll [natural N[,M]] [keep old|new] | gm-thread keep old|new | "
        "gm-thread monster-power | gm-thread change-scene",
        "spends a thread of the GM's",
        _gm_thread,
    ),
)
