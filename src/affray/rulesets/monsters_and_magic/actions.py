"""The basic techniques that need code, a function each, in the order of the seed's table.

Each function reads the words behind the technique's name, pays for it, and does what it does. Those
that are all in their rows of the tables are not here; movement, mounts and what is retrieved have
modules of their own. By which commands they are given, `techniques` says.

Seed 004: Basic Techniques, Attacking & Dealing Damage, Action Points.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context, verb_of
from affray.core.heart.effects import in_force
from affray.core.heart.events import Altered, Rolled, Used
from affray.core.heart.history import back_from
from affray.core.heart.state import Combatant, Duration
from affray.core.language.declared import read
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, close_or_all
from affray.core.language.words import Words
from affray.rulekit.acts import Pay, needs_another
from affray.rulekit.harm import has_lost_hp
from affray.rulekit.placing import Placing, begin, renew, turns
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import (
    attacks,
    bonds,
    checks,
    conditions,
    hands,
    harm,
    sheet,
    surroundings,
)
from affray.rulesets.monsters_and_magic.attacks import Assault, Volley
from affray.rulesets.monsters_and_magic.conditions import Again
from affray.rulesets.monsters_and_magic.last_check import BENDING
from affray.rulesets.monsters_and_magic.sheet import Item, cantrips_of


def strike(ctx: Context, assault: Assault, who: Combatant, pay: Pay) -> None:
    """Strike: an attack for damage, or 1 fatigue marked to inflict 2."""
    pay()
    ctx.text = f"{who.name} strikes {assault.target.name}, {_attack(ctx, who, assault, 'strike')}"


def _attack(ctx: Context, who: Combatant, assault: Assault, what: str) -> str:
    """Make an attack, and give how it came out in words: `strong 8 slashing`."""
    return attacks.said(assault, attacks.attack(ctx, who, assault, what))


def use_item(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Use Item: `ap N` is the price in all of an item that has one; `to NAME` hands it over."""
    called, item = read_item(ctx, words)
    how = words.take("on", "to")
    other = words.combatant("whom it is for") if how else None
    said = {"ap": read_ap(words)} if words.take("ap") else None
    pay(said or item_cost(item))
    if item is not None and how == "to" and other is not None:
        needs_another(who, other, "hand a thing to")
        hands.hand_over(ctx, who.id, item, other.id)
    elif item is not None:
        hands.use_up(ctx, who.id, item)
    does = "hands" if how == "to" else "uses"
    ctx.text = f"{who.name} {does} {called or 'an item'}{f' {how} {other.name}' if other else ''}"


def item_cost(item: Item | None) -> dict[str, int] | None:
    """What using an item costs in all, where it has a price of its own."""
    return {"ap": item.ap} if item is not None and item.ap else None


def read_item(ctx: Context, words: Words) -> tuple[str, Item | None]:
    """Read an item, where one stands: its name, and what a sheet that keeps items says of it."""
    if words.done or words.peek() in ("on", "to", "ap"):
        return "", None
    item = hands.item_at_hand(words, ctx.actor())
    return (item.name, item) if item is not None else (str(words.next("the item")), None)


def aid(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Aid: another recovers fatigue by the bond; 1 AP more for those who are down."""
    other = words.combatant("who is aided")
    bond = bonds.read_bond(words, who, other)
    can_aid(who, other)
    pay(aid_cost(ctx, other))
    harm.clear_fatigue(ctx, other.id, max(0, bond), f"aided by {who.name}")
    if other.life == "dying":
        harm.stabilise(ctx, other.id, f"aided by {who.name}")
    ctx.emit(Used(other.id, "aided", "rest"))
    ctx.text = f"{who.name} aids {other.name}, bond {bond}"


def can_aid(who: Combatant, other: Combatant) -> None:
    """Raises Refused for oneself, and for whom aid does nothing more before a short rest."""
    needs_another(who, other, "aid")
    if other.used("aided", "rest"):
        raise Refused(f"{other.name} has been aided since the last short rest")


def aid_cost(ctx: Context, other: Combatant) -> dict[str, int]:
    """What aiding somebody costs: 1 AP more for who is down."""
    down = other.named("unconscious") is not None or other.life != "up"
    return {"ap": ctx.tables.techniques["aid"].cost["ap"] + (1 if down else 0)}


def disengage(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Disengage: each fatigue marked, up to 2, saves 1 AP."""
    marks = read_marks(words)
    pay(disengage_cost(ctx, marks))
    if marks:
        harm.require_fatigue(who)
        harm.mark_fatigue(ctx, who.id, marks, "to disengage")
    until = timing.present_turn(ctx.state, who.id)  # readied: in another's turn
    renew(ctx, who.id, "disengaged", until)
    ctx.text = f"{who.name} disengages"


def read_marks(words: Words) -> int:
    """Read `fatigue N`, which stands for as many AP of Disengage, where it is said."""
    return words.number("the fatigue to mark", 0, 2) if words.take("fatigue") else 0


def disengage_cost(ctx: Context, marks: int) -> dict[str, int]:
    """What Disengage costs with so much fatigue marked for it."""
    return {"ap": ctx.tables.techniques["disengage"].cost["ap"] - marks}


def distract(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Distract: weak sunders until one's next turn; strong gives the next attack advantage."""
    target = words.combatant("the target")
    die, terms, again = _read_contest(ctx, words, "an outcome", "close")
    needs_another(who, target, "distract")
    pay()
    harm.mark_fatigue(ctx, who.id, 1, "to distract")
    check = checks.plain(who, "distract", "cunning", die, terms, against=target.id)
    outcome = checks.make(ctx, check)
    until = timing.at_turn(ctx.state, who.id, "start")
    if outcome == "weak":
        conditions.lay(ctx, target.id, "sundered", Placing(until, source=who.id), again)
    elif outcome in checks.HITS:
        renew(ctx, target.id, "distracted", until, source=who.id)
    ctx.text = f"{who.name} distracts {target.name}, {outcome}"


def _read_contest(
    ctx: Context, words: Words, what: str, within: str
) -> tuple[Die, checks.Terms, Again | None]:
    """Read a roll that may lay a condition, and what becomes of one that is there already.

    Raises Refused for a target that is said to be farther away than the range `within`.
    """
    die, terms = checks.read_roll(ctx, words, what)
    surroundings.refuse_beyond(ctx, words, within)
    return die, terms, conditions.read_again(ctx, words)


LETS_GO = ("impaired", "stunned")
"""What a grappler must not become, to keep the hold."""


def grapple(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Grapple: the target saves with power against 10 + the grappler's POWER (a monster's CR)."""
    target = words.combatant("the target")
    die, terms, again = _read_contest(ctx, words, "the target's saving throw", "touch")
    if terms.dc is None:
        terms = replace(terms, dc=10 + sheet.ability(who, "power"))
    needs_another(who, target, "grapple")
    pay()
    harm.mark_fatigue(ctx, who.id, 1, "to grapple")
    outcome = checks.make(ctx, checks.saving_throw(ctx, target, "power", die, terms, who.id))
    if outcome in ("miss", "crit-miss", "weak"):
        until = turns(1) if outcome == "weak" else None  # else until freed, as the restrained are
        was_so = in_force(ctx.tables, ctx.before, who)  # the hold ends when one becomes so
        breaks = tuple(name for name in LETS_GO if name not in was_so)
        placing = Placing(until, source=who.id)
        conditions.lay(ctx, target.id, "restrained", placing, again, breaks)
    ctx.text = f"{who.name} grapples {target.name}, who saves: {outcome}"


def hide(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Hide: weak makes invisible until one attacks or shows oneself; strong opens for an attack."""
    die, terms = checks.read_roll(ctx, words)
    pay()
    outcome = checks.make(ctx, checks.plain(who, "hide", "cunning", die, terms))
    if outcome in checks.HITS:
        until = Duration(says="it attacks or is seen")
        before = ctx.state[who.id].named("invisible")
        cover = before or begin(ctx, who.id, "invisible", until, because=attacks.HIDING)
        if outcome != "weak":
            hangs = f"{who.id}/{cover.id}"  # who is seen has lost the advantage as well
            renew(ctx, who.id, attacks.OPENING, until, because=attacks.HIDING, hangs=hangs)
    ctx.text = f"{who.name} hides, {outcome}"


def help_(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Help: another adds their bond with the helper to their next check."""
    other = words.combatant("who is helped")
    bond = bonds.read_bond(words, other, who)
    needs_another(who, other, "help")
    pay()
    if bond:
        note = f"next check, helped by {who.name}"
        conditions.give_forward(ctx, other.id, {"check": bond}, note)
    ctx.text = f"{who.name} helps {other.name}, bond {bond}"


def opportunity_attack(ctx: Context, assault: Assault, who: Combatant, pay: Pay) -> None:
    """Opportunity Attack: a Strike within reach, with a melee weapon or a spell."""
    target, assault = assault.target, replace(assault, in_reach=True)
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged: leaving provokes no opportunity attack")
    pay()
    outcome = _attack(ctx, who, assault, "opportunity attack")
    ctx.text = f"{who.name} strikes {target.name} in passing, {outcome}"


def retaliate(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Retaliate: 1 fatigue for somebody whose weak hit did damage."""
    target = words.combatant("who did the damage")
    needs_another(who, target, "retaliate against")
    harm.require_fatigue(target)
    pay()
    _needs_a_weak_hit(ctx, who, target)
    harm.mark_fatigue(ctx, target.id, 1, "in retaliation")
    ctx.text = f"{who.name} retaliates against {target.name}"


_ATTACKS = ("strike", "cast", "react", "trigger")
"""The commands that attack somebody."""


def _needs_a_weak_hit(ctx: Context, who: Combatant, target: Combatant) -> None:
    """Raises Refused where the log has attacks of this turn by `target` on `who`, and none of them
    was a weak hit that did damage. Where it has none, or a thread has bent one, the GM knows.
    """
    now = ctx.state.round, ctx.state.taking_turn()
    attacked = False
    for here in back_from(ctx.previous):
        if (here.before.round, here.before.taking_turn()) != now:
            break
        events, verb = here.entry.events, verb_of(here.entry, ctx.ruleset)
        made = [e for e in events if isinstance(e, Rolled) and e.who == target.id]
        rolled = next((e.outcome for e in reversed(made) if e.against == who.id), "")
        if rolled and (verb in BENDING or (rolled == "weak" and has_lost_hp(events, who.id))):
            return
        attacked = attacked or (bool(rolled) and verb in _ATTACKS)
    if attacked:
        none = f"{target.name} has dealt {who.name} none"
        raise Refused(f"Retaliate answers a weak hit that does damage: {none}")


# -- spells ----------------------------------------------------------------------------------------


class Spell(Struct, frozen=True):
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


def _price_of(who: Combatant, said: str) -> int | None:
    """What a spell on the sheet costs with the charms behind its name; None for another spell.

    Raises Refused for a charm that it has not.
    """
    name, *charms = (hyphened(part) for part in said.split(","))
    known = next((each for each in cantrips_of(who) if hyphened(each.name) == name), None)
    if known is None:
        return None
    prices = {hyphened(charm.name): charm.ap for charm in known.charms}
    wrong = next((charm for charm in charms if charm not in prices), None)
    if wrong is not None:
        raise Refused(f"{known.name} has no charm {wrong!r}{close_or_all(wrong, prices)}")
    return known.ap + sum(prices[charm] for charm in charms)


def read_spell(ctx: Context, words: Words) -> Spell:
    """Read `SPELL [ap N]`; of one on the sheet the price is known: `"spark, far, wide"`."""
    name = str(words.next("the spell's name"))
    usual = ctx.tables.techniques["cast"].cost["ap"]
    known = _price_of(ctx.actor(), name) if words.peek() != "ap" else None
    return _with_price(words, Spell(name, known or usual))


def _with_price(words: Words, spell: Spell) -> Spell:
    while words.take("ap"):
        spell = replace(spell, ap=read_ap(words), is_said=True)
    return spell


def read_ap(words: Words) -> int:
    """Read what stands behind `ap`: what something costs in all."""
    return words.number("the AP in all", 1, sheet.MOST_AP)


def cast(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Cast a Spell: an attack with a charmed cantrip; `ap N` is its price in all."""
    spell = read_spell(ctx, words)
    words.take("at")
    assaults: list[Assault] = []
    if not words.done:
        at = read(Volley, ctx, words, ("ap",))
        said = replace(at.words, ability="spell")
        name = spell.name.partition(",")[0]
        each = zip(at.targets, at.dice, strict=True)
        assaults = [Assault(whom, die, said, at.amount, at.type, name) for whom, die in each]
        spell = _with_price(words, spell)
    pay({"ap": spell.ap}, spell.subject)
    results = [f"{each.target.name}, {_attack(ctx, who, each, 'cast')}" for each in assaults]
    at_whom = f" at {'; '.join(results)}" if results else ""
    ctx.text = f"{who.name} casts {spell}{at_whom}"


def concentrate(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Concentrate on a Spell: again in the same turn only for another spell."""
    spell = str(words.next("the spell's name"))
    pay(None, spell.casefold())
    until = timing.at_turn(ctx.state, who.id, "end")
    kept = conditions.concentrated_on(who).get(spell.casefold())
    if kept is not None:
        ctx.emit(Altered(who.id, replace(kept, until=until), "kept up"))
    else:
        by = Placing(source=who.id)
        begin(ctx, who.id, "concentrating", until, by, note=spell, breaks=("unconscious",))
    ctx.text = f"{who.name} concentrates on {spell}"
