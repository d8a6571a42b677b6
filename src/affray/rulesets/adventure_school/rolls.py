"""Rolls: how they are called out and come out, what may be said of them, and made again.

Seed 001: Attack, Save, Test of Skill, Critical Threat Range, Advantage, Reroll; rules file, 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice.notation import Dice, Pool, parse_dice
from affray.core.heart.decide import Context, verb_of
from affray.core.heart.events import AnyEvent, Noted, Rolled
from affray.core.heart.evolve import evolve_all
from affray.core.heart.history import Previous, back_from
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import declare
from affray.rulekit import rolls
from affray.rulekit.rolls import Die, Outcomes, Roll, become, decided, rolled_beside

MISS, HIT, CRIT, CRIT_MISS = "miss", "hit", "crit", "crit-miss"
PASS, FAIL, CRIT_FAIL = "pass", "fail", "crit-fail"
HITS, PASSES = (HIT, CRIT), (PASS, CRIT)
_CRITICAL = {CRIT: CRIT, "critical": CRIT}
_SAVED = {PASS: PASS, "success": PASS, FAIL: FAIL, "failure": FAIL}
ATTACK_OUTCOMES = Outcomes(
    {MISS: MISS, HIT: HIT, **_CRITICAL, CRIT_MISS: CRIT_MISS}, "miss, hit, crit, crit-miss"
)
OUTCOMES = Outcomes({**_SAVED, **_CRITICAL, CRIT_FAIL: CRIT_FAIL}, "pass, fail, crit, crit-fail")
EITHER = Outcomes(
    {**ATTACK_OUTCOMES.means, **OUTCOMES.means}, "miss, hit or crit, of a save pass, fail or crit"
)


def is_rolled_for(reading: Reading) -> bool:
    """Whether whoever acts may leave the outcome out: a monster's attack is rolled."""
    return reading.ctx.actor().kind != "pc"


def attack_outcome(of: str = "") -> Argument:
    """How a roll to hit came out; `of` names the field of the targets, with a roll each."""
    asks = "outcome:miss|hit|crit|crit-miss"
    return rolls.die_said(ATTACK_OUTCOMES, of, asks=asks, may_lack=is_rolled_for)


def outcome(of: str = "", asks: str = "outcome:pass|fail|crit|crit-fail") -> Argument:
    """How a test, a contest or a save came out; `of` names the field of those with a roll each."""
    return rolls.die_said(OUTCOMES, of, asks=asks)


def _read_dc(reading: Reading) -> int:
    from_easy_on = ("5", "10", "15", "20", "25", "30", "35") if reading.words.done else ()
    reading.words.offered += from_easy_on
    return reading.words.number("the DC", 1, 99)


DC = arguments.clause("dc", Argument(_read_dc, "N"), asks="dc number")
"""What a roll is made against; those that the text suggests are offered (rules file, 1.8)."""
DIMINISH = arguments.clause("diminish", arguments.number("how many levels it takes", 1, 99))
"""The argument of a roll with a diminish ability: the levels that come if it works."""


# -- how they come out -----------------------------------------------------------------------------


def comes_out(natural: int, total: int, dc: int | None, threat: int) -> str:
    """What a test or save comes to: pass, fail, crit, crit-fail; empty where nobody knows the DC.

    A 20 is critical and a 1 critically fails, whatever the total (R1). A die that is `threat` short
    of 20 is critical as well, if the total confirms it (rules file, 1.6).
    """
    if natural in (1, 20):
        return CRIT if natural == 20 else CRIT_FAIL
    if dc is None:
        return ""
    if total < dc:
        return FAIL
    return CRIT if natural >= 20 - threat else PASS


_OF_AN_ATTACK = {PASS: HIT, FAIL: MISS, CRIT_FAIL: CRIT_MISS}


def hits(natural: int, total: int, armor_class: int, threat: int) -> str:
    """What a roll to hit comes to: miss, hit, crit or crit-miss."""
    found = comes_out(natural, total, armor_class, threat)
    return _OF_AN_ATTACK.get(found, found)


def throw(
    ctx: Context, roll: Roll, judge: Callable[[int, int], str], asks: str = "which complication?"
) -> Rolled:
    """Make a roll; of what goes critically wrong the GM is asked what comes of it (1.2).
    Of two dice the first counts where advantage and disadvantage cancel; where there is neither,
    Refused is raised (1.3)."""
    rolled = rolls.make(ctx, roll, judge)
    if rolled.outcome in (CRIT_MISS, CRIT_FAIL):
        ctx.emit(Noted(f"{ctx.state.name(roll.who)}'s {roll.what}: {asks}"))
    return rolled


def twice(dice: str) -> Dice:
    """Twice the dice, and what is no die once: 1d12+3 becomes 2d12+3 (rules file, 1.7)."""
    terms = parse_dice(dice).terms
    return Dice(tuple(replace(t, count=2 * t.count) if isinstance(t, Pool) else t for t in terms))


# -- the last roll made again ----------------------------------------------------------------------

REROLL = "reroll"
_BETTER = {CRIT_MISS: 0, CRIT_FAIL: 0, MISS: 1, FAIL: 1, HIT: 2, PASS: 2, CRIT: 3}
"""The outcomes from the worst to the best, for whoever rolled."""


_ANEW = Argument(
    lambda r: rolls.read_die(r.ctx, r.words, Outcomes({}), "the die"), "natural N[,M]|roll"
)


class Reroll(Struct, frozen=True):
    """`reroll natural N[,M]|roll`."""

    die: Annotated[Die, _ANEW]


def _reroll(ctx: Context, said: Reroll) -> None:
    origin, first, old = _last_roll(ctx)
    faces = said.die.faces or tuple(ctx.dice.die(20) for _ in range(2 if old.lean else 1))
    beside = (e for e in origin.entry.events if isinstance(e, Rolled) and e is not first)
    fell = [event for event in beside if not event.by_hand and event.faces]  # by the program
    made = decided(ctx, origin, rolled=fell, faces=faces)
    new = _roll_in(made.events)
    if new is None or new.faces != faces:
        raise Refused("the last roll can't be made again: it is none with an outcome of its own")
    new = replace(new, why=", ".join(filter(None, (new.why, "rerolled"))))
    if _worth(new) <= _worth(old):
        ctx.emit(new, replace(old, why="the first roll stands"))
        ctx.text = f"Rerolled: {new.outcome or new.total}; {old.outcome or old.total} stands"
        return
    ctx.emit(new, *rolled_beside(made.events)[len(fell) :])
    stands = evolve_all(origin.before, origin.entry.events)
    if old.faces != first.faces:  # of a reroll since
        stands = decided(ctx, origin, rolled=fell, faces=old.faces).state
    become(ctx, stands, made.state, "rerolled")
    ctx.text = f"Rerolled: {new.outcome or new.total}"


def _last_roll(ctx: Context) -> tuple[Previous, Rolled, Rolled]:
    """The last command but for rerolls, its roll as it first fell, and as it stands since then.
    Raises Refused where that command has made none."""
    stands: Rolled | None = None
    for here in back_from(ctx.previous):
        found = _roll_in(here.entry.events)
        stands = stands or found
        if verb_of(here.entry, ctx.ruleset) == REROLL:
            continue
        if found is None or stands is None:
            break
        return here, found, stands
    raise Refused("the last command has made no roll that could be made again")


def _roll_in(events: tuple[AnyEvent, ...]) -> Rolled | None:
    """The last roll of a d20 among some events; of one that was called out no face is known."""
    rolled = [event for event in events if isinstance(event, Rolled)]
    d20s = [e for e in rolled if e.natural is not None or (e.outcome and not e.faces)]
    return d20s[-1] if d20s else None


def _worth(roll: Rolled) -> tuple[int, int]:
    """How good a roll is for whoever made it: by its outcome, then by its total."""
    return _BETTER.get(roll.outcome, 1), roll.total or 0


VERBS = (declare(REROLL, "makes the last roll again; the better result stands", Reroll, _reroll),)
