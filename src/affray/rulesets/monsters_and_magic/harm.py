"""Harm and healing: damage and HP, fatigue and exhaustion, dying, Death's bargain.

Seed 004: Attacking & Dealing Damage, Armor Class, Resistance & Vulnerability, Temporary Hit Points,
Underwater Combat, Fatigue & Exhaustion, Death & Dying.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.events import Became, Changed, Used
from affray.core.heart.state import Combatant
from affray.core.language import arguments
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Pending, Verb
from affray.rulekit import harm, life, numbers, rolls
from affray.rulekit.numbers import Part
from affray.rulekit.recorded import words_of
from affray.rulesets.monsters_and_magic import checks, surroundings, totals
from affray.rulesets.monsters_and_magic.checks import Outcome
from affray.rulesets.monsters_and_magic.creatures import LISTS

EXHAUSTED, DYING = "exhaustion", "dying"
"""Ids of what somebody is unconscious because of, where it is neither a spell nor a blow."""
NO_EXHAUSTION = "no exhaustion left to mark"


class Blow(Struct, frozen=True):
    """Damage on its way: the amount as rolled, its type, and what is particular to this blow.

    outcome   how it hits, which says how much of the amount it deals
    extra_ac  AC on top of the target's own
    bonus     what the situation adds to what was rolled, or takes from it
    label     where it comes from, in words
    """

    amount: int
    type: str = ""
    outcome: Outcome = "strong"
    extra_ac: int = 0
    label: str = ""
    bonus: int = 0


_SCALES = {"weak": harm.half("halved", least=1), "crit": harm.double("doubled")}
"""What becomes of what was rolled, for the hits that don't deal all of it."""


def scaled(amount: int, outcome: Outcome) -> int:
    """What a hit deals of what was rolled: half (down, at least 1 of something), all or double."""
    return _SCALES[outcome].makes(amount) if outcome in _SCALES else amount


def _steps(ctx: Context, target: Combatant, blow: Blow, armor: int) -> Iterator[harm.Step]:
    """Half or double, AC, then what the target has against the type: the order of the rules."""
    if blow.bonus:
        yield harm.flat(blow.bonus)
    if blow.outcome in _SCALES:
        yield _SCALES[blow.outcome]
    if armor:
        yield harm.less(armor, "AC")
    if not blow.type:
        return
    is_wet = blow.type == "fire" and surroundings.is_under_water(ctx, target)
    if is_wet or blow.type in words_of(target, "resist"):
        yield harm.half("resisted", tells=False)
    if blow.type in words_of(target, "vulnerable"):
        yield harm.double("vulnerable", tells=False)
    if blow.type in words_of(target, "immune"):
        yield harm.nothing("immune")


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land: temporary HP first, then HP, then what follows. Gives what got through.

    Raises Refused for somebody who is dead, or who has no HP.
    """
    target = harm.target(ctx, who)
    used = totals.fitting(target, ("ac",))
    extra = blow.extra_ac + sum(effect.modifiers.get("ac", 0) for effect in used)
    armor = numbers.value(totals.here(ctx, target), "ac", more=[Part(extra, "extra")])
    totals.use_up(ctx, who, "ac", used)
    steps = _steps(ctx, target, blow, armor)
    amount, how = harm.through(ctx, who, blow.amount, steps, blow.type, blow.label)
    if amount:
        lose(ctx, who, amount, how)
    return amount


def lose(ctx: Context, who: str, amount: int, why: str) -> None:
    """Lose HP that nothing keeps off, temporary ones first, with what 0 HP brings: the dying mark 1
    exhaustion, the stable are dying again (Death & Dying)."""
    life_before = ctx.state[who].life
    harm.lose(ctx, who, amount, why)
    if life_before == "dying":
        mark_exhaustion(ctx, who, 1, "hurt while dying")
    elif life_before == "stable":
        life.begin_dying(ctx, who, "hurt at 0 HP")
    elif ctx.state[who].track("hp") == 0:
        fall(ctx, who)


def heal(ctx: Context, who: str, amount: int, why: str = "") -> int:
    """Heal up to the maximum; whoever has HP then is awake, but for the exhausted. Gives how much.

    The dying and the stable are back by it (seed 004: Death & Dying). Raises Refused for the dead:
    only Death's bargain brings a character back.
    """
    target = ctx.state[who]
    harm.require_hp(target, "healed")
    if target.life == "dead":
        hint = f"; `bargain {who} accept` brings them back" if target.kind == "pc" else ""
        raise Refused(f"{target.name} is dead{hint}")
    healed = harm.regain(ctx, who, amount, why)
    if healed and target.life in ("dying", "stable"):
        rise(ctx, who, why or "healed")
    elif amount > 0 and ctx.state[who].track("hp") > 0:
        wake(ctx, who, why or "healed")
    return healed


def known_types(ctx: Context) -> Iterator[str]:
    """The types of damage that the rules or somebody's resistances name."""
    return harm.known_types(ctx, lambda c: (t for key in LISTS for t in words_of(c, key)))


class _Damage(harm.Damage, frozen=True):
    """What `damage` says."""

    type: Annotated[str, arguments.damage_type(known_types)] = ""


def _damage(ctx: Context, who: str, said: _Damage, half: bool) -> None:
    deal(ctx, who, Blow(said.amount, said.type, "weak" if half else "strong"))


# -- fatigue and exhaustion ------------------------------------------------------------------------


def _can_tire(combatant: Combatant) -> bool:
    """Whether it has fatigue and exhaustion at all: hazards have none."""
    return combatant.tracks.keys() >= {"fatigue", "exhaustion"}


def require_fatigue(combatant: Combatant) -> None:
    """Raises Refused for somebody who can't tire."""
    if not _can_tire(combatant):
        raise Refused(f"{combatant.name} has no fatigue to mark")


def mark_fatigue(ctx: Context, who: str, marks: int, why: str) -> None:
    """Mark fatigue on a combatant, with all that follows; nothing on one who can't tire.

    With the track full, the next mark goes to exhaustion instead and empties the track, then
    marking goes on. What finds no exhaustion left to mark is lost.
    """
    if not _can_tire(ctx.state[who]):
        return
    fatigue, exhaustion = (ctx.state[who].tracks[name] for name in ("fatigue", "exhaustion"))
    now, deep = fatigue.value, exhaustion.value
    has_room = True
    for _ in range(marks):
        if now < (fatigue.max or 0):
            now += 1
        elif deep < (exhaustion.max or 0):
            now, deep = 0, deep + 1
        else:
            has_room = False
    if now != fatigue.value:
        ctx.emit(Changed(who, "fatigue", now - fatigue.value, why=why))
    if deep != exhaustion.value:
        ctx.emit(Changed(who, "exhaustion", deep - exhaustion.value, why=why or "fatigue was full"))
    if not has_room:
        out_of_exhaustion(ctx, who)


def mark_exhaustion(ctx: Context, who: str, marks: int, why: str) -> None:
    """Mark exhaustion itself; what finds no room knocks out, or kills the dying."""
    if "exhaustion" not in ctx.state[who].tracks:
        return
    room = ctx.state[who].room("exhaustion")
    if room:
        ctx.emit(Changed(who, "exhaustion", min(marks, room), why=why))
    if marks > room:
        out_of_exhaustion(ctx, who)


def clear_fatigue(ctx: Context, who: str, amount: int, why: str, by_somebody: bool = True) -> None:
    """Clear fatigue, never exhaustion. When somebody's action does it, a character who was knocked
    out by exhaustion wakes."""
    clear_marks(ctx, who, "fatigue", amount, why)
    if by_somebody and amount > 0 and ctx.state[who].kind == "pc":
        wake_from_exhaustion(ctx, who, "recovers fatigue")


def clear_marks(ctx: Context, who: str, track: str, amount: int, why: str) -> int:
    """Clear marks of any track, as many as there are; gives how many."""
    really = min(amount, ctx.state[who].track(track))
    if really:
        ctx.emit(Changed(who, track, -really, why=why))
    return really


# -- down and up again -----------------------------------------------------------------------------


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
    return life.is_unconscious(combatant, EXHAUSTED)


def wake_from_exhaustion(ctx: Context, who: str, why: str) -> None:
    """End the knock-out that exhaustion caused."""
    life.wake(ctx, who, why, lambda effect: effect.because == EXHAUSTED)
    if ctx.state[who].life == "unconscious":
        ctx.emit(Became(who, "up", why))


def wake(ctx: Context, who: str, why: str) -> None:
    """End what keeps somebody unconscious, whatever it is, but for exhaustion."""
    life.wake(ctx, who, why, lambda effect: effect.because != EXHAUSTED)


def stabilise(ctx: Context, who: str, why: str) -> None:
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
        mark_exhaustion(ctx, who, 1, "a missed death roll")
    return outcome


def hold_deathsaves(ctx: Context, who: str, amount: int, why: str = "") -> None:
    """Hold deathsaves, up to three; the third stabilises."""
    really = min(amount, ctx.state[who].room("deathsaves"))
    if really:
        ctx.emit(Changed(who, "deathsaves", really, why=why))
    enough = ctx.state[who].track("deathsaves") >= ctx.tables.economy["deathsaves"]
    if enough and ctx.state[who].life == "dying":
        stabilise(ctx, who, "three deathsaves")


# -- Death's bargain, and the commands -------------------------------------------------------------


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
    harm.damage_verb("deals damage, through AC and resistance", _Damage, _damage),
    harm.heal_verb("heals HP; the dying wake", heal),
    harm.temp_verb("gives temporary HP; of two sources the higher stays"),
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
