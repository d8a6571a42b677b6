"""Damage from what fell to the HP that are lost; what 0 HP bring; healing and revival.

Seed 001: Absorb, Immune, Resist, Weak, Soak (electrolysis), Save, Bloodied, Defeat, Death,
Incapacity; rules file, 10 to 12 and 17.3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated

from msgspec import Struct

from affray.core.heart.decide import Context
from affray.core.heart.effects import end, in_force, lower, rule_of
from affray.core.heart.events import Became, Changed, Noted, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language import arguments
from affray.core.language.clauses import they
from affray.core.language.refusal import Refused, listed
from affray.core.rules.ruleset import declare
from affray.core.rules.tables import Tables
from affray.rulekit import harm, life, numbers, rests
from affray.rulekit.harm import Part
from affray.rulekit.numbers import ALL, Force
from affray.rulekit.placing import begin
from affray.rulesets.adventure_school import conditions, totals


class Blow(Struct, frozen=True):
    """Damage on its way, as it fell or was called out.

    source  whose it is; empty for nobody's
    half    half of it, by a save; double: twice, by a critically failed one
    label   where it comes from, in words: " from the fall"
    bonus   what the situation adds to the first part
    """

    parts: tuple[Part, ...]
    source: str = ""
    half: bool = False
    double: bool = False
    label: str = ""
    bonus: int = 0


# -- the way of a blow -----------------------------------------------------------------------------


def deal(ctx: Context, who: str, blow: Blow) -> int:
    """Let a blow land, in the order of the rules file's section 11; gives what was taken of it.
    Whoever it comes from charms its target no longer (9). Raises Refused for who is dead or has no
    HP."""
    target = harm.target(ctx, who)
    conditions.end_charms(ctx, who, blow.source)
    force = in_force(ctx.tables, ctx.state, target)
    left: dict[str, int] = {}
    told: list[str] = []
    fallen, scaled = _fallen(blow)
    raised = {blow.parts[0][1]: blow.bonus} if blow.bonus else {}
    for kind, amount in with_added(ctx.tables, force, fallen).items():
        bonus = raised.get(kind, 0)
        said = harm.amount_in_words(amount - bonus, kind, blow.label) + scaled
        said += f", {harm.flat(bonus).words}" if bonus else ""
        if kind in conditions.kinds_of(target, "absorb"):
            _absorb(ctx, who, amount, said)
            continue
        left[kind], how = harm.taken(amount, said, _steps(ctx, target, force, kind))
        told.append(how)
    return _take(ctx, target, left, listed(told, "and")) if left else 0


def _fallen(blow: Blow) -> tuple[dict[str, int], str]:
    """How much of each type there is, half of it or twice as much already; and that in words."""
    found: dict[str, int] = {}
    for amount, kind in blow.parts:
        found[kind] = found.get(kind, 0) + amount
    if blow.bonus:
        found[blow.parts[0][1]] += blow.bonus
    if blow.half:
        return {kind: (amount + 1) // 2 for kind, amount in found.items()}, ", halved"
    if blow.double:
        return {kind: amount * 2 for kind, amount in found.items()}, ", doubled"
    return found, ""


def _absorb(ctx: Context, who: str, amount: int, said: str) -> None:
    """What is absorbed heals as much, but nothing for the defeated (11.4)."""
    healed = ctx.state[who].life == "up" and harm.regain(ctx, who, amount, f"absorbs {said}")
    if not healed:
        ctx.emit(Noted(f"{ctx.state.name(who)} absorbs {said}"))


def _steps(ctx: Context, target: Combatant, force: Force, kind: str) -> Iterator[harm.Step]:
    """What is made of one type: nothing, half of it rounded up, or twice as much (11.4). Who both
    resists and is weak takes it as it is; of no type it meets none of this (R12)."""
    if kind and kind in conditions.kinds_of(target, "immune"):
        yield harm.nothing("immune")
        return
    halves = kind in conditions.kinds_of(target, "resist") or halved_by(ctx.tables, force, kind)
    doubles = kind in conditions.kinds_of(target, "weak")
    if halves and not doubles:
        yield harm.Step(lambda amount: (amount + 1) // 2, "resisted")
    elif doubles and not halves:
        yield harm.double("weak", tells=False)


def _take(ctx: Context, target: Combatant, left: Mapping[str, int], how: str) -> int:
    """Take what is left of all types, less damage reduction, once for the blow; then conditions end
    and change, and 0 HP defeat (11.5-6). Of what comes to nothing nothing ends (R16)."""
    who, total = target.id, sum(left.values())
    reduction = target.number("dr")
    if reduction and total:
        total = max(0, total - reduction)
        how += f", reduced by {reduction}"
    if not total:
        ctx.emit(Noted(f"{target.name} takes no damage ({how})"))
        return 0
    if target.life == "defeated":
        ctx.emit(Noted(f"{target.name} is defeated: {how}. Is that enough? `kill {who}`"))
    else:
        harm.lose(ctx, who, total, how)
    transform(ctx, who, [kind for kind, amount in left.items() if amount])
    settled(ctx, who)
    return total


# -- elements --------------------------------------------------------------------------------------


def with_added(tables: Tables, force: Force, amounts: Mapping[str, int]) -> dict[str, int]:
    """Damage by its types, with what comes on top of it, of each type once, from what fell: on the
    soaked 6 lightning are 6 fire as well (`adds_damage`)."""
    found = dict(amounts)
    adding = {pair for name in force for pair in rule_of(tables, name).adds_damage.items()}
    for kind, more in sorted(adding):
        if amounts.get(kind):
            found[more] = found.get(more, 0) + amounts[kind]
    return found


def halved_by(tables: Tables, force: Force, kind: str) -> str:
    """What halves damage of a type, which may be none at all; empty for nothing."""
    kinds = {kind, ALL} if kind else {ALL}
    return next((n for n in force if kinds.intersection(rule_of(tables, n).half_damage)), "")


def transform(ctx: Context, who: str, kinds: Collection[str]) -> None:
    """End what damage of these types ends, all that was there before; then lay what comes in its
    place: fire makes the frozen soaked and chilled (`ended_by`)."""
    begins: list[str] = []
    for effect in ctx.state[who].effects:
        ended_by = rule_of(ctx.tables, effect.name).ended_by
        by = [kind for kind in kinds if kind in ended_by]
        if by:
            end(ctx, who, effect.id, f"{by[0]} damage")
            begins += [name for kind in by for name in ended_by[kind]]
    for name in dict.fromkeys(begins):
        conditions.lay(ctx, who, name)


# -- the commands ----------------------------------------------------------------------------------

DAMAGE = harm.parts_said(arguments.amount_or_dice().read)
"""The damage of an attack: amounts as they fell, or dice for who rolls them, each with its type."""


class Damage(Struct, frozen=True):
    """What `damage` says; dice are rolled once, for all targets."""

    targets: Annotated[list[Combatant], arguments.people("who is damaged", asks="targets:half")]
    parts: Annotated[tuple[Part, ...], harm.parts_said(arguments.amount().read)]
    half: Annotated[tuple[str, ...], arguments.half()] = ()
    double: Annotated[tuple[str, ...], arguments.half(how="double")] = ()


def _damage(ctx: Context, said: Damage) -> None:
    both = [who for who in said.targets if who.id in said.half and who.id in said.double]
    if both:
        raise Refused(f"{they(both, 'takes', 'take')} half or double, not both")
    for who in said.targets:
        half, double = who.id in said.half, who.id in said.double
        deal(ctx, who.id, Blow(said.parts, half=half, double=double))
    much = listed([harm.amount_in_words(*part) for part in said.parts], "and")
    ctx.text = f"{they(said.targets, 'takes', 'take')} {much}"


# -- as HP have it ---------------------------------------------------------------------------------


BLOODIED, INCAPACITATED, DEFEATED = "bloodied", "incapacitated", "defeated"
WITHOUT = {"beheaded": ("beheaded", "is beheaded"), "heart": ("without a heart", "has no heart")}
"""What keeps the usual revival from the dead (Death), and how that is told."""
BODY = "body"
"""The span in which that is counted of somebody: as long as they are dead."""


def settled(ctx: Context, who: str) -> None:
    """What always follows from somebody's HP: their maximum, defeat, bloodied."""
    hp = ctx.state[who].tracks.get("hp")
    if hp is None:
        return
    _lower_maximum(ctx, who)
    target = ctx.state[who]
    if target.life == "up" and target.track("hp") <= 0:
        fall(ctx, who)
    _settle_bloodied(ctx, who)


def _lower_maximum(ctx: Context, who: str) -> None:
    """HP are at most what is left of the maximum, and don't come back with it (17.3)."""
    hp, here = ctx.state[who].tracks["hp"], totals.here(ctx, ctx.state[who])
    if hp.full is not None:
        lowered = min(-numbers.value(here, "max_hp"), hp.full)
        lower(ctx, who, "hp", lowered - hp.lowered)


def _settle_bloodied(ctx: Context, who: str) -> None:
    """At half the maximum or less, of the maximum as nothing lowers it (12.1)."""
    hp, bloodied = ctx.state[who].tracks["hp"], ctx.state[who].named(BLOODIED)
    is_so = bool(hp.full) and 2 * hp.value <= (hp.full or 0)
    if is_so and bloodied is None:
        begin(ctx, who, BLOODIED, Duration(says="above half of its HP"))
    elif bloodied is not None and not is_so:
        end(ctx, who, bloodied.id, "above half")


def fall(ctx: Context, who: str) -> None:
    """At 0 HP: defeated, prone, and incapacitated until there are HP again (12.2, R19)."""
    ctx.emit(Became(who, "defeated", "0 HP"))
    begin(ctx, who, INCAPACITATED, Duration(says="it has HP again"), because=DEFEATED)
    conditions.fall_prone(ctx, who)


def rise(ctx: Context, who: str, why: str) -> None:
    """Be up again with the HP that there are; still prone."""
    for effect in ctx.state[who].effects:
        if effect.because == DEFEATED:
            end(ctx, who, effect.id, why)
    rests.forget(ctx, who, BODY)
    ctx.emit(Became(who, "up", why))


def set_by_hand(ctx: Context, who: str) -> None:
    """After HP were written by hand: at 0 somebody is defeated, above it up, from the dead too."""
    life.set_by_hand(ctx, who, fall, rise, lambda combatant: True)


# -- healing and revival ---------------------------------------------------------------------------


def _heal(ctx: Context, said: harm.Healing) -> None:
    """Normal healing does nothing for the defeated and the dead (12.2)."""
    up = _able(ctx, {who: _why_not_healed(who) for who in said.targets})
    for target in up:
        harm.require_hp(target, "healed")
    healed = [harm.regain(ctx, target.id, said.amount) for target in up]
    in_vain = "" if any(healed) else ", with nothing to heal"
    ctx.text = f"{they(up, 'is', 'are')} healed{in_vain}"


def _why_not_healed(who: Combatant) -> str:
    return f"{who.name} is {who.life}: `revive` brings back" if who.is_out else ""


def _able(ctx: Context, reasons: Mapping[Combatant, str]) -> list[Combatant]:
    """Those for whom it does anything: `reasons` says why it doesn't for the others, which the log
    is told. Raises Refused, with all reasons, where there are only others."""
    able = [who for who, reason in reasons.items() if not reason]
    if not able:
        raise Refused("; ".join(reasons.values()))
    ctx.emit(*map(Noted, filter(None, reasons.values())))
    return able


class Revival(harm.Healing, frozen=True):
    """What `revive` says: `dead` for a revival that works on the dead."""

    dead: Annotated[bool, arguments.flag(heard="dead")] = False


def _revive(ctx: Context, said: Revival) -> None:
    if not said.amount:
        raise Refused("to be revived takes 1 HP at least")
    revived = _able(ctx, {who: _why_not_revived(ctx, who, said.dead) for who in said.targets})
    for who in revived:
        revive(ctx, who.id, said.amount, "revived")
    ctx.text = f"{they(revived, 'is', 'are')} revived"


def _why_not_revived(ctx: Context, who: Combatant, dead: bool) -> str:
    """Why a revival does nothing for somebody; empty where it does (12.3)."""
    if not who.is_out:
        return f"{who.name} is not defeated"
    if not who.room("hp"):
        return f"{who.name} has no HP left to come back to"
    if who.life == "defeated":
        return ""
    for how, (_, lacks) in WITHOUT.items():
        if who.used(how, BODY):
            return f"{who.name} {lacks}: `set {who.id} hp N` is for what brings back even so"
    if not dead:
        return f"{who.name} is dead: say `dead` for a revival that works on the dead"
    most = int(ctx.tables.economy["returns"])
    returned = who.track("returns") >= most
    return f"{who.name} has come back from the dead {most} times" if returned else ""


def revive(ctx: Context, who: str, amount: int, why: str) -> None:
    """Give the defeated or the dead HP, up to the maximum; a way back from the dead is counted."""
    if ctx.state[who].life == "dead":
        ctx.emit(Changed(who, "returns", 1, why="back from the dead"))
    if harm.regain(ctx, who, amount, why):
        rise(ctx, who, why)


# -- death -----------------------------------------------------------------------------------------


class Killing(Struct, frozen=True):
    """What `kill` says: how, where the usual revival can't bring back from that."""

    targets: Annotated[list[Combatant], arguments.people("who is killed")]
    how: Annotated[str, arguments.one_of(*WITHOUT)] = ""


def _kill(ctx: Context, said: Killing) -> None:
    """Whoever the GM says dies, whatever HP are left (12.3)."""
    dead = [who for who in said.targets if who.life == "dead"]
    if dead and not said.how:
        raise Refused(f"{they(dead, 'is', 'are')} dead")
    for who in said.targets:
        if who.life == "up":
            rests.set_track(ctx, who.id, "hp", 0, "killed")
            fall(ctx, who.id)
        if said.how:
            ctx.emit(Used(who.id, said.how, BODY))
        if who.life != "dead":
            ctx.emit(Became(who.id, "dead", "killed"))
    how = f", {WITHOUT[said.how][0]}" if said.how else ""
    ctx.text = f"{they(said.targets, 'is', 'are')} dead{how}"


VERBS = (
    declare("damage", "deals damage, of one type or several at once", Damage, _damage),
    declare("heal", "heals HP of those who are up", harm.Healing, _heal),
    declare("revive", "brings back the defeated; with `dead` the dead too", Revival, _revive),
    declare("kill", "is what the GM says: somebody is dead", Killing, _kill),
)
