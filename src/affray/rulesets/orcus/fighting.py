"""The actions that lay hands or weapons on somebody.

Seed 003: Actions in Combat (Basic Attack, Charge, Coup de Grace, Grapple, Escape a Grapple, Move a
Grappled Creature, Shove), Opportunity Attacks, Free Actions.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.effects import in_force
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.declared import Argument, Reading, read
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.rulekit import numbers, rolls
from affray.rulekit.acts import Act, Pay, needs_another
from affray.rulekit.doing import Declared
from affray.rulekit.numbers import Part
from affray.rulekit.placing import begin, renew
from affray.rulekit.recorded import larger_by, size_of
from affray.rulekit.rolls import Die
from affray.rulesets.orcus import assaults, attacks, checks, conditions, hindrances, movement, sheet
from affray.rulesets.orcus.assaults import Assault, How, OnOne
from affray.rulesets.orcus.checks import Terms
from affray.rulesets.orcus.sheet import Attack

COUP_DE_GRACE = "coup-de-grace"
Bonus = tuple[Part, ...]
INCAPACITATED = ("stunned", "unconscious", "petrified")
"""Whom a grapple can't miss."""
ESCAPES = {"athletics": "fortitude", "acrobatics": "reflex"}
"""The skills that get out of a grapple, and the grappler's defence against each."""


def attack(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """Basic Attack: with the weapon in hand."""
    assault = finishing(ctx, assaults.made_with(who, said))
    _make(ctx, who, pay, assault, "attack", "attacks")


def _make(
    ctx: Context, who: Combatant, pay: Pay, made: Assault, what: str, does: str, bonus: Bonus = ()
) -> None:
    """Pay for an attack, make it, and say so."""
    pay()
    outcomes = attacks.attack(ctx, who, made, what, bonus)
    ctx.text = f"{who.name} {does} {assaults.said(ctx, made, outcomes)}"


def charge(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Charge: a melee basic attack, or a shove, at +1."""
    bonus = (Part(ctx.tables.economy["charge"], "charge"),)
    if words.take("shove"):
        shove(ctx, read(Push, ctx, words), who, pay, bonus)
        ctx.text += ", charging"
    else:
        assault = finishing(ctx, _melee(ctx, who, read(Assault, ctx, words), "a charge"))
        _make(ctx, who, pay, assault, "charge", "charges", bonus)
    movement.go(ctx, who.id)


def _melee(ctx: Context, who: Combatant, said: Assault, what: str) -> Assault:
    """An attack on one target that has to be made in melee."""
    unarmed = Attack("unarmed", who.number("strength"))
    melee = next((a for a in sheet.attacks_of(who) if a.reach == "melee"), unarmed)
    assault = assaults.made_with(who, said, melee)
    _require_one(assault, what)
    reach = assault.how.reach or (assault.means.reach if assault.how.weapon else "melee")
    if reach != "melee":
        raise Refused(f"{what} is made in melee, not {reach}")
    return assaults.in_melee(assault)


def _require_one(assault: Assault, what: str) -> None:
    """Raises Refused for more than one target."""
    if len(assault.targets) != 1:
        raise Refused(f"{what} has one target, not {len(assault.targets)}")


def coup_de_grace(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """Coup de Grace: a hit is a critical one, and may kill."""
    assault = must_finish(ctx, assaults.made_with(who, said))
    pay()
    outcomes = attacks.attack(ctx, who, assault, COUP_DE_GRACE)
    told = assaults.said(ctx, replace(assault, finishes=()), outcomes)
    ctx.text = f"{who.name} tries a coup de grace on {told}"


def must_finish(ctx: Context, assault: Assault) -> Assault:
    """The attack as a coup de grace. Raises Refused unless its one target is helpless, and near."""
    _require_one(assault, "a coup de grace")
    target = ctx.state[assault.targets[0]]
    if not attacks.is_helpless(ctx.tables, ctx.state, target):
        raise Refused(f"{target.name} is not helpless, so there is no coup de grace")
    if assault.is_said("reach"):
        raise Refused(f"{target.name} is not adjacent, so there is no coup de grace")
    return replace(assault, finishes=assault.targets)


def finishing(ctx: Context, assault: Assault) -> Assault:
    """An attack with the standard action, by whatever command: a coup de grace on whoever is
    helpless, and adjacent (`Assault.is_adjacent`)."""
    if not assault.is_adjacent or not assault.deals_damage:
        return assault
    helpless = (
        t for t in assault.targets if attacks.is_helpless(ctx.tables, ctx.state, ctx.state[t])
    )
    return replace(assault, finishes=tuple(helpless))


def opportunity_attack(ctx: Context, said: Assault, who: Combatant, pay: Pay) -> None:
    """Opportunity Attack: one melee attack at somebody who leaves or turns away.

    It takes the immediate action, which nobody gets back within somebody's turn: so it is never
    made twice against a creature in its turn.
    """
    assault = _melee(ctx, who, said, "an opportunity attack")
    pay()  # first: whoever can do nothing is told that, and not that they see nobody
    if unseen := assaults.why_unseen(ctx, who, ctx.state[assault.targets[0]], assault):
        seen = f"`{assaults.CLEAR}` says that they are seen"
        raise Refused(f"an opportunity attack is made on somebody one sees, and {unseen}: {seen}")
    outcomes = attacks.attack(ctx, who, assault, "opportunity attack")
    ctx.text = f"{who.name} strikes in passing at {assaults.said(ctx, assault, outcomes)}"


# -- by strength -----------------------------------------------------------------------------------


class Push(Struct, frozen=True):
    """What is said of an attack with Strength on one, which deals no damage."""

    target: Annotated[Combatant, arguments.person("the target", usage="TARGET")]
    die: Annotated[Die, assaults.ONE_DIE]
    how: Annotated[How, arguments.words_of(How, "WORDS")] = How()


def _by_strength(ctx: Context, said: Push, who: Combatant, defense: str, what: str) -> Assault:
    """The attack with Strength that is said. Raises Refused where a weapon is."""
    if said.how.weapon:
        raise Refused(f"a {what} deals no damage: expected TARGET OUTCOME alone")
    means = Attack("Strength", who.number("strength"), defense)
    assault = Assault((said.target.id,), [said.die], how=said.how)
    return assaults.in_melee(assaults.made_with(who, assault, means, ()))


def shove(ctx: Context, said: Push, who: Combatant, pay: Pay, bonus: Bonus = ()) -> None:
    """Shove: Strength against Fortitude, 1 square away."""
    assault = _by_strength(ctx, said, who, "fortitude", "shove")
    _refuse_larger(who, said.target, "shove")
    hindrances.refuse_fixed(ctx, said.target)
    _make(ctx, who, pay, assault, "shove", "shoves", bonus)


def _unresisted(reading: Reading) -> Die | None:
    """A die that says nothing, of a grapple with somebody who can't get away."""
    if _is_incapacitated(reading.ctx, reading.said["target"]):
        return _NOT_ROLLED
    return assaults.ONE_DIE.unsaid(reading) if assaults.ONE_DIE.unsaid else None


_NOT_ROLLED = Die(final=True)


class Grapple(Push, frozen=True):
    """What `grapple` says; nothing has to be rolled for who is incapacitated."""

    die: Annotated[Die, replace(assaults.ONE_DIE, unsaid=_unresisted, usage="[OUTCOME]")]


def grapple(ctx: Context, said: Grapple, who: Combatant, pay: Pay) -> None:
    """Grapple: Strength against Reflex; the incapacitated can't get away."""
    target = said.target
    needs_another(who, target, "grapple")
    _refuse_larger(who, target, "grapple")
    if _grapples_on(target, who.id):
        raise Refused(f"{who.name} has {target.name} in a grapple already")
    resists = not _is_incapacitated(ctx, target)
    assault = _by_strength(ctx, said, who, "reflex", "grapple")
    pay()
    outcomes: list[checks.Outcome] = []
    if said.die != _NOT_ROLLED:
        outcomes = attacks.attack(ctx, who, assault, "grapple")
    if outcomes != ["miss"] or not resists:
        begin(ctx, target.id, "grappled", source=who.id)
    told = assaults.said(ctx, assault, outcomes) if resists else f"{target.name}, who can't resist"
    ctx.text = f"{who.name} grapples {told}"


def _refuse_larger(who: Combatant, target: Combatant, done: str) -> None:
    """Raises Refused for a target more than one size larger (seed 003: Grapple, Shove)."""
    if larger_by(target, who) > 1:
        sizes = f"{size_of(target)}, and {who.name} {size_of(who)}"
        raise Refused(f"{target.name} is {sizes}: too large by more than one size to {done}")


def _is_incapacitated(ctx: Context, target: Combatant) -> bool:
    have = in_force(ctx.tables, ctx.state, target)
    return any(name in have for name in INCAPACITATED)


def _read_grappler(reading: Reading) -> Combatant:
    reading.words.take("from")
    return reading.words.combatant("the grappler")


_FROM = Argument(_read_grappler, "from NAME", lambda reading: reading.words.peek() == "from")


class Escape(Struct, frozen=True, kw_only=True):
    """What `escape` says."""

    skill: Annotated[str, arguments.choice("a skill", tuple(ESCAPES))] = "athletics"
    grappler: Annotated[Combatant | None, _FROM] = None
    die: Annotated[Die, checks.OUTCOME]
    terms: Annotated[Terms, arguments.words_of(Terms)] = Terms()


def escape(ctx: Context, said: Escape, who: Combatant, pay: Pay) -> None:
    """Escape a Grapple: Athletics against Fortitude, or Acrobatics against Reflex."""
    grapples = _grapples_on(who, said.grappler.id if said.grappler else "")
    if not grapples:
        raise Refused(f"{who.name} is not grappled{' by them' if said.grappler else ''}")
    holders = list(dict.fromkeys(effect.source for effect in grapples))
    if len(holders) > 1:
        held_by = listed(map(ctx.state.name, holders), "and")
        raise Refused(f"{who.name} is grappled by {held_by}: say `from {holders[0]}`", holders)
    pay()
    held = grapples[0]
    other = ctx.state.find(held.source)
    defense = ESCAPES[said.skill]
    dc = numbers.value(checks.here(ctx, other), defense) if other is not None else None
    against = other.id if other else ""
    outcome = checks.contest(ctx, who, said.skill, said.die, said.terms, dc, against)
    if other is not None:
        checks.use_up(ctx, other.id, (defense, "defenses"))
    if outcome != "miss":
        conditions.end_with_all(ctx, who.id, held.id, "escapes")
    ctx.text = f"{who.name} {'struggles in vain' if outcome == 'miss' else 'escapes the grapple'}"


def _grapples_on(held: Combatant, by: str) -> list[Effect]:
    """The grapples that somebody is held by; with `by`, only those of that grappler."""
    return [effect for effect in held.all_named("grappled") if by in ("", effect.source)]


def _must_be_held(held: Combatant, who: Combatant) -> list[Effect]:
    """The grapples in which the one holds the other. Raises Refused for none."""
    grapples = _grapples_on(held, who.id)
    if not grapples:
        raise Refused(f"{who.name} doesn't hold {held.name}")
    return grapples


def _is_held(reading: Reading) -> bool:
    return not rolls.is_die(reading.words, checks.OUTCOMES) and reading.words.is_people()


class Drag(Push, frozen=True):
    """What `move-grappled` says; the only one who is held needs no name."""

    target: Annotated[
        Combatant,
        replace(
            arguments.person("the target", usage="[TARGET]"),
            stands=_is_held,
            unsaid=lambda reading: _held(reading.ctx, reading.ctx.actor()),
        ),
    ]


def move_grappled(ctx: Context, said: Drag, who: Combatant, pay: Pay) -> None:
    """Move a Grappled Creature: Strength against Fortitude, then it can be dragged along."""
    assault, target = _by_strength(ctx, said, who, "fortitude", "drag"), said.target
    hangs = f"{target.id}/{_must_be_held(target, who)[0].id}"
    hindrances.refuse_fixed(ctx, target)
    pay()
    how = "in vain"
    if attacks.attack(ctx, who, assault, "drag") != ["miss"]:
        how = "at half the speed"  # until the turn that it is ends, or the grapple
        renew(ctx, who.id, "dragging", timing.present_turn(ctx.state, who.id), hangs=hangs)
    ctx.text = f"{who.name} drags {target.name} along {how}"


def _held(ctx: Context, who: Combatant) -> Combatant:
    """The one whom somebody holds. Raises Refused for nobody or several."""
    row = hindrances.held_by(ctx.state, who.id)
    if not row:
        raise Refused(f"{who.name} holds nobody")
    if len(row) > 1:
        names = [c.id for c in row]
        raise Refused(f"{who.name} holds several: say which, {listed(names)}", names)
    return row[0]


class Release(Struct, frozen=True):
    """What `release` says."""

    target: Annotated[Combatant | None, arguments.person("who is let go", usage="TARGET")] = None


def release(ctx: Context, said: Release, who: Combatant, pay: Pay) -> None:
    """End a grapple of one's own: a free action."""
    target = said.target or _held(ctx, who)
    grapples = _must_be_held(target, who)
    pay()
    for grapple in grapples:
        conditions.end_with_all(ctx, target.id, grapple.id, "let go")
    ctx.text = f"{who.name} lets go of {target.name}"


ACTS: dict[str, Act] = {
    "attack": Declared(Assault, attack),
    "charge": charge,
    "coup-de-grace": Declared(OnOne, coup_de_grace),
    "shove": Declared(Push, shove),
    "grapple": Declared(Grapple, grapple),
    "escape": Declared(Escape, escape),
    "move-grappled": Declared(Drag, move_grappled),
    "release": Declared(Release, release),
    "walk": movement.walk,
    "dash": movement.dash,
}
REACTIONS: dict[str, Act] = {"opportunity-attack": Declared(OnOne, opportunity_attack)}
USAGE = {
    "charge": "charge TARGET OUTCOME [DAMAGE [TYPE]] [WORDS] | charge shove TARGET OUTCOME [WORDS]"
}
"""How the command is written of which nothing declares the words."""
