"""0 HP and no exhaustion left: falling, the luck roll of the dying, rising, Death's bargain.

Seed 004: Death & Dying, Fatigue & Exhaustion.
"""

from __future__ import annotations

from affray.core.heart.decide import Context
from affray.core.heart.events import Became, Changed, Used
from affray.core.heart.state import Combatant
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Pending, Verb
from affray.rulekit import life, rolls
from affray.rulesets.monsters_and_magic import checks, fatigue

EXHAUSTED, DYING = "exhaustion", "dying"
"""Ids of what somebody is unconscious because of, where it is neither a spell nor a blow."""
NO_EXHAUSTION = "no exhaustion left to mark"


def fall(ctx: Context, who: str) -> None:
    """HP came down to 0: a monster dies, and so does a thing; a character, or who was marked as
    important, falls unconscious and prone, and is dying."""
    if ctx.state[who].kind == "pc" or ctx.state[who].stats.get("important"):
        life.begin_dying(ctx, who, "0 HP")
        life.lie_unconscious(ctx, who, DYING)
    else:
        ctx.emit(Became(who, "dead", "0 HP"))


def out_of_exhaustion(ctx: Context, who: str) -> None:
    """An exhaustion could not be marked: the dying die, others are knocked out."""
    combatant = ctx.state[who]
    if combatant.life == "dying":
        ctx.emit(Became(who, "dead", NO_EXHAUSTION))
    elif combatant.life != "dead" and not knocked_out(combatant):
        says = "a long rest" if combatant.kind != "pc" else "fatigue is recovered"
        life.lie_unconscious(ctx, who, EXHAUSTED, says)
        if combatant.life == "up":
            ctx.emit(Became(who, "unconscious", NO_EXHAUSTION))


def knocked_out(combatant: Combatant) -> bool:
    """Whether exhaustion has knocked somebody out."""
    return life.is_out(combatant, EXHAUSTED)


def wake_from_exhaustion(ctx: Context, who: str, why: str) -> None:
    """End the knock-out that exhaustion caused."""
    life.wake(ctx, who, why, lambda effect: effect.because == EXHAUSTED)
    if ctx.state[who].life == "unconscious":
        ctx.emit(Became(who, "up", why))


def wake(ctx: Context, who: str, why: str) -> None:
    """End what keeps somebody unconscious, whatever it is, but for exhaustion."""
    life.wake(ctx, who, why, lambda effect: effect.because != EXHAUSTED)


def stabilise(ctx: Context, who: str, why: str = "") -> None:
    """Stop dying: still unconscious, and the held deathsaves are gone."""
    _drop_deathsaves(ctx, who)
    ctx.emit(Became(who, "stable", why))


def _drop_deathsaves(ctx: Context, who: str) -> None:
    life.begin_counts_anew(ctx, who, ("deathsaves",), "no longer dying")


def rise(ctx: Context, who: str, why: str) -> None:
    """Come back from 0 HP: conscious, unless exhaustion has knocked them out as well."""
    _drop_deathsaves(ctx, who)
    wake(ctx, who, why)
    still_out = knocked_out(ctx.state[who])
    ctx.emit(Became(who, "unconscious" if still_out else "up", why))


def set_by_hand(ctx: Context, who: str) -> None:
    """After something was set by hand: HP 0 brings down, HP above 0 and waking bring back."""
    life.set_by_hand(ctx, who, fall, rise, knocked_out)


# -- the luck roll ---------------------------------------------------------------------------------

DEATH_ROLL = "death roll"
"""How the count of luck rolls made in a turn is called."""


def is_due(who: Combatant) -> bool:
    """Whether whose turn it is has a luck roll to make."""
    return life.is_due(who, DEATH_ROLL)


def roll_missing(ctx: Context, who: str) -> None:
    """Roll the luck roll that nobody made before the turn may end."""
    if is_due(ctx.state[who]):
        _make(ctx, ctx.state[who], rolls.unsaid(ctx), checks.Terms())


def pending(who: Combatant) -> Pending:
    """The luck roll as it waits for the GM."""
    words = ("miss", "weak", "strong", "crit", "roll")
    answers = ((word[0], word, word) for word in words)
    return life.owed(who, "death", "is dying: luck roll", DEATH_ROLL, answers)


def _death(ctx: Context, words: Words) -> None:
    dier = words.combatant("who is dying") if words.is_people() else ctx.actor()
    die, terms = checks.read_roll(ctx, words, "the luck roll's outcome")
    if dier.life != "dying":
        raise Refused(f"{dier.name} is not dying but {dier.life}")
    ctx.text = f"{dier.name}'s death roll, {_make(ctx, dier, die, terms)}"


def _make(ctx: Context, dier: Combatant, die: rolls.Die, terms: checks.Terms) -> checks.Outcome:
    """Make the luck roll of somebody dying, with what it does."""
    outcome = checks.make(ctx, checks.plain(dier, "death", "luck", die, terms, "death"))
    who = dier.id
    ctx.emit(Used(who, DEATH_ROLL))
    if outcome == "crit":
        ctx.emit(Changed(who, "hp", 1, why="critical death roll"))
        rise(ctx, who, "a critical death roll")
    elif outcome == "strong":
        stabilise(ctx, who, "a strong death roll")
    elif outcome == "weak":
        hold_deathsaves(ctx, who, 1, "a weak death roll")
    else:
        fatigue.mark_exhaustion(ctx, who, 1, "a missed death roll")
    return outcome


def hold_deathsaves(ctx: Context, who: str, amount: int, why: str = "") -> None:
    """Hold deathsaves, up to three; the third stabilises."""
    really = min(amount, ctx.state[who].room("deathsaves"))
    if really:
        ctx.emit(Changed(who, "deathsaves", really, why=why))
    enough = ctx.state[who].track("deathsaves") >= ctx.tables.economy["deathsaves"]
    if enough and ctx.state[who].life == "dying":
        stabilise(ctx, who, "three deathsaves")


def _bargain(ctx: Context, words: Words) -> None:
    dead = words.combatant("who has died")
    answer = words.choice("the answer to Death's bargain", ("accept", "refuse"))
    if dead.life != "dead" or dead.kind != "pc":
        raise Refused(f"Death bargains with characters who have died; {dead.name} is {dead.life}")
    if dead.used("bargain", "ever"):
        raise Refused(f"{dead.name} has refused Death's bargain, and has passed on")
    terms = words.rest()
    if answer == "accept":
        stabilise(ctx, dead.id, f"a bargain with Death{f': {terms}' if terms else ''}")
        life.lie_unconscious(ctx, dead.id, DYING)
        ctx.text = f"{dead.name} accepts Death's bargain"
    else:
        ctx.emit(Used(dead.id, "bargain", "ever"))
        ctx.text = f"{dead.name} refuses Death's bargain and passes on"


VERBS = (
    Verb(
        "death",
        "death NAME OUTCOME | death NAME natural N | death NAME roll",
        "makes a dying creature's luck roll",
        _death,
    ),
    Verb(
        "bargain",
        "bargain NAME accept|refuse [WHAT DEATH ASKS]",
        "answers the bargain that Death offers a character",
        _bargain,
    ),
)
