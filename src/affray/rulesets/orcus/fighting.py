"""The actions that lay hands or weapons on somebody, and those of movement.

Seed 003: Actions in Combat (Basic Attack, Charge, Coup de Grace, Dash, Grapple, Escape a Grapple,
Move a Grappled Creature, Shove, Walk), Opportunity Attacks, Free Actions.
"""

from __future__ import annotations

from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import end_named, in_force
from affray.core.heart.state import Combatant, Effect
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Word, Words
from affray.rulekit import numbers, rolls
from affray.rulekit.acts import Act, Pay, needs_another
from affray.rulekit.creatures import larger_by, size_of
from affray.rulekit.numbers import Part
from affray.rulekit.placing import begin, renew
from affray.rulesets.orcus import (
    assaults,
    attacks,
    checks,
    companions,
    conditions,
    creatures,
    flight,
    offers,
    totals,
)
from affray.rulesets.orcus.assaults import Assault
from affray.rulesets.orcus.creatures import Attack

COUP_DE_GRACE = "coup-de-grace"
DRAGGING = "dragging"
INCAPACITATED = ("stunned", "unconscious", "petrified")
"""Whom a grapple can't miss."""
ESCAPES = {"athletics": "fortitude", "acrobatics": "reflex"}
"""The skills that get out of a grapple, and the grappler's defence against each."""


def attack(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Basic Attack: with the weapon in hand."""
    assault = finishing(ctx, assaults.read_assault(ctx, words, who))
    pay()
    outcomes = attacks.attack(ctx, who, assault, "attack")
    ctx.text = f"{who.name} attacks {assaults.said(assault, outcomes)}"


def charge(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Charge: a melee basic attack, or a shove, at +1."""
    bonus = (Part(ctx.tables.economy["charge"], "charge"),)
    if words.take("shove"):
        shove(ctx, words, who, pay, bonus)
        ctx.text += ", charging"
    else:
        assault = finishing(ctx, _read_melee(ctx, words, who, "a charge"))
        pay()
        outcomes = attacks.attack(ctx, who, assault, "charge", bonus)
        ctx.text = f"{who.name} charges {assaults.said(assault, outcomes)}"
    end_named(ctx, who.id, "squeezing", "out of the narrow space")
    flight.moved(ctx, who.id)


def _read_melee(ctx: Context, words: Words, who: Combatant, what: str) -> Assault:
    """Read an attack on one target that has to be made in melee."""
    unarmed = Attack("unarmed", who.number("strength"))
    melee = next((a for a in creatures.attacks_of(who) if a.reach == "melee"), unarmed)
    assault = assaults.read_assault(ctx, words, who, melee)
    require_one(assault, what)
    chosen = assault.means.reach if assault.weapon and assault.means else "melee"
    if (assault.reach or chosen) != "melee":
        raise Refused(f"{what} is made in melee, not {assault.reach or chosen}")
    return replace(assault, reach="melee")


def require_one(assault: Assault, what: str) -> None:
    """Raises Refused for more than one target."""
    if len(assault.targets) != 1:
        raise Refused(f"{what} has one target, not {len(assault.targets)}")


def coup_de_grace(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Coup de Grace: a hit is a critical one, and may kill."""
    assault = must_finish(ctx, assaults.read_assault(ctx, words, who))
    pay()
    outcomes = attacks.attack(ctx, who, assault, COUP_DE_GRACE)
    told = assaults.said(replace(assault, finishes=()), outcomes)
    ctx.text = f"{who.name} tries a coup de grace on {told}"


def must_finish(ctx: Context, assault: Assault) -> Assault:
    """The attack as a coup de grace. Raises Refused unless its one target is helpless, and near."""
    require_one(assault, "a coup de grace")
    target = ctx.state[assault.targets[0]]
    if not attacks.is_helpless(ctx.tables, ctx.state, target):
        raise Refused(f"{target.name} is not helpless, so there is no coup de grace")
    if assault.is_said("reach"):
        raise Refused(f"{target.name} is not adjacent, so there is no coup de grace")
    return replace(assault, finishes=assault.targets)


def finishing(ctx: Context, assault: Assault) -> Assault:
    """An attack with the standard action: in melee, a coup de grace on whoever is helpless.

    Whatever the command, unless it says `reach`: that they are not adjacent.
    """
    if assault.range != "melee" or not assault.is_adjacent or not assault.deals_damage:
        return assault
    helpless = (
        t for t in assault.targets if attacks.is_helpless(ctx.tables, ctx.state, ctx.state[t])
    )
    return replace(assault, finishes=tuple(helpless))


def opportunity_attack(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Opportunity Attack: one melee attack at somebody who leaves or turns away.

    It takes the immediate action, which nobody gets back within somebody's turn: so it is never
    made twice against a creature in its turn.
    """
    assault = _read_melee(ctx, words, who, "an opportunity attack")
    unseen = assaults.why_unseen(ctx, who, ctx.state[assault.targets[0]], assault)
    if unseen:
        raise Refused(
            f"an opportunity attack is made on somebody one sees, and {unseen}: "
            f"`{assaults.CLEAR}` says that they are seen"
        )
    pay()
    outcomes = attacks.attack(ctx, who, assault, "opportunity attack")
    ctx.text = f"{who.name} strikes in passing at {assaults.said(assault, outcomes)}"


def shove(
    ctx: Context, words: Words, who: Combatant, pay: Pay, bonus: tuple[Part, ...] = ()
) -> None:
    """Shove: Strength against Fortitude, 1 square away."""
    assault = read_strength(ctx, words, who, "fortitude", "shove")
    _refuse_larger(who, ctx.state[assault.targets[0]], "shove")
    offers.refuse_fixed(ctx, ctx.state[assault.targets[0]])
    pay()
    outcomes = attacks.attack(ctx, who, assault, "shove", bonus)
    ctx.text = f"{who.name} shoves {assaults.said(assault, outcomes)}"


def grapple(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Grapple: Strength against Reflex; the incapacitated can't get away."""
    target = words.combatant("the target")
    needs_another(who, target, "grapple")
    _refuse_larger(who, target, "grapple")
    if target in offers.held_by(ctx.state, who.id):
        raise Refused(f"{who.name} has {target.name} in a grapple already")
    ctx.text = f"{who.name} grapples {target.name}, who can't resist"
    resists = not _is_incapacitated(ctx, target)
    if words.done and not resists:
        pay()
        _hold(ctx, who, target)
        return
    words.back()
    assault = read_strength(ctx, words, who, "reflex", "grapple")
    pay()
    outcomes = attacks.attack(ctx, who, assault, "grapple")
    if outcomes != ["miss"] or not resists:
        _hold(ctx, who, target)
    if resists:
        ctx.text = f"{who.name} grapples {assaults.said(assault, outcomes)}"


def read_strength(ctx: Context, words: Words, who: Combatant, defense: str, what: str) -> Assault:
    """Read `TARGET OUTCOME` and what is said of it for a Strength attack, which deals no damage."""
    means = Attack("Strength", who.number("strength"), defense)
    assault = assaults.read_assault(ctx, words, who, means, ())
    require_one(assault, f"a {what}")
    if assault.deals_damage or assault.weapon:
        raise Refused(f"a {what} deals no damage: expected TARGET OUTCOME alone")
    return replace(assault, reach="melee")


def _refuse_larger(who: Combatant, target: Combatant, done: str) -> None:
    """Raises Refused for a target more than one size larger (seed 003: Grapple, Shove)."""
    if larger_by(target, who) > 1:
        sizes = f"{size_of(target)}, and {who.name} {size_of(who)}"
        raise Refused(f"{target.name} is {sizes}: too large by more than one size to {done}")


def _is_incapacitated(ctx: Context, target: Combatant) -> bool:
    have = in_force(ctx.tables, ctx.state, target)
    return any(name in have for name in INCAPACITATED)


def _hold(ctx: Context, who: Combatant, target: Combatant) -> None:
    begin(ctx, target.id, "grappled", source=who.id)


def escape(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Escape a Grapple: Athletics against Fortitude, or Acrobatics against Reflex."""
    skill = words.take(*ESCAPES) or "athletics"
    grappler = words.combatant("the grappler").id if words.take("from") else ""
    die = rolls.read_die(ctx, words, checks.OUTCOMES)
    terms = checks.read_terms(words)
    held = _grapple_on(who, grappler)
    pay()
    other = ctx.state.find(held.source) if held.source else None
    dc = terms.dc
    if dc is None and other is not None:
        dc = numbers.value(totals.here(ctx, other), ESCAPES[skill])
    outcome = checks.contest(ctx, who, skill, dc, die, terms.plus, other.id if other else "")
    if outcome != "miss":
        conditions.end_with_all(ctx, who.id, held.id, "escapes")
    ctx.text = f"{who.name} {'struggles in vain' if outcome == 'miss' else 'escapes the grapple'}"


def _grapple_on(who: Combatant, grappler: str) -> Effect:
    """The grapple it is in; of several the first, or the one of that grappler."""
    row = [e for e in who.effects if e.name == "grappled" and grappler in ("", e.source)]
    if not row:
        raise Refused(f"{who.name} is not grappled{' by them' if grappler else ''}")
    return row[0]


def move_grappled(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Move a Grappled Creature: Strength against Fortitude, then it can be dragged along."""
    if rolls.is_die(words, checks.OUTCOMES):
        words.insert([Word(_held(ctx, who).id)])
    assault = read_strength(ctx, words, who, "fortitude", "drag")
    target = ctx.state[assault.targets[0]]
    if target not in offers.held_by(ctx.state, who.id):
        raise Refused(f"{who.name} has not grappled {target.name}")
    offers.refuse_fixed(ctx, target)
    pay()
    outcomes = attacks.attack(ctx, who, assault, "drag")
    if outcomes != ["miss"]:
        _begin_dragging(ctx, who, target)
    how = "in vain" if outcomes == ["miss"] else "at half the speed"
    ctx.text = f"{who.name} drags {target.name} along {how}"


def _begin_dragging(ctx: Context, who: Combatant, target: Combatant) -> None:
    """Half the speed until the turn that it is ends, or the grapple."""
    held = next(e for e in target.effects if e.name == "grappled" and e.source == who.id)
    until = timing.present_turn(ctx.state, who.id)
    renew(ctx, who.id, DRAGGING, until, hangs=f"{target.id}/{held.id}")


def _held(ctx: Context, who: Combatant) -> Combatant:
    """The one whom somebody holds. Raises Refused for nobody or several."""
    row = offers.held_by(ctx.state, who.id)
    if not row:
        raise Refused(f"{who.name} holds nobody in a grapple")
    if len(row) > 1:
        names = [c.id for c in row]
        raise Refused(f"{who.name} holds several: say which, {listed(names)}", names)
    return row[0]


def release(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """End a grapple of one's own: a free action."""
    target = _held(ctx, who) if words.done else words.combatant("who is let go")
    if target not in offers.held_by(ctx.state, who.id):
        raise Refused(f"{who.name} has not grappled {target.name}")
    pay()
    for effect in ctx.state[target.id].effects:
        if effect.name == "grappled" and effect.source == who.id:
            conditions.end_with_all(ctx, target.id, effect.id, "let go")
    ctx.text = f"{who.name} lets go of {target.name}"


# -- movement that takes more than leaving or ending an effect -------------------------------------


def _leave_narrow_space(ctx: Context, who: str) -> None:
    """Any other movement than squeezing on goes where there is room."""
    end_named(ctx, who, "squeezing", "out of the narrow space")


def walk(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Walk: up to the speed; in the air, with that of the wings."""
    pay()
    _leave_narrow_space(ctx, who.id)
    flight.moved(ctx, who.id)
    ctx.text = f"{who.name} walks"


def dash(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Dash: speed + 2, exposed until the end of one's next turn."""
    pay()
    _leave_narrow_space(ctx, who.id)
    flight.moved(ctx, who.id)
    renew(ctx, who.id, "dashing", companions.next_turn(ctx.state, who.id, "end"))
    ctx.text = f"{who.name} dashes"


FIGHTING: dict[str, Act] = {
    "attack": attack,
    "charge": charge,
    "coup-de-grace": coup_de_grace,
    "shove": shove,
    "grapple": grapple,
    "escape": escape,
    "move-grappled": move_grappled,
    "release": release,
    "walk": walk,
    "dash": dash,
}
