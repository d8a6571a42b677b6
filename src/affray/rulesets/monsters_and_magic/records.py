"""Commands that move a number or make a check: damage, heal, temp, mark, clear, hold, check ...

Seed 004: Harm & Healing, Fatigue & Exhaustion, Ongoing, Forward, and Hold, Ability Checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.core.effects import gain, in_force
from affray.core.events import Changed
from affray.core.refusal import Refused, listed, signed
from affray.core.ruleset import Share, Verb
from affray.core.state import Combatant, Duration, Effect
from affray.core.tables import Tables
from affray.core.words import Words
from affray.rulesets.monsters_and_magic import (
    attacks,
    checks,
    conditions,
    damage,
    fatigue,
    forwards,
)
from affray.rulesets.monsters_and_magic.creatures import number

if TYPE_CHECKING:
    from affray.core.decide import Context


def is_hold(tables: Tables, track: str) -> bool:
    """Whether a track is a hold: one of a name that the rules don't know."""
    return track not in tables.tracks


def _damage(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is damaged")
    amount = damage.read_amount(ctx, words, "the damage")
    kind = damage.read_type(ctx, words, ("half",))
    halves: list[str] = []
    while words.take("half"):
        alone = words.done and len(targets) == 1
        halves += [c.id for c in (targets if alone else words.combatants("who takes half"))]
    words.finish()
    strangers = [ctx.state.name(h) for h in halves if h not in {t.id for t in targets}]
    if strangers:
        raise Refused(
            f"{listed(strangers, 'and')} can't take half: not among those who are damaged"
        )
    for target in targets:
        damage.deal(ctx, target.id, damage.Blow(amount, kind, half=target.id in halves))
    names = listed([t.name for t in targets], "and")
    ctx.text = (
        f"{names} {'takes' if len(targets) == 1 else 'take'} {amount}{f' {kind}' if kind else ''}"
    )


def _heal(ctx: Context, words: Words) -> None:
    targets = words.combatants("who is healed")
    amount = damage.read_amount(ctx, words, "the healing")
    words.finish()
    for target in targets:
        damage.heal(ctx, target.id, amount)
    ctx.text = f"{listed([t.name for t in targets], 'and')} healed by {amount}"


def _temp(ctx: Context, words: Words) -> None:
    target = words.combatant("who gets temporary HP")
    amount = damage.read_amount(ctx, words, "the temporary HP")
    words.finish()
    damage.temporary(ctx, target.id, amount)
    ctx.text = f"{target.name} gets {amount} temporary HP"


def _mark(ctx: Context, words: Words) -> None:
    who, track, amount = _track_and_amount(ctx, words)
    if track == "fatigue":
        fatigue.mark(ctx, who.id, amount)
    elif track == "exhaustion":
        fatigue.mark_exhaustion(ctx, who.id, amount)
    else:
        top = who.tracks[track].max
        really = amount if top is None else min(amount, top - who.track(track))
        ctx.emit(Changed(who.id, track, really))
    ctx.text = f"{who.name} marks {amount} {track}"


def _clear(ctx: Context, words: Words) -> None:
    who, track, amount = _track_and_amount(ctx, words)
    if track == "fatigue":
        fatigue.clear(ctx, who.id, amount)
    else:
        ctx.emit(Changed(who.id, track, -min(amount, who.track(track))))
    ctx.text = f"{who.name} clears {amount} {track}"


def _track_and_amount(ctx: Context, words: Words) -> tuple[Combatant, str, int]:
    """Somebody's track other than HP, which damage and healing move, and how far."""
    who = words.combatant("whose track")
    known = [name for name in who.tracks if name not in ("hp", "temp_hp")]
    if not known:
        raise Refused(f"{who.name} has no tracks that could be marked")
    track = words.choice("a track", known)
    amount = words.maybe_number(1, "how many", 1)
    words.finish()
    return who, track, amount


def _hold(ctx: Context, words: Words) -> None:
    who = words.combatant("who holds")
    first = words.number("how many", -999, 999) if words.has_number() else None
    name = "-".join(words.next("what is held").casefold().split())
    if not is_hold(ctx.tables, name) or not name.replace("-", "").isalpha():
        raise Refused(f"{name!r} can't be held: give it a name in letters that no track has")
    amount = first if first is not None else words.number("how many (negative: spent)", -999, 999)
    have = who.track(name)
    if have + amount < 0:
        raise Refused(f"{who.name} holds {have} {name}, not {-amount}")
    ctx.emit(Changed(who.id, name, amount, why="held" if amount >= 0 else "spent"))
    ctx.text = f"{who.name} {'holds' if amount >= 0 else 'spends'} {abs(amount)} {name}"


def _forward(ctx: Context, words: Words) -> None:
    who = words.combatant("who gets it")
    amount = words.number("the bonus or penalty", -20, 20)
    note = words.rest()
    conditions.give_forward(ctx, who.id, {forwards.kind_of(note): amount}, note)
    ctx.text = f"{who.name}: {signed(amount)} forward{f', {note}' if note else ''}"


_ONGOING = ("check", "attack", "ac", "speed")


def _ongoing(ctx: Context, words: Words) -> None:
    who = words.combatant("who gets it")
    amount = words.number("the bonus or penalty", -99, 99)
    what = words.choice("what it changes", _ONGOING)
    placing = conditions.Placing(until=Duration("removed"))
    while more := conditions.read_placing(ctx, words, who.id, placing):
        placing = more
    note = words.rest()
    until = placing.until or Duration("removed")
    modifiers = {what: amount}
    gain(
        ctx, who.id, Effect("ongoing", "ongoing", "ongoing", until, placing.source, modifiers, note)
    )
    ctx.text = f"{who.name}: {signed(amount)} ongoing on {what}"


_CHECK_WORDS = ("save", "talent", "expertise", "sight", "concealed")


def _check(ctx: Context, words: Words) -> None:
    who = words.combatant("who makes the check")
    ability = words.choice("an ability", checks.ABILITIES)
    said: set[str] = set()
    while word := words.take(*_CHECK_WORDS):
        said.add(word)
    die = checks.read_die(words)
    terms = checks.Terms()
    while not words.done:
        more = checks.read_term(words, terms)
        word = words.take(*_CHECK_WORDS) if more is None else ""
        if more is None and not word:
            break
        terms, said = more or terms, said | {word}
    words.finish()
    if "sight" in said and "blinded" in in_force(ctx.tables, ctx.state, who):
        die = checks.Die(said="miss")
    what = "saving throw" if "save" in said else "check"
    tags = ("check", ability, *(["save"] if "save" in said else []))
    outcome = checks.check(
        ctx,
        who.id,
        what,
        _check_shares(ctx, who, ability, said),
        die,
        terms,
        tags,
        (_dodge_saves(ctx, who, ability, said), []),
    )
    ctx.text = f"{who.name} makes a {ability} {what}, {outcome}"


def _check_shares(ctx: Context, who: Combatant, ability: str, said: set[str]) -> list[Share]:
    """Ability, talent (PB; twice with expertise), and what hinders sight."""
    parts = [checks.ability(who, ability)]
    if who.kind == "pc" and said & {"talent", "expertise"}:
        times = 2 if "expertise" in said else 1
        parts.append(Share(times * number(who, "pb"), "talent"))
    if "concealed" in said:
        parts.append(Share(-ctx.tables.economy["concealed"], "concealed"))
    return parts


def _dodge_saves(ctx: Context, who: Combatant, ability: str, said: set[str]) -> list[str]:
    dodging = ability == "cunning" and "save" in said and who.named("dodging") is not None
    return ["dodging"] if dodging and attacks.can_dodge(ctx, who) else []


RECORD_VERBS = (
    Verb(
        "damage",
        "damage NAME[,NAME] AMOUNT [TYPE] [half NAME[,NAME]]",
        "deals damage, through AC and resistance",
        _damage,
    ),
    Verb("heal", "heal NAME[,NAME] AMOUNT", "heals HP; the dying wake", _heal),
    Verb("temp", "temp NAME AMOUNT", "gives temporary HP; of two sources the higher stays", _temp),
    Verb("mark", "mark NAME TRACK [N]", "marks fatigue, exhaustion or another track", _mark),
    Verb("clear", "clear NAME TRACK [N]", "clears marks of a track", _clear),
    Verb("hold", "hold NAME WHAT N", "gives charges to hold, or spends them (negative)", _hold),
    Verb(
        "forward", 'forward NAME +N ["next attack"]', "a bonus for the next fitting roll", _forward
    ),
    Verb(
        "ongoing",
        "ongoing NAME +N check|attack|ac|speed [for N turns | until ...] [NOTE]",
        "a bonus that lasts",
        _ongoing,
    ),
    Verb(
        "check",
        "check NAME ABILITY [save] [talent|expertise] OUTCOME | natural N[,M] [adv|dis] [dc N]",
        "makes an ability check",
        _check,
    ),
)
