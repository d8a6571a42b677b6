"""Threads of fate: the players' four uses, the GM's three, and being inspired.

What a bent check then comes to is worked out in `bending`. Seed 004: Threads of Fate.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import end
from affray.core.heart.events import Changed, Noted, Rolled, Spent
from affray.core.heart.state import Combatant
from affray.core.language.clauses import refuse_two_dice
from affray.core.language.refusal import Refused, signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import rolls
from affray.rulesets.monsters_and_magic import bending, checks
from affray.rulesets.monsters_and_magic.bending import REROLL, MadeCheck, check_just_made
from affray.rulesets.monsters_and_magic.bonds import read_bond

USES = ("bend-luck", "feeling-lucky", "lucky-find", "bonds-of-fate")
KEEP, RESULTS = "keep", ("old", "new")
GM_USES = (REROLL, KEEP, "monster-power", "change-scene")


def set_by_hand(ctx: Context, who: str) -> None:
    """Whose PB was set has room for as many threads, if that was so before."""
    now, before = ctx.state[who], ctx.before.find(who)
    track, pb = now.tracks.get("threads"), max(0, now.number("pb"))
    if track is not None and before is not None and pb != before.number("pb") == track.max:
        ctx.emit(Changed(who, "threads", min(0, pb - track.value), pb, "PB"))


def _thread(ctx: Context, words: Words) -> None:
    who = words.combatant("whose thread")
    use = words.choice("what for", USES)
    if who.kind != "pc":
        raise Refused(f"{who.name} has no threads of fate: only characters do")
    made = check_just_made(ctx, who.id)
    if who.life == "dead" and not _lived_before(who, made):
        raise Refused(f"{who.name} is dead, and has no more threads to spend")
    _USES[use](ctx, words, who, made)


def _lived_before(who: Combatant, made: MadeCheck | None) -> bool:
    """Whether it is the check just made that killed them: a thread comes before it is resolved."""
    then = made.origin.before.find(who.id) if made is not None else None
    return then is not None and then.life != "dead"


def _pay(ctx: Context, words: Words, who: Combatant, use: str, threads: int = 1) -> None:
    """Spend threads, or the inspiration that stands for one. A spent thread gives the GM one."""
    inspired = ctx.state[who.id].named("inspired")
    if words.take("inspired") and inspired is None:
        raise Refused(f"{who.name} is not inspired")
    for _ in range(threads):
        if inspired is not None:
            end(ctx, who.id, inspired.id, f"used for {use}")
            inspired = None
            continue
        if ctx.state[who.id].track("threads") < 1:
            raise Refused(f"{who.name} has no thread of fate left")
        ctx.emit(Spent(who.id, "threads", 1, use))
        ctx.emit(Changed("", "threads", 1, why=f"{who.name} spent a thread"))


def _may_bend(ctx: Context, who: Combatant, made: MadeCheck | None) -> None:
    """Raises Refused for a check that was none of one's own, forced by one or made against one."""
    if made is None or who.id in (made.who, made.roll.against):
        return
    roller = ctx.state.find(made.who)
    ally = roller is not None and roller.side == who.side
    if ally or made.roll.against:
        name = ctx.state.name(made.who)
        hint = f"; `thread {who.id} bonds-of-fate {made.who} N` adds a bond" if ally else ""
        raise Refused(f"{who.name}'s luck can't bend {name}'s check, made without them{hint}")


def _bend_luck(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    _may_bend(ctx, who, made)
    luck = int(checks.ability(who, "luck").amount)
    _pay(ctx, words, who, "bend-luck")
    ctx.text = f"{who.name} bends luck"
    if made is None or made.total is None:
        _at_the_table(ctx, f"{signed(luck)} to the check, or {signed(-luck)} to a foe's")
        return
    amount = luck if made.who == who.id else -luck
    bending.bend(ctx, made, amount, f"{signed(amount)} {who.name}'s luck")


def _bonds(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    if words.done:  # whose bond it is, and what it is worth, is settled at the table
        words.offered.extend(c.id for c in ctx.state.combatants if c.id != who.id)
        _pay(ctx, words, who, "bonds-of-fate")
        ctx.text = f"{who.name} leans on a bond"
        return
    other = words.combatant("the other character")
    if other.id == who.id:
        raise Refused(f"{who.name} has bonds with others: name another character")
    if made is not None and made.who not in (who.id, other.id):
        raise Refused(
            f"the check just made is {ctx.state.name(made.who)}'s; "
            f"a bond adds to one of {who.name}'s or {other.name}'s"
        )
    helped = other if made is not None and made.who == other.id else who
    bond = read_bond(words, helped, who if helped is other else other)
    _pay(ctx, words, who, "bonds-of-fate")
    ctx.text = f"{who.name} leans on the bond with {other.name}"
    if made is None or made.total is None:
        _at_the_table(ctx, f"{signed(bond)} to the roll")
        return
    bending.bend(ctx, made, bond, f"{signed(bond)} bond with {other.name}")


def _read_die(ctx: Context, words: Words) -> rolls.Die:
    """Read a die, if one is said; else it is to be rolled."""
    is_said = rolls.is_die(words, checks.OUTCOMES)
    return rolls.read_die(ctx, words, checks.OUTCOMES) if is_said else rolls.Die()


def _feeling_lucky(ctx: Context, words: Words, who: Combatant, made: MadeCheck | None) -> None:
    _may_bend(ctx, who, made)
    die = _read_die(ctx, words)
    terms = checks.Terms(dc=made.dc, step=made.roll.step) if made else checks.Terms()
    _pay(ctx, words, who, "feeling-lucky")
    luck = checks.plain(who, "luck", "luck", die, terms)
    is_own = made is not None and made.who == who.id  # the check that it replaces is rewarded
    outcome = checks.make(ctx, replace(luck, rewarded=not is_own))
    ctx.text = f"{who.name} feels lucky, {outcome}"
    if made is not None:
        bending.amend(ctx, made, outcome)


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
    made = check_just_made(ctx)
    die = _read_die(ctx, words)
    keeps = words.choice("which result", RESULTS) if words.take("keep") else "new"
    if made is None or (made.total is None and not die.said):
        _at_the_table(ctx, "roll the check again and use either result")
        return
    new = _rerolled(ctx, made, die)
    if keeps == "new":
        bending.stand(ctx, made, new)
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
    return bending.rerolled(made, faces, by_hand=bool(die.faces))


def _keep(ctx: Context, words: Words) -> None:
    """Right after a reroll, choose which of the two results stands; it costs no other thread."""
    keeps = words.choice("which result", RESULTS)
    made, results = check_just_made(ctx), bending.just_rerolled(ctx)
    if made is None or results is None:
        raise Refused("nothing was rerolled just now: `keep` comes right after `gm-thread reroll`")
    result = results[RESULTS.index(keeps)]
    ctx.text = f"The GM keeps the {keeps} result"
    bending.stand(ctx, made, replace(result, why=f"the {keeps} result stands"))


def _at_the_table(ctx: Context, what: str) -> None:
    ctx.emit(Noted(f"no check with a known die was just made: at the table, {what}"))


THREAD_VERBS = (
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
