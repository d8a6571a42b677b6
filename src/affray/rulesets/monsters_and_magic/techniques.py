"""Every technique as a command, and what is readied: paid now, done with the reaction when its
trigger comes.

Reactions stand behind `react`. What is readied is said with its terms when it is paid: which spell
with how many AP, who is aided, how much fatigue stands for AP. The effect keeps them
(`rulekit.doing`): its amount is the AP paid, its modifiers have the bond, and its type is the
spell, the item, the power, the id of who is aided, or `fatigue` where that stands for the AP of
Disengage that are not paid.

Seed 004: Basic Techniques, Reactions, Ready an Action.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from affray.core.heart.decide import Context
from affray.core.heart.effects import forbidden, rule_of
from affray.core.heart.events import Spent
from affray.core.heart.state import Combatant, Effect
from affray.core.language.declared import read
from affray.core.language.refusal import Refused
from affray.core.language.who import resolve
from affray.core.language.words import Word, Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import acts, doing, powers
from affray.rulekit.acts import Act, Pay
from affray.rulekit.doing import Declared, Readying, Techniques, Terms
from affray.rulekit.placing import Placing, renew, until_for
from affray.rulesets.monsters_and_magic import (
    actions,
    attacks,
    bonds,
    conditions,
    economy,
    hands,
    mounts,
    movement,
    tracks,
)
from affray.rulesets.monsters_and_magic.economy import ECONOMY

ACTIONS: dict[str, Act] = {
    "cast": actions.cast,
    "concentrate": actions.concentrate,
    "mount": Declared(mounts.Mounting, mounts.mount),
    "move": Declared(movement.Move, movement.move),
    "retrieve": hands.retrieve,
    "strike": Declared(attacks.Assault, actions.strike),
    "use": actions.use_item,
    "aid": actions.aid,
    "disengage": actions.disengage,
    "distract": actions.distract,
    "grapple": actions.grapple,
    "hide": actions.hide,
    "help": actions.help_,
    "power": Declared(economy.Using, economy.use_power),
}
REACTIONS: dict[str, Act] = {
    "opportunity-attack": Declared(attacks.Assault, actions.opportunity_attack),
    "retaliate": actions.retaliate,
}


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
    else:
        tracks.pay(ctx, who, {track: amount}, f"for {what}")


def _again(tables: Tables, effect: str) -> tuple[str, ...]:
    return conditions.AGAIN.get(rule_of(tables, effect).kind, ())


def _lay(ctx: Context, words: Words, name: str, people: tuple[str, ...], placing: Placing) -> str:
    if rule_of(ctx.tables, name).kind in conditions.AGAIN:
        again = conditions.read_again(ctx, words)
        return ", ".join(conditions.lay(ctx, who, name, placing, again) for who in people)
    for who in people:
        until = until_for(conditions.LASTING, ctx, who, placing, name)
        renew(ctx, who, name, until, source=placing.source)
    return ", ".join(f"{ctx.state.name(who)} is {name}" for who in people)


TECHNIQUES = Techniques(ECONOMY, _lay, ACTIONS, REACTIONS, USAGE, _mark, _again)


def _react(ctx: Context, words: Words) -> None:
    name = words.choice("a reaction", doing.reactions(ctx.tables))
    doing.do(TECHNIQUES, name, ctx, words)


def _stand(ctx: Context, words: Words) -> None:
    who = ctx.actor()
    words.finish()
    up = movement.Move(movement.STAND)
    movement.move(ctx, up, who, partial(acts.pay, ECONOMY, ctx, who.id, "move"))


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


# -- ready -----------------------------------------------------------------------------------------

FATIGUE = "fatigue"


def _spell(ctx: Context, words: Words) -> Terms:
    spell = actions.read_spell(ctx, words)
    says = f"{spell.name}, {spell.ap} AP"
    return Terms(of=spell.name, subject=spell.subject, cost={"ap": spell.ap}, says=says)


def _concentration(ctx: Context, words: Words) -> Terms:
    spell = str(words.next("the spell's name"))
    return Terms(of=spell, subject=spell.casefold(), says=spell)


def _item(ctx: Context, words: Words) -> Terms:
    """`[ITEM] [ap N]`; a text in quotes that ends the line is the trigger."""
    is_trigger = words.upcoming.quoted and not words.peek(1)
    name, item = ("", None) if is_trigger else actions.read_item(ctx, words)
    cost = {"ap": actions.read_ap(words)} if words.take("ap") else actions.item_cost(item)
    price = f"{cost['ap']} AP" if cost else ""
    return Terms(of=name, cost=cost, says=", ".join(filter(None, (name, price))))


def _aid(ctx: Context, words: Words) -> Terms:
    """`[NAME [bond N]] [ap N]`; `ap 3` pays for somebody who may be down when it goes off."""
    other, bond, cost = None, {}, None
    if not words.upcoming.quoted and words.is_combatant():
        other = words.combatant("who is aided")
        actions.can_aid(ctx.actor(), other)
        cost = actions.aid_cost(ctx, other)
        if words.peek() == "bond" or words.has_number():
            bond = {"bond": bonds.read_bond(words, ctx.actor(), other)}
    usual = ctx.tables.techniques["aid"].cost["ap"]
    if words.take("ap"):
        cost = {"ap": words.number("the AP in all", usual, usual + 1)}
    price = f"{(cost or {}).get('ap', usual)} AP"
    if other is None:
        return Terms(cost=cost, says=price)
    return Terms(of=other.id, cost=cost, modifiers=bond, says=f"{other.name}, {price}")


def _disengage(ctx: Context, words: Words) -> Terms:
    marks = actions.read_marks(words)
    if not marks:
        return Terms()
    cost = actions.disengage_cost(ctx, marks)
    return Terms(of=FATIGUE, cost=cost, says=f"{marks} fatigue")


def _power(ctx: Context, words: Words) -> Terms:
    """`NAME`, a power of their own, which has its price. Raises Refused for a reaction."""
    who, power = ctx.actor(), read(economy.Using, ctx, words).power
    if power.reaction:
        raise Refused(f"{power.name} is a reaction: it waits for its trigger without being readied")
    powers.refuse(who, power.name, economy.why_not_power(ctx.state, who, power))
    says = f"{power.name}, {power.ap} AP"
    return Terms(of=power.name, subject=power.subject, cost=power.cost, says=says)


_TERMS = {
    "cast": _spell,
    "concentrate": _concentration,
    "use": _item,
    "aid": _aid,
    "disengage": _disengage,
    "power": _power,
}


def _read(ctx: Context, words: Words) -> Terms:
    name = words.choice("a technique", doing.actions(ctx.tables))
    said = _TERMS[name](ctx, words) if name in _TERMS else Terms()
    return replace(said, name=name, called=ctx.tables.techniques[name].name)


def _pay(ctx: Context, who: Combatant, terms: Terms) -> int:
    """Pay the technique's own price, with its terms; gives the AP that it took."""
    acts.pay(ECONOMY, ctx, who.id, terms.name, terms.cost, terms.subject)
    return who.track("ap") - ctx.state[who.id].track("ap")


def _take(ctx: Context, who: Combatant) -> None:
    """What is readied is done with the reaction, once its trigger has come."""
    if who.life == "dead":
        raise Refused(f"{who.name} is dead")
    if who.track("reaction") < 1:
        raise Refused(f"{who.name} has used their reaction, so the readied action can't be taken")
    barred = forbidden(ctx.tables, ctx.state, who, "react")
    if barred:
        raise Refused(f"{who.name} can't react: {barred}")
    ctx.emit(Spent(who.id, "reaction", 1, "trigger"))


def _act(ctx: Context, words: Words, who: Combatant, readied: Effect) -> None:
    """Do it, with the terms of what was readied before the words that are left.

    What it is of may be said again. Raises Refused for fatigue that stands for AP paid already.
    """
    if readied.because == "disengage" and words.peek() == FATIGUE:
        raise words.refuse("fatigue stands for AP, so it is said when Disengage is readied")
    if readied.type and _says_again(words, readied):
        words.next("what is readied")
    elif readied.type and words.upcoming.quoted and not words.is_combatant():
        raise words.refuse(f"what is readied is {readied.type}, not {words.upcoming}")
    words.insert(Word(word) for word in _as_words(ctx, words, readied))
    pay = _paid_before(ctx, who, readied)
    doing.do_readied(TECHNIQUES, ctx, words, who, readied.because, pay)


def _says_again(words: Words, readied: Effect) -> bool:
    if readied.because == "aid":
        return words.is_combatant() and resolve(words.state, words.upcoming).id == readied.type
    return words.peek() == readied.type.casefold()


def _as_words(ctx: Context, words: Words, readied: Effect) -> list[str]:
    if readied.because == "disengage":
        usual = ctx.tables.techniques["disengage"].cost["ap"]
        return [FATIGUE, str(usual - readied.amount)] if readied.type == FATIGUE else []
    said = [readied.type] if readied.type else []
    if readied.because == "cast" and said:
        said += ["ap", str(readied.amount)]
    elif "bond" in readied.modifiers and words.peek() != "bond":
        said += ["bond", str(readied.modifiers["bond"])]
    return said


def _paid_before(ctx: Context, who: Combatant, readied: Effect) -> Pay:
    """How a readied action is paid: it was, with so many AP. Raises Refused for what takes more."""

    def pay(cost: dict[str, int] | None = None, subject: str = "") -> None:
        usual = ctx.tables.techniques[readied.because].cost.get("ap", 0)
        paid = readied.amount or usual  # 0 where fatigue stood for all, and in logs of before
        needed = (cost or {}).get("ap", 0)
        if needed > paid:
            raise Refused(f"{who.name} has paid {paid} AP for what is readied; this takes {needed}")

    return pay


VERBS = doing.ready_verbs(
    TECHNIQUES,
    Readying(_read, _pay, _take, _act),
    'ready TECHNIQUE [SPELL|ITEM|POWER|NAME] [ap N | bond N | fatigue N] ["THE TRIGGER"]',
    "pays for a technique now, and waits for its trigger",
    "takes the readied action, with the reaction",
)
