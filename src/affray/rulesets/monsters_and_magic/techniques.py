"""The basic techniques that need code, a function each, in the order of the seed's table.

Seed 004: Basic Techniques, Attacking & Dealing Damage. Each function reads the words behind the
technique's name, pays for it, and does what it does. Those of spells are in `spells`; the others
are all in their rows of the tables. Each is a command by its name; reactions stand behind `react`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context, verb_of
from affray.core.heart.effects import rule_of
from affray.core.heart.events import AnyEvent, Changed, Rolled, Used
from affray.core.heart.state import Combatant, Duration
from affray.core.language.refusal import Refused
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing
from affray.rulekit.acts import Act, Pay, needs_another
from affray.rulekit.doing import Declared, Techniques
from affray.rulekit.placing import Placing, begin, renew, turns, until_for
from affray.rulekit.rolls import Die
from affray.rulesets.monsters_and_magic import (
    attacks,
    checks,
    conditions,
    dying,
    fatigue,
    hands,
    mounts,
    movement,
    powers,
    spells,
    surroundings,
    tracks,
)
from affray.rulesets.monsters_and_magic.action_points import ECONOMY
from affray.rulesets.monsters_and_magic.attacks import Assault
from affray.rulesets.monsters_and_magic.bonds import read_bond
from affray.rulesets.monsters_and_magic.conditions import LASTING, Again
from affray.rulesets.monsters_and_magic.sheet import Item
from affray.rulesets.monsters_and_magic.threads import BENDING


def strike(ctx: Context, assault: Assault, who: Combatant, pay: Pay) -> None:
    """Strike: an attack for damage, or 1 fatigue marked to inflict 2."""
    pay()
    outcome = attacks.attack(ctx, who, assault, "strike")
    ctx.text = f"{who.name} strikes {assault.target.name}, {attacks.said(assault, outcome)}"


def use_item(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Use Item: `ap N` is the price in all of an item that has one; `to NAME` hands it over."""
    item = hands.item_at_hand(words, who) if names_item(words) else None
    called = item.name if item is not None else read_item(words) or "an item"
    how = words.take("on", "to")
    other = words.combatant("whom it is for") if how else None
    said = {"ap": spells.read_ap(words)} if words.take("ap") else None
    pay(said or item_cost(item))
    if item is not None and how == "to" and other is not None:
        needs_another(who, other, "hand a thing to")
        hands.hand_over(ctx, who.id, item, other.id)
    elif item is not None:
        hands.use_up(ctx, who.id, item)
    does = "hands" if how == "to" else "uses"
    ctx.text = f"{who.name} {does} {called}{f' {how} {other.name}' if other else ''}"


def item_cost(item: Item | None) -> dict[str, int] | None:
    """What using an item costs in all, where it has a price of its own."""
    return {"ap": item.ap} if item is not None and item.ap else None


def names_item(words: Words) -> bool:
    """Whether an item stands next."""
    return not words.done and words.peek() not in ("on", "to", "ap")


def read_item(words: Words) -> str:
    """Read an item's name, where one stands."""
    return str(words.next("the item")) if names_item(words) else ""


def aid(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Aid: another recovers fatigue by the bond; 1 AP more for those who are down."""
    other = words.combatant("who is aided")
    needs_none = other.life == "dying"  # who is stabilised all the same
    bond = read_bond(words, who, other, 0 if needs_none else None)
    needs_another(who, other, "aid")
    if other.used("aided", "rest"):
        raise Refused(f"{other.name} has been aided since the last short rest")
    pay(aid_cost(ctx, other))
    fatigue.clear(ctx, other.id, max(0, bond), f"aided by {who.name}")
    if other.life == "dying":
        dying.stabilise(ctx, other.id, f"aided by {who.name}")
    ctx.emit(Used(other.id, "aided", "rest"))
    ctx.text = f"{who.name} aids {other.name}, bond {bond}"


def aid_cost(ctx: Context, other: Combatant) -> dict[str, int]:
    """What aiding somebody costs: 1 AP more for who is down."""
    down = other.named("unconscious") is not None or other.life != "up"
    return {"ap": ctx.tables.techniques["aid"].cost["ap"] + (1 if down else 0)}


def disengage(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Disengage: each fatigue marked, up to 2, saves 1 AP."""
    marks = read_marks(words)
    pay(disengage_cost(ctx, marks))
    if marks:
        fatigue.require(who)
        fatigue.mark(ctx, who.id, marks, "to disengage")
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
    fatigue.mark(ctx, who.id, 1, "to distract")
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
    surroundings.refuse_beyond(words, ctx, within)
    return die, terms, conditions.read_again(ctx, words)


def grapple(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Grapple: the target saves with power against 10 + the grappler's POWER (a monster's CR)."""
    target = words.combatant("the target")
    die, terms, again = _read_contest(ctx, words, "the target's saving throw", "touch")
    if terms.dc is None:
        terms = replace(terms, dc=10 + checks.ability(who, "power").amount)
    needs_another(who, target, "grapple")
    pay()
    fatigue.mark(ctx, who.id, 1, "to grapple")
    outcome = checks.make(ctx, checks.saving_throw(ctx, target, "power", die, terms, who.id))
    if outcome in ("miss", "crit-miss", "weak"):
        until = turns(1) if outcome == "weak" else None  # else until freed, as the restrained are
        placing, breaks = Placing(until, source=who.id), ("impaired", "stunned")
        conditions.lay(ctx, target.id, "restrained", placing, again, breaks)
    ctx.text = f"{who.name} grapples {target.name}, who saves: {outcome}"


def hide(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Hide: weak makes invisible until one attacks or shows oneself; strong opens for an attack."""
    die, terms = checks.read_roll(ctx, words)
    pay()
    outcome = checks.make(ctx, checks.plain(who, "hide", "cunning", die, terms))
    if outcome in checks.HITS:
        until = Duration(says="it attacks or is seen")
        cover = ctx.state[who.id].named("invisible")
        if cover is None:
            cover = begin(ctx, who.id, "invisible", until, because=attacks.HIDING)
        if outcome != "weak":
            hangs = f"{who.id}/{cover.id}"  # who is seen has lost the advantage as well
            renew(ctx, who.id, "unseen", until, because=attacks.HIDING, hangs=hangs)
    ctx.text = f"{who.name} hides, {outcome}"


def help_(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Help: another adds their bond with the helper to their next check."""
    other = words.combatant("who is helped")
    bond = read_bond(words, other, who)
    needs_another(who, other, "help")
    pay()
    conditions.give_forward(ctx, other.id, {"check": bond}, f"next check, helped by {who.name}")
    ctx.text = f"{who.name} helps {other.name}, bond {bond}"


def opportunity_attack(ctx: Context, assault: Assault, who: Combatant, pay: Pay) -> None:
    """Opportunity Attack: a Strike within reach, with a melee weapon or a spell."""
    target, assault = assault.target, replace(assault, in_reach=True)
    if target.named("disengaged") is not None:
        raise Refused(f"{target.name} has disengaged: leaving provokes no opportunity attack")
    pay()
    outcome = attacks.attack(ctx, who, assault, "opportunity attack")
    ctx.text = f"{who.name} strikes {target.name} in passing, {attacks.said(assault, outcome)}"


def retaliate(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Retaliate: 1 fatigue for somebody whose weak hit did damage."""
    target = words.combatant("who did the damage")
    needs_another(who, target, "retaliate against")
    fatigue.require(target)
    pay()
    _needs_a_weak_hit(ctx, who, target)
    fatigue.mark(ctx, target.id, 1, "in retaliation")
    ctx.text = f"{who.name} retaliates against {target.name}"


_ATTACKS = ("strike", "cast", "react", "trigger")
"""The commands that attack somebody."""


def _needs_a_weak_hit(ctx: Context, who: Combatant, target: Combatant) -> None:
    """Raises Refused where the log has attacks of this turn by `target` on `who`, and none of them
    was a weak hit that did damage. Where it has none, or a thread has bent one, the GM knows.
    """
    now = ctx.state.round, ctx.state.taking_turn()
    attacked, here = False, ctx.previous
    while here is not None and (here.before.round, here.before.taking_turn()) == now:
        events, verb = here.entry.events, verb_of(here.entry, ctx.ruleset)
        made = [e for e in events if isinstance(e, Rolled) and e.who == target.id]
        rolled = next((e.outcome for e in reversed(made) if e.against == who.id), "")
        if rolled and (verb in BENDING or (rolled == "weak" and _hurt(events, who.id))):
            return
        attacked = attacked or (bool(rolled) and verb in _ATTACKS)
        here = here.earlier()
    if attacked:
        none = f"{target.name} has dealt {who.name} none"
        raise Refused(f"Retaliate answers a weak hit that does damage: {none}")


def _hurt(events: Iterable[AnyEvent], who: str) -> bool:
    """Whether somebody lost HP, or temporary ones."""
    lost = [e for e in events if isinstance(e, Changed) and e.who == who and e.by < 0]
    return any(event.track in ("hp", "temp_hp") for event in lost)


ACTIONS: dict[str, Act] = {
    "cast": spells.cast,
    "concentrate": spells.concentrate,
    "mount": Declared(mounts.Mounting, mounts.mount),
    "move": Declared(movement.Move, movement.move),
    "retrieve": hands.retrieve,
    "strike": Declared(Assault, strike),
    "use": use_item,
    "aid": aid,
    "disengage": disengage,
    "distract": distract,
    "grapple": grapple,
    "hide": hide,
    "help": help_,
    "power": Declared(powers.Using, powers.use),
}
REACTIONS: dict[str, Act] = {
    "opportunity-attack": Declared(Assault, opportunity_attack),
    "retaliate": retaliate,
}


# -- the commands ----------------------------------------------------------------------------------

USAGE = {
    "cast": "cast SPELL [ap N] [at TARGET[,TARGET] OUTCOME [DAMAGE [TYPE]]]",
    "concentrate": "concentrate SPELL",
    "retrieve": "retrieve [ITEM [nearby] [ITEM [xN] ...]] | retrieve swap",
    "use": "use [ITEM] [on NAME | to NAME] [ap N]",
    "aid": "aid NAME [bond N]",
    "disengage": "disengage [fatigue 1|2]",
    "distract": "distract TARGET OUTCOME [at FEET|RANGE]",
    "grapple": "grapple TARGET SAVE [at FEET|RANGE]",
    "hide": "hide OUTCOME",
    "help": "help NAME [bond N]",
}


def _mark(ctx: Context, who: str, track: str, amount: int, what: str) -> None:
    """Mark a track for a technique, or clear marks by it where the amount is negative."""
    if amount < 0:
        tracks.clear_track(ctx, who, track, -amount, f"by {what}")
        return
    tracks.require(ctx, who, track, amount)
    tracks.mark_track(ctx, who, track, amount, f"for {what}")


_AGAIN = {
    "condition": ("extend", "detonate AMOUNT [TYPE]", "detonate fatigue"),
    "status": ("extend", "forward"),
}
"""What is said of one that is there already, by its kind."""


def _again(tables: Tables, effect: str) -> tuple[str, ...]:
    return _AGAIN.get(rule_of(tables, effect).kind, ())


def _lay(ctx: Context, words: Words, name: str, people: tuple[str, ...], placing: Placing) -> str:
    if rule_of(ctx.tables, name).kind in _AGAIN:
        again = conditions.read_again(ctx, words)
        return ", ".join(conditions.lay(ctx, who, name, placing, again) for who in people)
    for who in people:
        until = until_for(LASTING, ctx, who, placing, name)
        renew(ctx, who, name, until, source=placing.source)
    return ", ".join(f"{ctx.state.name(who)} is {name}" for who in people)


TECHNIQUES = Techniques(
    ECONOMY,
    _lay,
    ACTIONS,
    REACTIONS,
    USAGE,
    _mark,
    _again,
)


def _react(ctx: Context, words: Words) -> None:
    name = words.choice("a reaction", doing.reactions(ctx.tables))
    doing.do(TECHNIQUES, name, ctx, words)


def _stand(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    words.finish()
    up = movement.Move(movement.STAND)
    movement.move(ctx, up, who, acts.payer(ECONOMY, ctx, who.id, "move"))


_dismount = partial(doing.do, TECHNIQUES, "mount")


def technique_verbs(tables: Tables) -> tuple[Verb, ...]:
    """A command for each technique of the tables, and those that are another way to say one."""
    return (
        *doing.verbs(TECHNIQUES, tables),
        Verb("stand", "stand [by NAME]", "stands up with the technique move", _stand, True),
        Verb("dismount", "dismount [by NAME]", "the technique mount, to get off", _dismount, True),
        Verb(
            "react",
            f"{doing.reaction_usages(TECHNIQUES)} | react retaliate TARGET [by NAME]",
            "takes a reaction",
            _react,
            True,
        ),
    )
