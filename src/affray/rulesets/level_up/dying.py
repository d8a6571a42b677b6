"""At 0 HP: falling, massive damage, death saves, what hurts then, stable, knocked out, dead.

Seed 002: Fatigue, Death, and Doom; rules file, 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import called, end, end_named
from affray.core.heart.events import Altered, Became, Changed, Noted, Used
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import Pending, declare
from affray.rulekit import life, numbers
from affray.rulekit.placing import begin
from affray.rulekit.rests import forget
from affray.rulekit.rolls import Die
from affray.rulesets.level_up import checks, fatigue, totals
from affray.rulesets.level_up.checks import FAILURE, SUCCESS, Terms, Try
from affray.rulesets.level_up.sheet import DEATH_SAVES

AT_ZERO = "at-zero"
"""Why somebody is unconscious or doomed, where it is their HP. The table of effects has words."""
DOOMED = "doomed"
THREATENED = "threatened"
"""The effect of whoever owes a save; its note is what against, its amount the damage that fell."""
MASSIVE, OWED = "massive", "owed"
"""What is counted while a save against massive damage is owed, and the span of that."""
DEATH_SAVE = "death save"
"""What is counted in a turn: the death save that was made."""
FROM_AFAR, DOWN = "from afar", "down"
"""What is counted as long as somebody is down: that what brought them there can't knock out."""
CHOICES = ("failure", "fatigue", "strife")
"""What damage can bring to somebody who is at 0 HP."""


def fate(who: Combatant) -> Literal["dying", "doomed", "dead"]:
    """What 0 HP make of somebody. Monsters die, unless they are important; who is dramatic has one
    more turn. Rules file, 9.11."""
    if who.stats.get("dramatic"):
        return "doomed"
    return "dying" if who.kind == "pc" or who.stats.get("important") else "dead"


# -- falling ---------------------------------------------------------------------------------------


def fall(
    ctx: Context, who: str, dealt: int = 0, knockout: bool = False, from_afar: bool = False
) -> None:
    """HP came to 0 by so much damage, resistance taken off and temporary HP not (R9)."""
    target = ctx.state[who]
    if from_afar:
        ctx.emit(Used(who, FROM_AFAR, DOWN))
    if knockout:
        knock_out(ctx, who)
    elif fate(target) == "dead":
        die(ctx, who, called(ctx.tables, AT_ZERO))
    elif fate(target) == "doomed":
        if not _the_end(target):  # no more damage brings that nearer
            until = timing.at_turn(ctx.state, who, "end")
            begin(ctx, who, DOOMED, until, because=AT_ZERO)
    else:
        life.begin_dying(ctx, who)
        life.lie_unconscious(ctx, who, AT_ZERO)
        fatigue.tire_by_falling(ctx, who, "falls unconscious")
        if dealt >= numbers.value(totals.here(ctx, target), "massive"):
            ctx.emit(Used(who, MASSIVE, OWED))
            ctx.emit(Noted(f"massive damage: {target.name} owes a Constitution save"))


def _the_end(who: Combatant) -> list[Effect]:
    """What dooms a dramatic one, who is awake until its next turn ends (rules file, R33)."""
    doom = (e for e in who.all_named(DOOMED) if e.because == AT_ZERO)
    return [effect for effect in doom if effect.until.ends == "turn"]


def meet_the_end(ctx: Context, who: str, now: bool = False) -> None:
    """As a turn of its ends, or with the fight, a dramatic one dies of its last blow."""
    slot = ctx.state.slot(who)
    for effect in _the_end(ctx.state[who]):
        if now or (slot is not None and effect.until.count <= slot.turns):
            ctx.emit(Altered(who, replace(effect, until=Duration())))
            die(ctx, who, "had one turn more")


def die(ctx: Context, who: str, why: str) -> None:
    """Die. No save is owed any more."""
    forget(ctx, who, OWED)
    end_named(ctx, who, THREATENED, "dead")
    if ctx.state[who].life != "dead":
        ctx.emit(Became(who, "dead", why))


def rise(ctx: Context, who: str, why: str) -> None:
    """Come back above 0 HP: awake, still prone; nothing counts of the death saves made before."""
    life.begin_counts_anew(ctx, who, DEATH_SAVES, why)
    life.wake(ctx, who, why, lambda effect: effect.because == AT_ZERO)
    forget(ctx, who, DOWN, OWED)
    ctx.emit(Became(who, "up", why))


def stabilise(ctx: Context, who: str, why: str) -> None:
    """Stop dying: unconscious at 0 HP, without death saves (rules file, 9.9)."""
    life.begin_counts_anew(ctx, who, DEATH_SAVES, why)
    ctx.emit(Became(who, "stable", why))
    ctx.emit(Noted(f"{ctx.state.name(who)} has 1 HP in 1d4 hours, unless healed before"))


# -- knocking out ----------------------------------------------------------------------------------


def knock_out(ctx: Context, who: str, has_tired: bool = False) -> None:
    """Be unconscious and stable in place of whatever 0 HP would bring, with a level of fatigue
    (rules file, 9.10, R8).

    `has_tired` tells that in a fight this same fall has brought that level already.
    """
    forget(ctx, who, OWED)
    for effect in ctx.state[who].all_named(DOOMED):
        if effect.because == AT_ZERO:
            end(ctx, who, effect.id, "knocked out")
    life.lie_unconscious(ctx, who, AT_ZERO)
    if ctx.state.phase != "combat":
        fatigue.tire(ctx, who, "knocked out")
    elif not has_tired:
        fatigue.tire_by_falling(ctx, who, "knocked out")
    stabilise(ctx, who, "knocked out")


def knock_out_now(ctx: Context, who: str) -> None:
    """Right after the damage. Raises Refused where no melee attack can have dealt it."""
    target = ctx.state[who]
    if target.used(FROM_AFAR, DOWN):
        raise Refused(f"only a melee attack can knock somebody out, and none hit {target.name}")
    knock_out(ctx, who, has_tired=target.life == "dying")


# -- damage at 0 HP --------------------------------------------------------------------------------


def hurt_at_zero(ctx: Context, who: str, choice: str, attacked: bool, critical: bool) -> None:
    """Damage to somebody who lies at 0 HP: its attacker's choice; of other damage the GM's, and a
    failed death save unless said. Who simply dies at 0 HP dies now. Rules file, 9.7, 9.8, 5.4, R13.

    Raises Refused for an attack of which nothing was chosen.
    """
    target = ctx.state[who]
    if fate(target) != "dying":
        die(ctx, who, f"hurt at {called(ctx.tables, AT_ZERO)}")
        return
    if attacked:
        require_choice(target, choice)
    if attacked and critical:
        fatigue.tire(ctx, who, "a critical at 0 HP")
    if target.life == "stable":
        life.begin_dying(ctx, who, "hurt at 0 HP")
    if choice in ("fatigue", "strife"):
        fatigue.tire(ctx, who, "hurt at 0 HP", {choice: 1})
    else:
        _count(ctx, who, "death_failures", "hurt at 0 HP")


def require_choice(target: Combatant, choice: str) -> None:
    """Raises Refused for an attack on somebody who lies at 0 HP, of which nothing was chosen."""
    if target.life in ("dying", "stable") and fate(target) == "dying" and not choice:
        said = f"say what the attack brings: {listed(CHOICES)}"
        raise Refused(f"{target.name} is at 0 HP: {said}", CHOICES)


def _count(ctx: Context, who: str, track: str, why: str) -> None:
    ctx.emit(Changed(who, track, 1, why=why))
    _count_up(ctx, who)


def _count_up(ctx: Context, who: str) -> None:
    """The third failure kills; the third success stabilises (rules file, 9.5)."""
    enough = int(ctx.tables.economy["death_saves"])
    full = life.full_count(ctx.state[who], DEATH_SAVES, enough)
    if full == "death_failures":
        die(ctx, who, f"{enough} failed death saves")
    elif full:
        stabilise(ctx, who, f"{enough} death saves")


def set_by_hand(ctx: Context, who: str) -> None:
    """After a number was written by hand: HP at 0 bring down, HP above bring back, counts count."""
    fatigue.written_by_hand(ctx, who)
    life.set_by_hand(ctx, who, fall, rise, lambda c: c.named(life.UNCONSCIOUS) is not None)
    if ctx.state[who].life == "dying":
        _count_up(ctx, who)


# -- death saves -----------------------------------------------------------------------------------


class Saving(Struct, frozen=True):
    """What `massive` says: whose save it is, and how it came out."""

    who: Annotated[Combatant, arguments.person("who is dying", asks="person:dying")]
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)]


class Death(Saving, frozen=True):
    """What `death` says: `extra` for one beside that of the turn."""

    extra: Annotated[bool, arguments.flag()] = False


def roll_owed(ctx: Context, who: str) -> None:
    """The death save that nobody made before the turn may end is rolled."""
    if life.is_due(ctx.state[who], DEATH_SAVE):
        _save_from_death(ctx, Death(ctx.state[who], Die(), Terms()))


def _save_from_death(ctx: Context, said: Death) -> str:
    """Tied to no ability; what changes saves counts. Rules file, 9.5, 9.6."""
    who, dc = said.who.id, int(ctx.tables.economy["death_save"])
    final = {1: FAILURE, 20: SUCCESS}
    trial = Try(who, "", said.die, save=True, name=DEATH_SAVE, dc=dc, terms=said.terms, final=final)
    rolled = checks.attempt(ctx, trial)
    if ctx.state.takes_turn(who) and not said.extra:
        ctx.emit(Used(who, DEATH_SAVE))
    if rolled.natural == 20:
        ctx.emit(Changed(who, "hp", 1, why="a natural 20"))
        rise(ctx, who, "a natural 20")
        return SUCCESS
    if rolled.natural == 1:
        fatigue.tire(ctx, who, "a natural 1", fatigue.BOTH)
        if ctx.state.settings.get("death-one") == "no-failure":
            return FAILURE
    track = "death_failures" if rolled.outcome == FAILURE else "death_successes"
    _count(ctx, who, track, f"a death save, {rolled.outcome}")
    return rolled.outcome


def _death(ctx: Context, said: Death) -> None:
    if said.who.life != "dying":
        raise Refused(f"{said.who.name} is not dying but {said.who.life}")
    require_no_massive_save([said.who])
    is_due = ctx.state.takes_turn(said.who.id) and life.is_due(said.who, DEATH_SAVE)
    if ctx.state.phase == "combat" and not (is_due or said.extra):
        once = "one death save for each turn that starts at 0 HP"
        raise Refused(f"{said.who.name} makes {once}, and none is due: `extra` is for another")
    ctx.text = f"{said.who.name}'s death save, {_save_from_death(ctx, said)}"


# -- massive damage --------------------------------------------------------------------------------


def roll_massive_saves(ctx: Context) -> None:
    """Saves against massive damage that nobody made by the end of a turn are rolled."""
    for who in ctx.state.combatants:
        if owes_massive_save(who):
            _survive(ctx, Saving(who, Die(), Terms()))


def owes_massive_save(who: Combatant) -> bool:
    """Whether it is still open if massive damage has killed somebody."""
    return who.used(MASSIVE, OWED) > 0


def require_no_massive_save(people: Sequence[Combatant]) -> None:
    """Raises Refused where a save against massive damage is owed, which comes before all else."""
    owing = [who for who in people if owes_massive_save(who)]
    if owing:
        first = f"`massive {owing[0].id} OUTCOME` comes first"
        raise Refused(f"{they(owing, 'saves or dies', 'save or die')} of massive damage: {first}")


def _survive(ctx: Context, said: Saving) -> str:
    """Dead, or one fatigue and one strife. Rules file, 9.1."""
    who, dc = said.who.id, int(ctx.tables.economy["massive_save"])
    trial = Try(who, "con", said.die, save=True, dc=dc, terms=said.terms)
    outcome = checks.attempt(ctx, trial).outcome
    forget(ctx, who, OWED)
    if outcome == FAILURE:
        die(ctx, who, "massive damage")
    else:
        fatigue.tire(ctx, who, "massive damage survived", fatigue.BOTH)
    return outcome


def _massive(ctx: Context, said: Saving) -> None:
    if not owes_massive_save(said.who):
        raise Refused(f"{said.who.name} owes no save against massive damage")
    ctx.text = f"{said.who.name}'s save against massive damage, {_survive(ctx, said)}"


# -- what waits for the GM -------------------------------------------------------------------------

ANSWERS = (("s", SUCCESS, SUCCESS), ("f", FAILURE, FAILURE), ("r", "roll", "roll"))


def pending(state: Encounter) -> Iterator[Pending]:
    """The saves against massive damage, whoever's, and the death saves of whose turn it is."""
    for who in state.combatants:
        if owes_massive_save(who):
            says, roll = "took massive damage: saves or dies", "save against massive damage"
            yield life.owed(who, "massive", says, roll, ANSWERS)
    for who in state.all_up():
        if life.is_due(who, DEATH_SAVE):
            yield life.owed(who, "death", f"is dying: {DEATH_SAVE}", DEATH_SAVE, ANSWERS)


VERBS = (
    declare("death", "makes a death save", Death, _death),
    declare("massive", "makes the save against massive damage", Saving, _massive),
    life.knock_out_verb(
        "right after the blow that brought it down: unconscious and stable", knock_out_now
    ),
)
