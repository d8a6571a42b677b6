"""Mounts: who carries whom, whose will it goes by, and who keeps their seat.

A rider has the effect `mounted`, from its mount; a controlled mount has `controlled`, from its
rider, and acts right behind it. Who is about to fall off has `slipping` until the save is made: its
type is `weak` when that came out so, and 2 fatigue are still to be marked or not.

Seed 004: Mounted Combat, Basic Techniques (Mount or Dismount).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from affray.core.heart import order
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, end_named, in_force
from affray.core.heart.events import Became, Gained
from affray.core.heart.state import OUT_OF_THE_FIGHT, Combatant, Duration, Encounter
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.rules.ruleset import Choice, Pending, declare
from affray.rulekit import numbers, rolls
from affray.rulekit.acts import Pay
from affray.rulekit.placing import begin, renew
from affray.rulekit.recorded import larger_by, size_of
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import checks, harm, totals
from affray.rulesets.monsters_and_magic.checks import Outcome, Terms

MOUNTED, CONTROLLED, SLIPPING, PRONE = "mounted", "controlled", "slipping", "prone"
INDEPENDENT = "independent"
WEAK: Outcome = "weak"


# -- getting on and off ----------------------------------------------------------------------------


class Mounting(Struct, frozen=True):
    """What `mount` says; a trained mount is controlled unless said."""

    steed: Annotated[Combatant | None, arguments.person("the mount", usage="MOUNT")] = None
    will: Annotated[str, arguments.one_of(CONTROLLED, INDEPENDENT)] = ""


def mount(ctx: Context, said: Mounting, who: Combatant, pay: Pay) -> None:
    """Mount or Dismount, for half of the speed: whoever rides gets off."""
    riding, steed = who.named(MOUNTED), said.steed
    if riding is None and steed is not None:
        _refuse_unfit(who, steed)
    pay()
    if riding is not None and steed is not None:
        raise Refused(f"{who.name} rides already: `dismount` comes first")
    half = numbers.value(totals.here(ctx, who), "speed") // 2
    if riding is not None:
        end(ctx, who.id, riding.id, "dismounted")
        ctx.text = f"{who.name} dismounts, for {half} feet of its speed"
        return
    seat = begin(
        ctx, who.id, MOUNTED, Duration(says="dismounting"), source=steed.id if steed else ""
    )
    usual = CONTROLLED if steed is not None and steed.stats.get("trained") else INDEPENDENT
    if steed is not None and (said.will or usual) == CONTROLLED:
        until = Duration(says="its rider dismounts")
        renew(ctx, steed.id, CONTROLLED, until, source=who.id, hangs=f"{who.id}/{seat.id}")
        order.arrange_anew(ctx)
    ctx.text = f"{who.name} mounts {steed.name if steed else 'up'}, for {half} feet of its speed"


def _refuse_unfit(rider: Combatant, steed: Combatant) -> None:
    """Raises Refused for what is no mount for this rider, by what the sheets say of the two.

    A mount is at least a size larger. That it is willing, and built for it, whoever gives the
    command has said by it; only who is down can be neither.
    """
    if steed.id == rider.id:
        raise Refused(f"{rider.name} can't mount themself")
    if steed.life != "up":
        raise Refused(f"{steed.name} is {steed.life}, and carries nobody")
    seat = steed.named(MOUNTED)
    if seat is not None and seat.source == rider.id:
        raise Refused(f"{steed.name} rides {rider.name}")
    if "size" in steed.stats and larger_by(steed, rider) < 1:
        raise Refused(
            f"{steed.name} is {size_of(steed)}: a mount is at least a size larger than its rider, "
            f"and {rider.name} is {size_of(rider)}"
        )


def steed_of(state: Encounter, rider: Combatant) -> Combatant | None:
    """The creature that somebody rides; None for nobody's rider, and for an unnamed mount."""
    seat = rider.named(MOUNTED)
    return state.find(seat.source) if seat is not None and seat.source else None


def master(who: Combatant) -> str:
    """The rider at whose initiative a controlled mount acts; empty for everybody else."""
    control = who.named(CONTROLLED) if who.effects else None
    return control.source if control is not None else ""


# -- keeping one's seat ----------------------------------------------------------------------------


def settle(ctx: Context) -> None:
    """Who has fallen prone, or rides what has, must save to stay on; who is no longer controlled
    acts for itself again."""
    if any(slot.follows for slot in ctx.state.slots):
        order.arrange_anew(ctx)
    prone = {e.who for e in ctx.events if isinstance(e, Gained) and e.effect.name == PRONE}
    became = (e for e in ctx.events if isinstance(e, Became))
    down = prone | {event.who for event in became if event.life in OUT_OF_THE_FIGHT}
    for rider in ctx.state.combatants if down else ():
        seat = rider.named(MOUNTED)
        if seat is None or rider.is_out or rider.named(SLIPPING) is not None:
            continue
        if rider.id in down or seat.source in down:
            begin(ctx, rider.id, SLIPPING, Duration(says="it saves"), source=seat.source)


class Seat(Struct, frozen=True):
    """What `mount-save` says: after a weak hit one stays for 2 fatigue, or gets off.

    What a weak hit comes to may be said later: `mount-save NAME stay`.
    """

    rider: Annotated[Combatant, arguments.person("the rider")]
    die: Annotated[Die | None, rolls.die_said(checks.OUTCOMES)] = None
    stays: Annotated[str, arguments.one_of("stay", "off")] = ""
    terms: Annotated[Terms, arguments.words_of(Terms, "WORDS")] = Terms()


def _mount_save(ctx: Context, said: Seat) -> None:
    rider = said.rider
    slipping = rider.named(SLIPPING)
    if rider.named(MOUNTED) is None:
        raise Refused(f"{rider.name} rides nobody")
    outcome: Outcome = WEAK
    if said.die is not None:
        outcome = _save(ctx, rider, said.die, said.terms)
    elif slipping is None or slipping.type != WEAK:
        raise Refused(f"how does the save come out: {checks.OUTCOMES.listed}?")
    elif not said.stays:
        raise Refused(f"does {rider.name} `stay`, for 2 fatigue, or get `off`?")
    came = _come_out(ctx, rider, outcome, said.stays)
    ctx.text = f"{rider.name}'s save to stay mounted, {outcome}: {came}"


def _save(ctx: Context, rider: Combatant, die: Die, terms: Terms) -> Outcome:
    return checks.make(ctx, checks.saving_throw(ctx, rider, "cunning", die, terms))


def _come_out(ctx: Context, rider: Combatant, outcome: Outcome, stays: str) -> str:
    """What the save brings, in words: prone beside the mount, on one's feet there, or still on it.

    A weak hit of which `stays` doesn't tell is asked about.
    """
    if outcome not in checks.HITS:
        _leave_seat(ctx, rider.id, "thrown")
        if rider.named(PRONE) is None:
            begin(ctx, rider.id, PRONE)
        return "thrown, and prone beside the mount"
    if outcome == WEAK and not stays:
        renew(ctx, rider.id, SLIPPING, Duration(says="it stays or gets off"), type=WEAK)
        return "stays for 2 fatigue, or lands on its feet"
    if outcome == WEAK and stays == "stay":
        harm.require_fatigue(rider)
        harm.mark_fatigue(ctx, rider.id, ctx.tables.economy["keep_seat"], "to stay mounted")
    told = "keeps the seat"
    if outcome == WEAK and stays == "off":
        _leave_seat(ctx, rider.id, "knocked off")
        told = "lands on its feet beside the mount"
    end_named(ctx, rider.id, SLIPPING, told)
    if "unconscious" not in in_force(ctx.tables, ctx.state, ctx.state[rider.id]):
        end_named(ctx, rider.id, PRONE, "on its feet, or in the saddle")
    return told


def _leave_seat(ctx: Context, rider: str, why: str) -> None:
    for name in (SLIPPING, MOUNTED):
        end_named(ctx, rider, name, why)


def _slipping(state: Encounter) -> list[tuple[Combatant, bool]]:
    """Who is about to fall off, and whether their save was made and came out weak."""
    slipping = ((c, c.named(SLIPPING)) for c in state.combatants if c.effects)
    return [(rider, effect.type == WEAK) for rider, effect in slipping if effect is not None]


def roll_missing(ctx: Context) -> None:
    """Make the saves that nobody made before the turn ends; who saved weakly gets off."""
    for rider, is_weak in _slipping(ctx.state):
        outcome = WEAK if is_weak else _save(ctx, rider, rolls.unsaid(ctx), Terms())
        _come_out(ctx, rider, outcome, "off")


_ANSWERS = (
    ("m", "miss", "miss"),
    ("w", "weak, and stays for 2 fatigue", "weak stay"),
    ("o", "weak, and gets off", "weak off"),
    ("s", "strong", "strong"),
    ("r", "roll", "roll"),
)
_AFTER_WEAK = (("w", "stays for 2 fatigue", "stay"), ("o", "gets off", "off"))


def pending(state: Encounter) -> list[Pending]:
    """The saves of riders that wait for the GM."""
    return [_owed(rider, is_weak) for rider, is_weak in _slipping(state)]


def _owed(rider: Combatant, is_weak: bool) -> Pending:
    command = f"mount-save {rider.id}"
    says = "stays mounted for 2 fatigue, or gets off" if is_weak else "saves to stay mounted"
    rows = _AFTER_WEAK if is_weak else _ANSWERS
    return Pending(
        rider.id,
        f"{rider.name} {says}",
        tuple(Choice(key, label, f"{command} {word}") for key, label, word in rows),
        missed=f"{rider.name} {'got off' if is_weak else 'saved to stay mounted'}",
        holds=True,
        die="" if is_weak else command,
    )


VERBS = (declare("mount-save", "saves to stay on a mount (a cunning save)", Seat, _mount_save),)
