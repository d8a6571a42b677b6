"""0 HP and below: dying, death saves, stabilising, instant death, knocking out, staggered.

Seed 003: Healing (Staggered to Monsters and Death, Variant: No Negative HP), Knocking a Creature
Out.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import called, end_named
from affray.core.heart.events import Became, Changed, Used
from affray.core.heart.state import Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Pending, declare
from affray.rulekit import life, rolls
from affray.rulekit.placing import begin
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import checks, companions, creatures, damage, totals

AT_ZERO, KNOCKED_OUT = "at-zero", "knocked-out"
"""Why somebody is unconscious, where that is a matter of HP: any healing ends it. The table of
effects has the words for them."""
DEATH_SAVE = "death save"
"""What is counted in a turn: the death save that was made."""
COUNTS = ("death_failures", "death_successes")
"""The tracks in which death saves are counted, until there are three of a kind."""


# -- falling ---------------------------------------------------------------------------------------


def fall(ctx: Context, who: str, knockout: bool = False, depth: int | None = None) -> None:
    """HP came to 0 or below: knocked out, dead at once, dead as monsters are, or dying.

    `depth` is where the damage would have led, had HP no floor; else it is taken from the HP.
    """
    target = ctx.state[who]
    depth = target.track("hp") if depth is None else depth
    if target.life == "dead":
        return
    if creatures.is_summon(target):
        companions.fell(ctx, who)
    elif knockout and target.life not in ("dying", "stable"):
        knock_out(ctx, who)
    elif not creatures.has_death_saves(target):
        die(ctx, who, called(ctx.tables, AT_ZERO))
    elif depth < 0 and depth <= -creatures.staggered_value(target):
        die(ctx, who, "as far below 0 HP as half the maximum")
    elif target.life not in ("dying", "stable"):
        _begin_dying(ctx, who)


def _begin_dying(ctx: Context, who: str) -> None:
    _lie_unconscious(ctx, who, AT_ZERO)
    begin(ctx, who, "dying", Duration(says="stable or healed"))
    life.begin_dying(ctx, who)


def _lie_unconscious(ctx: Context, who: str, because: str) -> None:
    """Be unconscious because of one's HP, for that reason alone."""
    _wake(ctx, who, called(ctx.tables, because))
    life.lie_unconscious(ctx, who, because)


def knock_out(ctx: Context, who: str) -> None:
    """Be unconscious in place of dead or dying (seed 003: Knocking a Creature Out)."""
    end_named(ctx, who, "dying", called(ctx.tables, KNOCKED_OUT))
    _lie_unconscious(ctx, who, KNOCKED_OUT)
    if ctx.state[who].life != "unconscious":
        ctx.emit(Became(who, "unconscious", called(ctx.tables, KNOCKED_OUT)))


def die(ctx: Context, who: str, why: str) -> None:
    """Die."""
    if ctx.state[who].life == "dead":
        return
    ctx.emit(Became(who, "dead", why))
    end_named(ctx, who, "dying", "dead")
    _wake(ctx, who, "dead")
    stagger(ctx, who)


def _wake(ctx: Context, who: str, why: str) -> None:
    """End the unconsciousness that is a matter of HP; one that a power laid stays."""
    life.wake(ctx, who, why, lambda effect: effect.because in (AT_ZERO, KNOCKED_OUT))


def rise(ctx: Context, who: str, why: str) -> None:
    """Come back above 0 HP: conscious, still prone. Death saves that were made go on counting.

    Whoever comes back from death begins anew: failures that killed once don't kill again.
    """
    if ctx.state[who].life == "dead":
        life.begin_counts_anew(ctx, who, COUNTS, "back from the dead")
    end_named(ctx, who, "dying", why)
    _wake(ctx, who, why)
    ctx.emit(Became(who, "up", why))


def stabilise(ctx: Context, who: str, why: str) -> None:
    """Stop dying: no more death saves, still unconscious."""
    end_named(ctx, who, "dying", why)
    ctx.emit(Became(who, "stable", why))


def stagger(ctx: Context, who: str) -> None:
    """Begin or end `staggered` as HP have it."""
    target = ctx.state[who]
    hp = target.tracks.get("hp")
    is_so = hp is not None and bool(hp.max) and 2 * hp.value <= (hp.max or 0)
    if target.life == "dead":
        is_so = False
    if is_so and target.named("staggered") is None:
        until = Duration(says="above half of its HP")
        begin(ctx, who, "staggered", until)
    elif not is_so:
        end_named(ctx, who, "staggered", "dead" if target.life == "dead" else "above half")


# -- after something was set by hand ---------------------------------------------------------------


def reconcile(ctx: Context, who: str) -> None:
    """After something was set by hand: HP at or below 0 bring down, above 0 bring back."""
    if "hp" not in ctx.state[who].tracks:
        return
    _raise_to_the_floor(ctx, who)
    life.set_by_hand(ctx, who, fall, rise, lambda c: c.named(life.UNCONSCIOUS) is not None)
    if ctx.state[who].life == "dying" and ctx.state[who].named("dying") is None:
        stabilise(ctx, who, "by hand")
    elif ctx.state[who].life == "dying":
        _count_up(ctx, who)


def _raise_to_the_floor(ctx: Context, who: str) -> None:
    """HP below 0 go up to it where that is the lowest (seed 003: Variant: No Negative HP)."""
    hp = ctx.state[who].track("hp")
    if hp < 0 and not damage.has_negative_hp(ctx.state):
        ctx.emit(Changed(who, "hp", -hp, why="0 is the lowest"))


# -- death saves -----------------------------------------------------------------------------------


def is_due(state: Encounter, who: Combatant) -> bool:
    """Whether somebody still has a death save to make in a turn of theirs.

    At the start of the turn it is for those who start it dying; at its end for all who are.
    """
    return who.life == "dying" and _has_one(state, who) and not who.used(DEATH_SAVE)


def _has_one(state: Encounter, who: Combatant) -> bool:
    """Whether the turn that is or was theirs has a death save of its own: it has none at its start
    when it began above 0 HP."""
    return _at_the_end(state) or not who.used(life.FELL)


def _at_the_end(state: Encounter) -> bool:
    return state.settings.get("death-saves") == "end"


def roll_owed(ctx: Context, who: str) -> None:
    """Before a turn may end: the death save that was to be made at its start is rolled.

    Whoever comes to by it has that turn.
    """
    if not _at_the_end(ctx.state):
        roll_missing(ctx, who)


def roll_missing(ctx: Context, who: str) -> None:
    """The death save that nobody made in a turn is rolled."""
    if is_due(ctx.state, ctx.state[who]):
        death_save(ctx, who, Die())


def pending(state: Encounter) -> list[Pending]:
    """The death saves that wait for the GM in this turn."""
    return [_pending(up) for up in state.all_up() if is_due(state, up)]


def _pending(up: Combatant) -> Pending:
    words = ("success", "failure", "crit", "roll")
    answers = ((word[0], "20 or higher" if word == "crit" else word, word) for word in words)
    return life.pending(up, DEATH_SAVE, DEATH_SAVE, answers)


def death_save(
    ctx: Context, who: str, die_: Die, plus: int = 0, extra: bool = False
) -> checks.Outcome:
    """Make a death save; 20 or higher spends a recovery, if there is one, and brings back.

    An `extra` one is made beside that of the turn; so is every one where the turn has none.
    Seed 003: Death Saving Throws.
    """
    parts = checks.save_parts(ctx, ctx.state[who], plus)
    dc, high = ctx.tables.economy["save"], ctx.tables.economy["death_save_high"]
    check = checks.Check(who, DEATH_SAVE, parts, dc, die_, high=high)
    outcome = checks.make(ctx, check)
    totals.use_up(ctx, who, ("save",))
    if ctx.state.takes_turn(who) and not extra and _has_one(ctx.state, ctx.state[who]):
        ctx.emit(Used(who, DEATH_SAVE))
    payer = ctx.state.find(companions.recovers_for(ctx.state, ctx.state[who]))
    if outcome == "crit" and payer is not None and payer.track("recoveries") > 0:
        damage.spend_recovery(ctx, who, "a death save of 20")
        return outcome
    track = "death_failures" if outcome == "miss" else "death_successes"
    ctx.emit(Changed(who, track, 1, why="a death save"))
    _count_up(ctx, who)
    return outcome


def _count_up(ctx: Context, who: str) -> None:
    """The third failure kills; the third success stabilises, and what was counted has counted."""
    enough = ctx.tables.economy["death_saves"]
    full = life.full_count(ctx.state[who], COUNTS, enough)
    if full == "death_failures":
        die(ctx, who, f"{enough} failed death saves")
    elif full:
        stabilise(ctx, who, f"{enough} death saves")
        life.begin_counts_anew(ctx, who, COUNTS, "three of a kind")


_TOLD = {"miss": "failure", "hit": "success", "crit": "20 or higher"}


class _Said(Struct, frozen=True, kw_only=True):
    """What `death` says; `extra` tells that it is one beside that of the turn."""

    who: Annotated[Combatant | None, arguments.person("who is dying")] = None
    die: Annotated[Die, rolls.die_said(checks.OUTCOMES, what="the death save")]
    plus: Annotated[int, checks.BONUS] = 0
    extra: Annotated[bool, arguments.flag()] = False


def _death(ctx: Context, said: _Said) -> None:
    dier = said.who or ctx.actor()
    if dier.life != "dying":
        raise Refused(f"{dier.name} is not dying but {dier.life}")
    if ctx.state.takes_turn(dier.id) and dier.used(DEATH_SAVE) and not said.extra:
        raise Refused(
            f"{dier.name} has made a death save in this turn already: "
            "`extra` says that this is one more"
        )
    outcome = death_save(ctx, dier.id, said.die, said.plus, said.extra)
    ctx.text = f"{dier.name}'s death save, {_TOLD[outcome]}"


DEATH_VERBS = (
    declare("death", "makes a death save; 20 or higher spends a recovery", _Said, _death),
    life.knock_out_verb(
        "right after the damage that brought it down: unconscious in place of dead or dying",
        knock_out,
    ),
)
