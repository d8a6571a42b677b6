"""The basic techniques that need code, a function each, in the order of the seed's table.

Each function reads the words behind the technique's name, pays for it, and does what it does. Those
that are all in their rows of the tables are not here; movement, mounts and what is retrieved have
modules of their own. By which commands they are given, `techniques` says.

Seed 004: Basic Techniques, Attacking & Dealing Damage, Action Points.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine import durations
from affray.core.engine.decide import command_name
from affray.core.engine.effects import active_effects
from affray.core.engine.events import EffectChanged, Rolled, UseCounted
from affray.core.engine.history import earlier_entries
from affray.core.engine.state import Combatant, Duration
from affray.core.formatting.safe_text import hyphenate
from affray.core.parser.declarations import ParseState, parse_arguments
from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Context
from affray.mechanics.actions import PayFunction, require_other_target
from affray.mechanics.checks import DieInput
from affray.mechanics.conditions import EffectTerms, begin_effect, in_n_turns, replace_effect
from affray.mechanics.damage import has_lost_hp
from affray.rulesets.monsters_and_magic import (
    attacks,
    bonds,
    checks,
    conditions,
    damage,
    environment,
    loadout,
    sheet,
)
from affray.rulesets.monsters_and_magic.attacks import AttackArgs, MultiAttackArgs
from affray.rulesets.monsters_and_magic.checks import BENDING
from affray.rulesets.monsters_and_magic.conditions import ReapplyRule
from affray.rulesets.monsters_and_magic.sheet import Item, cantrips_of


def strike(ctx: Context, assault: AttackArgs, combatant: Combatant, pay: PayFunction) -> None:
    """Strike: an attack for damage, or 1 fatigue marked to inflict 2."""
    pay()
    outcome = _attack(ctx, combatant, assault, "strike")
    ctx.text = f"{combatant.name} strikes {assault.target.name}, {outcome}"


def _attack(ctx: Context, combatant: Combatant, assault: AttackArgs, what: str) -> str:
    """Make an attack, and give how it came out in words: `strong 8 slashing`."""
    return attacks.format_called_outcome(assault, attacks.attack(ctx, combatant, assault, what))


def use_item(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Use Item: `ap N` is the price in all of an item that has one; `to NAME` hands it over."""
    called, item = read_item(ctx, tokens)
    how = tokens.take("on", "to")
    other = tokens.combatant("whom it is for") if how else None
    values = {"ap": read_ap(tokens)} if tokens.take("ap") else None
    pay(values or item_cost(item))
    if item is not None and how == "to" and other is not None:
        require_other_target(combatant, other, "hand a thing to")
        loadout.hand_over(ctx, combatant.id, item, other.id)
    elif item is not None:
        loadout.consume_reasons(ctx, combatant.id, item)
    does = "hands" if how == "to" else "uses"
    ctx.text = (
        f"{combatant.name} {does} {called or 'an item'}{f' {how} {other.name}' if other else ''}"
    )


def item_cost(item: Item | None) -> dict[str, int] | None:
    """What using an item costs in all, where it has a price of its own."""
    return {"ap": item.ap} if item is not None and item.ap else None


def read_item(ctx: Context, tokens: TokenStream) -> tuple[str, Item | None]:
    """Read an item, where one stands: its name, and what a sheet that keeps items says of it."""
    if tokens.done or tokens.peek() in ("on", "to", "ap"):
        return "", None
    item = loadout.item_at_hand(tokens, ctx.actor())
    return (item.name, item) if item is not None else (str(tokens.next("the item")), None)


def aid(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Aid: another recovers fatigue by the bond; 1 AP more for those who are down."""
    other = tokens.combatant("who is aided")
    bond = bonds.read_bond(tokens, combatant, other)
    can_aid(combatant, other)
    pay(aid_cost(ctx, other))
    damage.clear_fatigue(ctx, other.id, max(0, bond), f"aided by {combatant.name}")
    if other.life == "dying":
        damage.stabilise(ctx, other.id, f"aided by {combatant.name}")
    ctx.emit(UseCounted(other.id, "aided", "rest"))
    ctx.text = f"{combatant.name} aids {other.name}, bond {bond}"


def can_aid(combatant: Combatant, other: Combatant) -> None:
    """Raises Refused for oneself, and for whom aid does nothing more before a short rest."""
    require_other_target(combatant, other, "aid")
    if other.used("aided", "rest"):
        raise Refused(f"{other.name} has been aided since the last short rest")


def aid_cost(ctx: Context, other: Combatant) -> dict[str, int]:
    """What aiding somebody costs: 1 AP more for who is down."""
    down = other.named("unconscious") is not None or other.life != "up"
    return {"ap": ctx.tables.techniques["aid"].cost["ap"] + (1 if down else 0)}


def disengage(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Disengage: each fatigue marked, up to 2, saves 1 AP."""
    marks = read_marks(tokens)
    pay(disengage_cost(ctx, marks))
    if marks:
        damage.require_fatigue(combatant)
        damage.mark_fatigue(ctx, combatant.id, marks, "to disengage")
    until = durations.present_turn(ctx.state, combatant.id)  # readied: in another's turn
    replace_effect(ctx, combatant.id, "disengaged", until)
    ctx.text = f"{combatant.name} disengages"


def read_marks(tokens: TokenStream) -> int:
    """Read `fatigue N`, which stands for as many AP of Disengage, where it is said."""
    return tokens.number("the fatigue to mark", 0, 2) if tokens.take("fatigue") else 0


def disengage_cost(ctx: Context, marks: int) -> dict[str, int]:
    """What Disengage costs with so much fatigue marked for it."""
    return {"ap": ctx.tables.techniques["disengage"].cost["ap"] - marks}


def distract(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Distract: weak sunders until one's next turn; strong gives the next attack advantage."""
    target = tokens.combatant("the target")
    die, terms, again = _read_contest(ctx, tokens, "an outcome", "close")
    require_other_target(combatant, target, "distract")
    pay()
    damage.mark_fatigue(ctx, combatant.id, 1, "to distract")
    check = checks.plain(combatant, "distract", "cunning", die, terms, against=target.id)
    outcome = checks.make(ctx, check)
    until = durations.turn_edge(ctx.state, combatant.id, "start")
    if outcome == "weak":
        conditions.apply_condition(
            ctx, target.id, "sundered", EffectTerms(until, source=combatant.id), again
        )
    elif outcome in checks.HITS:
        replace_effect(ctx, target.id, "distracted", until, source=combatant.id)
    ctx.text = f"{combatant.name} distracts {target.name}, {outcome}"


def _read_contest(
    ctx: Context, tokens: TokenStream, what: str, within: str
) -> tuple[DieInput, checks.CheckModifiers, ReapplyRule | None]:
    """Read a roll that may lay a condition, and what becomes of one that is there already.

    Raises Refused for a target that is said to be farther away than the range `within`.
    """
    die, terms = checks.read_roll(ctx, tokens, what)
    environment.refuse_beyond(ctx, tokens, within)
    return die, terms, conditions.read_again(ParseState(ctx, tokens))


LETS_GO = ("impaired", "stunned")
"""What a grappler must not become, to keep the hold."""


def grapple(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Grapple: the target saves with power against 10 + the grappler's POWER (a monster's CR)."""
    target = tokens.combatant("the target")
    die, terms, again = _read_contest(ctx, tokens, "the target's saving throw", "touch")
    if terms.dc is None:
        terms = replace(terms, dc=10 + sheet.ability(combatant, "power"))
    require_other_target(combatant, target, "grapple")
    pay()
    damage.mark_fatigue(ctx, combatant.id, 1, "to grapple")
    outcome = checks.make(ctx, checks.saving_throw(ctx, target, "power", die, terms, combatant.id))
    if outcome in ("miss", "crit-miss", "weak"):
        until = (
            in_n_turns(1) if outcome == "weak" else None
        )  # else until freed, as the restrained are
        was_so = active_effects(
            ctx.tables, ctx.before, combatant
        )  # the hold ends when one becomes so
        breaks = tuple(name for name in LETS_GO if name not in was_so)
        effect_terms = EffectTerms(until, source=combatant.id)
        conditions.apply_condition(ctx, target.id, "restrained", effect_terms, again, breaks)
    ctx.text = f"{combatant.name} grapples {target.name}, who saves: {outcome}"


def hide(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Hide: weak makes invisible until one attacks or shows oneself; strong opens for an attack."""
    die, terms = checks.read_roll(ctx, tokens)
    pay()
    outcome = checks.make(ctx, checks.plain(combatant, "hide", "cunning", die, terms))
    if outcome in checks.HITS:
        until = Duration(says="it attacks or is seen")
        before = ctx.state[combatant.id].named("invisible")
        cover = before or begin_effect(
            ctx, combatant.id, "invisible", until, because=attacks.HIDING
        )
        if outcome != "weak":
            hangs = f"{combatant.id}/{cover.id}"  # who is seen has lost the advantage as well
            replace_effect(
                ctx, combatant.id, attacks.OPENING, until, because=attacks.HIDING, hangs=hangs
            )
    ctx.text = f"{combatant.name} hides, {outcome}"


def help_(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Help: another adds their bond with the helper to their next check."""
    other = tokens.combatant("who is helped")
    bond = bonds.read_bond(tokens, other, combatant)
    require_other_target(combatant, other, "help")
    pay()
    if bond:
        note = f"next check, helped by {combatant.name}"
        conditions.give_forward(ctx, other.id, {"check": bond}, note)
    ctx.text = f"{combatant.name} helps {other.name}, bond {bond}"


def opportunity_attack(
    ctx: Context, assault: AttackArgs, combatant: Combatant, pay: PayFunction
) -> None:
    """Opportunity Attack: a Strike within reach, with a melee weapon or a spell."""
    target, assault = assault.target, replace(assault, in_reach=True)
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged: leaving provokes no opportunity attack")
    pay()
    outcome = _attack(ctx, combatant, assault, "opportunity attack")
    ctx.text = f"{combatant.name} strikes {target.name} in passing, {outcome}"


def retaliate(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Retaliate: 1 fatigue for somebody whose weak hit did damage."""
    target = tokens.combatant("who did the damage")
    require_other_target(combatant, target, "retaliate against")
    damage.require_fatigue(target)
    pay()
    _needs_a_weak_hit(ctx, combatant, target)
    damage.mark_fatigue(ctx, target.id, 1, "in retaliation")
    ctx.text = f"{combatant.name} retaliates against {target.name}"


_ATTACKS = ("strike", "cast", "react", "trigger")
"""The commands that attack somebody."""


def _needs_a_weak_hit(ctx: Context, combatant: Combatant, target: Combatant) -> None:
    """Raises Refused where the log has attacks of this turn by `target` on `combatant`, and none of
    them
    was a weak hit that did damage. Where it has none, or a thread has bent one, the GM knows.
    """
    now = ctx.state.round, ctx.state.taking_turn()
    attacked = False
    for entry in earlier_entries(ctx.previous):
        if (entry.before.round, entry.before.taking_turn()) != now:
            break
        events, verb = entry.entry.events, command_name(entry.entry, ctx.ruleset)
        rolls = [e for e in events if isinstance(e, Rolled) and e.who == target.id]
        rolled = next((e.outcome for e in reversed(rolls) if e.against == combatant.id), "")
        if rolled and (verb in BENDING or (rolled == "weak" and has_lost_hp(events, combatant.id))):
            return
        attacked = attacked or (bool(rolled) and verb in _ATTACKS)
    if attacked:
        none = f"{target.name} has dealt {combatant.name} none"
        raise Refused(f"Retaliate answers a weak hit that does damage: {none}")


# -- spells ----------------------------------------------------------------------------------------


class SpellCast(Struct, frozen=True):
    """A spell as it is cast: its name, and the AP that it costs in all, with its charms; `is_said`
    tells that this price was said."""

    name: str
    ap: int
    is_said: bool = False

    @property
    def subject(self) -> str:
        """What it is once a turn: charmed otherwise, the same spell is another action."""
        return f"{self.name.casefold()} at {self.ap} AP"

    def __str__(self) -> str:
        return f"{self.name} ({self.ap} AP)" if self.is_said else self.name


def _price_of(combatant: Combatant, text: str) -> int | None:
    """What a spell on the sheet costs with the charms behind its name; None for another spell.

    Raises Refused for a charm that it has not.
    """
    name, *charms = (hyphenate(part) for part in text.split(","))
    cantrip = next((each for each in cantrips_of(combatant) if hyphenate(each.name) == name), None)
    if cantrip is None:
        return None
    prices = {hyphenate(charm.name): charm.ap for charm in cantrip.charms}
    wrong = next((charm for charm in charms if charm not in prices), None)
    if wrong is not None:
        raise Refused(f"{cantrip.name} has no charm {wrong!r}{suggest_or_list(wrong, prices)}")
    return cantrip.ap + sum(prices[charm] for charm in charms)


def read_spell(ctx: Context, tokens: TokenStream) -> SpellCast:
    """Read `SPELL [ap N]`; of one on the sheet the price is known: `"spark, far, wide"`."""
    name = str(tokens.next("the spell's name"))
    usual = ctx.tables.techniques["cast"].cost["ap"]
    number = _price_of(ctx.actor(), name) if tokens.peek() != "ap" else None
    return _with_price(tokens, SpellCast(name, number or usual))


def _with_price(tokens: TokenStream, spell: SpellCast) -> SpellCast:
    while tokens.take("ap"):
        spell = replace(spell, ap=read_ap(tokens), is_said=True)
    return spell


def read_ap(tokens: TokenStream) -> int:
    """Read what stands behind `ap`: what something costs in all."""
    return tokens.number("the AP in all", 1, sheet.MOST_AP)


def cast(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Cast a Spell: an attack with a charmed cantrip; `ap N` is its price in all."""
    spell = read_spell(ctx, tokens)
    tokens.take("at")
    assaults: list[AttackArgs] = []
    if not tokens.done:
        at = parse_arguments(MultiAttackArgs, ctx, tokens, ("ap",))
        attack_modifiers = replace(at.words, ability="spell")
        name = spell.name.partition(",")[0]
        each = zip(at.targets, at.dice, strict=True)
        assaults = [
            AttackArgs(whom, die, attack_modifiers, at.amount, at.type, name) for whom, die in each
        ]
        spell = _with_price(tokens, spell)
    pay({"ap": spell.ap}, spell.subject)
    results = [f"{each.target.name}, {_attack(ctx, combatant, each, 'cast')}" for each in assaults]
    at_whom = f" at {'; '.join(results)}" if results else ""
    ctx.text = f"{combatant.name} casts {spell}{at_whom}"


def concentrate(ctx: Context, tokens: TokenStream, combatant: Combatant, pay: PayFunction) -> None:
    """Concentrate on a Spell: again in the same turn only for another spell."""
    spell = str(tokens.next("the spell's name"))
    pay(None, spell.casefold())
    until = durations.turn_edge(ctx.state, combatant.id, "end")
    effect = conditions.concentrated_on(combatant).get(spell.casefold())
    if effect is not None:
        ctx.emit(EffectChanged(combatant.id, replace(effect, until=until), "kept up"))
    else:
        by = EffectTerms(source=combatant.id)
        begin_effect(
            ctx, combatant.id, "concentrating", until, by, note=spell, breaks=("unconscious",)
        )
    ctx.text = f"{combatant.name} concentrates on {spell}"
