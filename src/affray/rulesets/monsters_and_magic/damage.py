"""Harm and healing: damage and HP, fatigue and exhaustion, dying, Death's bargain.

Monsters & Magic, Attacking & Dealing Damage, Armor Class, Resistance & Vulnerability, Temporary Hit
Points, Underwater Combat, Fatigue & Exhaustion, Death & Dying.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.dice import DieInput
from affray.core.engine.events import LifeChanged, TrackChanged, UseCounted
from affray.core.engine.state import Combatant
from affray.core.parser import arguments
from affray.core.parser.declarations import declare_command
from affray.core.parser.errors import Refused
from affray.core.parser.prompt_fields import Field
from affray.core.rules.ruleset import Context, PendingDecision
from affray.mechanics import checks as shared_checks, damage, dying, stats
from affray.mechanics.sheet import stat_words
from affray.mechanics.stats import StatPart
from affray.rulesets.monsters_and_magic import checks, environment, stats as totals
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.stats import LISTS

EXHAUSTED, DYING = "exhaustion", "dying"
"""Causes (`because`) of being unconscious."""
NO_EXHAUSTION = "no exhaustion left to mark"


class DamageInstance(Struct, frozen=True):
    """Damage on its way: the amount as rolled, its type, and its particulars.

    outcome   the outcome, which decides how much of the amount it deals
    extra_ac  AC on top of the target's own
    bonus     the situation's bonus or penalty on the rolled amount
    label     where it comes from, in words
    """

    amount: int
    type: str = ""
    outcome: Outcome = "strong"
    extra_ac: int = 0
    label: str = ""
    bonus: int = 0


_SCALES = {"weak": damage.halve("halved", least=1), "crit": damage.double_amount("doubled")}
"""The damage step of each outcome that doesn't deal the amount as rolled."""


def scaled(amount: int, outcome: Outcome) -> int:
    """Scale damage by the outcome of a hit: half (down, at least 1 of something), all or double."""
    return _SCALES[outcome].makes(amount) if outcome in _SCALES else amount


def _steps(
    ctx: Context, target: Combatant, blow: DamageInstance, armor: int
) -> Iterator[damage.DamageStep]:
    """Half or double, AC, then resistance and the like: the order of the rules."""
    if blow.bonus:
        yield damage.flat(blow.bonus)
    if blow.outcome in _SCALES:
        yield _SCALES[blow.outcome]
    if armor:
        yield damage.subtract(armor, "AC")
    if not blow.type:
        return
    is_wet = blow.type == "fire" and environment.is_under_water(ctx, target)
    if is_wet or blow.type in stat_words(target, "resist"):
        yield damage.halve("resisted", tells=False)
    if blow.type in stat_words(target, "vulnerable"):
        yield damage.double_amount("vulnerable", tells=False)
    if blow.type in stat_words(target, "immune"):
        yield damage.negate("immune")


def deal(ctx: Context, combatant_id: str, blow: DamageInstance) -> int:
    """Deal damage: temporary HP first, then HP, then the consequences. Returns the damage that got
    through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = damage.resolve_damage_target(ctx, combatant_id)
    used = totals.fitting(target, ("ac",))
    extra = blow.extra_ac + sum(effect.modifiers.get("ac", 0) for effect in used)
    armor = stats.stat_value(
        totals.situation_of(ctx, target), "ac", more=[StatPart(extra, "extra")]
    )
    totals.use_up(ctx, combatant_id, "ac", used)
    steps = _steps(ctx, target, blow, armor)
    amount, how = damage.apply_steps(ctx, combatant_id, blow.amount, steps, blow.type, blow.label)
    if amount:
        lose(ctx, combatant_id, amount, how)
    return amount


def lose(ctx: Context, combatant_id: str, amount: int, why: str | damage.Steps) -> None:
    """Lose HP that nothing keeps off, temporary ones first, with what 0 HP brings: the dying mark 1
    exhaustion, the stable are dying again (Death & Dying)."""
    life_before = ctx.state[combatant_id].life
    damage.lose_hp(ctx, combatant_id, amount, why)
    if life_before == "dying":
        mark_exhaustion(ctx, combatant_id, 1, "hurt while dying")
    elif life_before == "stable":
        dying.start_dying(ctx, combatant_id, "hurt at 0 HP")
    elif ctx.state[combatant_id].track("hp") == 0:
        fall(ctx, combatant_id)


def heal(ctx: Context, combatant_id: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum; whoever has HP then is awake, but for the exhausted. Gives how much.

    The dying and the stable are back by it (Monsters & Magic, Death & Dying). Raises Refused for
    the dead: only Death's bargain brings a character back.
    """
    target = ctx.state[combatant_id]
    damage.require_hp(target, "healed")
    if target.life == "dead":
        hint = f"; `bargain {combatant_id} accept` brings them back" if target.kind == "pc" else ""
        raise Refused(f"{target.name} is dead{hint}")
    healed = damage.regain_hp(ctx, combatant_id, amount, why)
    if healed and target.life in ("dying", "stable"):
        rise(ctx, combatant_id, why or "healed")
    elif amount > 0 and ctx.state[combatant_id].track("hp") > 0:
        wake(ctx, combatant_id, why or "healed")
    return healed


def known_types(ctx: Context) -> Iterator[str]:
    """The types of damage that the rules or somebody's resistances name."""
    return damage.damage_types(ctx, lambda c: (t for key in LISTS for t in stat_words(c, key)))


class _Damage(damage.DamageArgs, frozen=True):
    """The arguments of `damage`."""

    type: Annotated[str, arguments.damage_type_arg(known_types)] = ""


def _damage(ctx: Context, combatant_id: str, args: _Damage, half: bool) -> None:
    deal(ctx, combatant_id, DamageInstance(args.amount, args.type, "weak" if half else "strong"))


# -- fatigue and exhaustion ------------------------------------------------------------------------


def _can_tire(combatant: Combatant) -> bool:
    """True if it has fatigue and exhaustion at all: hazards have none."""
    return combatant.tracks.keys() >= {"fatigue", "exhaustion"}


def require_fatigue(combatant: Combatant) -> None:
    """Raises Refused for somebody who can't tire."""
    if not _can_tire(combatant):
        raise Refused(f"{combatant.name} has no fatigue to mark")


def mark_fatigue(ctx: Context, combatant_id: str, marks: int, why: str) -> None:
    """Mark fatigue on a combatant, with all that follows; nothing on one who can't tire.

    With the track full, the next mark goes to exhaustion instead and empties the track, then
    marking goes on. Marks beyond the last of exhaustion are lost.
    """
    if not _can_tire(ctx.state[combatant_id]):
        return
    fatigue, exhaustion = (
        ctx.state[combatant_id].tracks[name] for name in ("fatigue", "exhaustion")
    )
    new_fatigue, new_exhaustion = fatigue.value, exhaustion.value
    has_room = True
    for _ in range(marks):
        if new_fatigue < (fatigue.max or 0):
            new_fatigue += 1
        elif new_exhaustion < (exhaustion.max or 0):
            new_fatigue, new_exhaustion = 0, new_exhaustion + 1
        else:
            has_room = False
    if new_fatigue != fatigue.value:
        ctx.emit(TrackChanged(combatant_id, "fatigue", new_fatigue - fatigue.value, why=why))
    if new_exhaustion != exhaustion.value:
        deeper = new_exhaustion - exhaustion.value
        ctx.emit(TrackChanged(combatant_id, "exhaustion", deeper, why=why))
    if not has_room:
        out_of_exhaustion(ctx, combatant_id)


def mark_exhaustion(ctx: Context, combatant_id: str, marks: int, why: str) -> None:
    """Mark exhaustion itself; marks without room knock out, or kill the dying."""
    if "exhaustion" not in ctx.state[combatant_id].tracks:
        return
    room = ctx.state[combatant_id].room("exhaustion")
    if room:
        ctx.emit(TrackChanged(combatant_id, "exhaustion", min(marks, room), why=why))
    if marks > room:
        out_of_exhaustion(ctx, combatant_id)


def clear_fatigue(
    ctx: Context, combatant_id: str, amount: int, why: str, by_somebody: bool = True
) -> None:
    """Clear fatigue, never exhaustion. When somebody's action does it, a character who was knocked
    out by exhaustion wakes."""
    clear_marks(ctx, combatant_id, "fatigue", amount, why)
    if by_somebody and amount > 0 and ctx.state[combatant_id].kind == "pc":
        wake_from_exhaustion(ctx, combatant_id, "recovers fatigue")


def clear_marks(ctx: Context, combatant_id: str, track: str, amount: int, why: str) -> int:
    """Clear marks of any track, as many as there are; returns how many."""
    really = min(amount, ctx.state[combatant_id].track(track))
    if really:
        ctx.emit(TrackChanged(combatant_id, track, -really, why=why))
    return really


# -- down and up again -----------------------------------------------------------------------------


def fall(ctx: Context, combatant_id: str) -> None:
    """Apply the fall to 0 HP: monsters and things die; a character, or a monster marked important,
    falls unconscious and prone, and is dying."""
    if ctx.state[combatant_id].kind == "pc" or ctx.state[combatant_id].stats.get("important"):
        dying.start_dying(ctx, combatant_id, "0 HP")
        dying.fall_unconscious(ctx, combatant_id, DYING)
    else:
        ctx.emit(LifeChanged(combatant_id, "dead", "0 HP"))


def out_of_exhaustion(ctx: Context, combatant_id: str) -> None:
    """Apply a mark that exhaustion has no room for: the dying die, others are knocked out."""
    combatant = ctx.state[combatant_id]
    if combatant.life == "dying":
        ctx.emit(LifeChanged(combatant_id, "dead", NO_EXHAUSTION))
    elif combatant.life != "dead" and not knocked_out(combatant):
        says = "a long rest" if combatant.kind != "pc" else "fatigue is recovered"
        dying.fall_unconscious(ctx, combatant_id, EXHAUSTED, says)
        if combatant.life == "up":
            ctx.emit(LifeChanged(combatant_id, "unconscious", NO_EXHAUSTION))


def knocked_out(combatant: Combatant) -> bool:
    """True if exhaustion has knocked somebody out."""
    return dying.is_unconscious(combatant, EXHAUSTED)


def wake_from_exhaustion(ctx: Context, combatant_id: str, why: str) -> None:
    """End the knock-out that exhaustion caused."""
    dying.wake_up(ctx, combatant_id, why, lambda effect: effect.because == EXHAUSTED)
    if ctx.state[combatant_id].life == "unconscious":
        ctx.emit(LifeChanged(combatant_id, "up", why))


def wake(ctx: Context, combatant_id: str, why: str) -> None:
    """End effects that keep somebody unconscious, except exhaustion."""
    dying.wake_up(ctx, combatant_id, why, lambda effect: effect.because != EXHAUSTED)


def stabilise(ctx: Context, combatant_id: str, why: str) -> None:
    """Stabilise: still unconscious, without the held deathsaves."""
    _drop_deathsaves(ctx, combatant_id)
    ctx.emit(LifeChanged(combatant_id, "stable", why))


def _drop_deathsaves(ctx: Context, combatant_id: str) -> None:
    dying.reset_counts(ctx, combatant_id, ("deathsaves",), "no longer dying")


def rise(ctx: Context, combatant_id: str, why: str) -> None:
    """Come back from 0 HP: conscious, unless exhaustion has knocked them out as well."""
    _drop_deathsaves(ctx, combatant_id)
    wake(ctx, combatant_id, why)
    still_out = knocked_out(ctx.state[combatant_id])
    ctx.emit(LifeChanged(combatant_id, "unconscious" if still_out else "up", why))


def on_edited_by_hand(ctx: Context, combatant_id: str) -> None:
    """After something was set by hand: HP 0 brings down, HP above 0 and waking bring back."""
    dying.after_manual_hp(ctx, combatant_id, fall, rise, knocked_out)


# -- the luck roll ---------------------------------------------------------------------------------

DEATH_ROLL = "death roll"
"""The name under which the luck rolls of a turn are counted."""


def owes_luck_roll(combatant: Combatant) -> bool:
    """True if the combatant has a luck roll to make in its turn."""
    return dying.owes_death_roll(combatant, DEATH_ROLL)


def roll_deferred_luck(ctx: Context, combatant_id: str) -> None:
    """Roll the luck roll that nobody made before the turn may end."""
    if owes_luck_roll(ctx.state[combatant_id]):
        die = shared_checks.left_to_program(ctx, combatant_id)
        _make_luck_roll(ctx, ctx.state[combatant_id], die, checks.CheckModifiers())


def luck_roll_decision(combatant: Combatant) -> PendingDecision:
    """The decision for a luck roll that waits for the GM."""
    words = ("miss", "weak", "strong", "crit", "roll")
    answers = ((word[0], word, word) for word in words)
    return shared_checks.deferred_roll(
        combatant, "death", "is dying: luck roll", DEATH_ROLL, answers
    )


_LUCK_ROLL = shared_checks.die_arg(checks.OUTCOMES, what="the luck roll's outcome")


class DeathArgs(Struct, frozen=True, kw_only=True):
    """The arguments of `death`: whose luck roll, by default the actor's, and its die."""

    dier: Annotated[
        Combatant | None,
        arguments.combatant_arg(
            "the dying combatant", field=Field("person", ("dying",), optional=False)
        ),
    ] = None
    die: Annotated[DieInput, _LUCK_ROLL]
    terms: Annotated[
        checks.CheckModifiers,
        arguments.keyword_args(checks.CheckModifiers, "WORDS", is_asked=False),
    ]


def _death(ctx: Context, args: DeathArgs) -> None:
    dier = args.dier or ctx.actor()
    if dier.life != "dying":
        raise Refused(f"{dier.name} is not dying but {dier.life}")
    ctx.text = f"{dier.name}'s death roll, {_make_luck_roll(ctx, dier, args.die, args.terms)}"


def _make_luck_roll(
    ctx: Context, dier: Combatant, die: DieInput, terms: checks.CheckModifiers
) -> checks.Outcome:
    """Make the luck roll of somebody dying, and apply it."""
    outcome = checks.CheckRequest(
        dier.id, "luck", die, modifiers=terms, name="death", tags=("death",)
    ).come_out(ctx)
    combatant_id = dier.id
    ctx.emit(UseCounted(combatant_id, DEATH_ROLL))
    if outcome == "crit":
        ctx.emit(TrackChanged(combatant_id, "hp", 1, why="critical death roll"))
        rise(ctx, combatant_id, "a critical death roll")
    elif outcome == "strong":
        stabilise(ctx, combatant_id, "a strong death roll")
    elif outcome == "weak":
        hold_deathsaves(ctx, combatant_id, 1, "a weak death roll")
    else:
        mark_exhaustion(ctx, combatant_id, 1, "a missed death roll")
    return outcome


def hold_deathsaves(ctx: Context, combatant_id: str, amount: int, why: str = "") -> None:
    """Hold deathsaves, up to three; the third stabilises."""
    really = min(amount, ctx.state[combatant_id].room("deathsaves"))
    if really:
        ctx.emit(TrackChanged(combatant_id, "deathsaves", really, why=why))
    enough = ctx.state[combatant_id].track("deathsaves") >= ctx.tables.economy["deathsaves"]
    if enough and ctx.state[combatant_id].life == "dying":
        stabilise(ctx, combatant_id, "three deathsaves")


# -- Death's bargain, and the commands -------------------------------------------------------------


class BargainArgs(Struct, frozen=True):
    """The arguments of `bargain`: the dead character, the answer to Death, and Death's price."""

    dead: Annotated[
        Combatant,
        arguments.combatant_arg("the character who has died", field=Field("person", ("dead",))),
    ]
    answer: Annotated[
        str, arguments.choice_arg("the answer to Death's bargain", ("accept", "refuse"))
    ]
    price: Annotated[str, arguments.rest_arg("WHAT DEATH ASKS")] = ""


def _bargain(ctx: Context, args: BargainArgs) -> None:
    dead = args.dead
    if dead.life != "dead" or dead.kind != "pc":
        raise Refused(f"Death bargains only with dead characters; {dead.name} is {dead.life}")
    if dead.used("bargain", "ever"):
        raise Refused(f"{dead.name} has refused Death's bargain, and has passed on")
    if args.answer == "accept":
        stabilise(ctx, dead.id, f"a bargain with Death{f': {args.price}' if args.price else ''}")
        dying.fall_unconscious(ctx, dead.id, DYING)
        ctx.text = f"{dead.name} accepts Death's bargain"
    else:
        ctx.emit(UseCounted(dead.id, "bargain", "ever"))
        ctx.text = f"{dead.name} refuses Death's bargain and passes on"


COMMANDS = (
    damage.damage_command("deals damage, through AC and resistance", _Damage, _damage),
    damage.heal_command("heals HP; the dying wake", heal),
    damage.temp_hp_command("gives temporary HP; the higher of two amounts stays"),
    declare_command("death", "makes a dying creature's luck roll", DeathArgs, _death),
    declare_command(
        "bargain", "answers the bargain Death offers a character", BargainArgs, _bargain
    ),
)
