"""Ready: pay now, wait for a trigger, act with the reaction. Seed 004: Ready an Action.

What is readied is said with its terms when it is paid: which spell with how many AP, who is aided,
how much fatigue stands for AP. They are kept in the effect `readied`:
  because    the technique's id
  amount     the AP paid
  type       what it is of: the spell, the item, the id of who is aided; `fatigue` where that stands
             for the AP of Disengage that are not paid
  modifiers  the bond
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from affray.core.heart import timing
from affray.core.heart.effects import end, forbidden, gain
from affray.core.heart.events import Spent
from affray.core.heart.state import Combatant, Effect
from affray.core.language.clauses import who_has
from affray.core.language.refusal import Refused
from affray.core.language.who import resolve
from affray.core.language.words import Word, Words
from affray.core.rules.ruleset import Verb
from affray.rulekit import acts, doing
from affray.rulekit.acts import Pay
from affray.rulesets.monsters_and_magic import spells, techniques
from affray.rulesets.monsters_and_magic.action_points import ECONOMY
from affray.rulesets.monsters_and_magic.technique_verbs import TECHNIQUES

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

FATIGUE = "fatigue"


class Terms(Struct, frozen=True):
    """What is said of a technique when it is readied.

    of       what it is of, as the effect keeps it; `subject` as paying has it
    cost     its price with these terms; None for its usual one
    bond     the bond, where it is said
    says     all of it in words
    """

    of: str = ""
    subject: str = ""
    cost: dict[str, int] | None = None
    bond: dict[str, int] = {}
    says: str = ""


def _spell(ctx: Context, words: Words) -> Terms:
    spell = spells.read_spell(ctx, words)
    return Terms(spell.name, spell.subject, {"ap": spell.ap}, says=f"{spell.name}, {spell.ap} AP")


def _concentration(ctx: Context, words: Words) -> Terms:
    spell = str(words.next("the spell's name"))
    return Terms(spell, spell.casefold(), says=spell)


def _item(ctx: Context, words: Words) -> Terms:
    """`[ITEM] [ap N]`; a text in quotes that ends the line is the trigger."""
    is_trigger = words.upcoming.quoted and not words.peek(1)
    item = "" if is_trigger else techniques.read_item(words)
    cost = {"ap": spells.read_ap(words)} if words.take("ap") else None
    price = f"{cost['ap']} AP" if cost else ""
    return Terms(item, "", cost, says=", ".join(filter(None, (item, price))))


def _aid(ctx: Context, words: Words) -> Terms:
    """`[NAME [bond N]] [ap N]`; `ap 3` pays for somebody who may be down when it goes off."""
    other, bond, cost = None, {}, None
    if not words.upcoming.quoted and words.is_combatant():
        other = words.combatant("who is aided")
        cost = techniques.aid_cost(ctx, other)
        if words.peek() == "bond" or words.has_number():
            bond = {"bond": techniques.read_bond(words)}
    usual = ctx.tables.techniques["aid"].cost["ap"]
    if words.take("ap"):
        cost = {"ap": words.number("the AP in all", usual, usual + 1)}
    price = f"{(cost or {}).get('ap', usual)} AP"
    says = [other.name] if other is not None else []
    return Terms(other.id if other else "", "", cost, bond, ", ".join([*says, price]))


def _disengage(ctx: Context, words: Words) -> Terms:
    marks = techniques.read_marks(words)
    if not marks:
        return Terms()
    cost = techniques.disengage_cost(ctx, marks)
    return Terms(FATIGUE, "", cost, says=f"{marks} fatigue")


_TERMS: dict[str, Callable[[Context, Words], Terms]] = {
    "cast": _spell,
    "concentrate": _concentration,
    "use": _item,
    "aid": _aid,
    "disengage": _disengage,
}


def _ready(ctx: Context, words: Words) -> None:
    name = words.choice("a technique", doing.actions(ctx.tables))
    terms = _TERMS[name](ctx, words) if name in _TERMS else Terms()
    trigger = words.rest().strip()
    who = ctx.actor()
    if ctx.state.phase != "combat":
        raise Refused("an action can be readied only in a fight")
    if who.named("readied") is not None:
        raise Refused(f"{who.name} has an action readied already")
    acts.pay(ECONOMY, ctx, who.id, name, terms.cost, terms.subject)
    what = ctx.tables.techniques[name].name + (f" ({terms.says})" if terms.says else "")
    note = f"{what}: {trigger}" if trigger else what
    effect = Effect(
        "readied",
        "readied",
        "readied",
        timing.at_turn(ctx.state, who.id, "start"),
        who.id,
        terms.bond,
        note,
        because=name,
        amount=who.track("ap") - ctx.state[who.id].track("ap"),
        type=terms.of,
    )
    gain(ctx, who.id, effect)
    ctx.text = f"{who.name} readies {note}"


def _trigger(ctx: Context, words: Words) -> None:
    who = who_has(ctx, "readied", "an action readied", "readied")
    readied = who.named("readied")
    if readied is None:
        raise Refused(f"{who.name} has nothing readied")
    name = readied.because
    if name not in doing.actions(ctx.tables):
        raise Refused(f"{who.name} has readied {name!r}, which is no technique")
    if who.life == "dead":
        raise Refused(f"{who.name} is dead")
    words.take(name)
    if who.track("reaction") < 1:
        raise Refused(f"{who.name} has used their reaction, so the readied action can't be taken")
    barred = forbidden(ctx.tables, ctx.state, who, "react")
    if barred:
        raise Refused(f"{who.name} can't react: {barred}")
    ctx.by = who.id
    ctx.emit(Spent(who.id, "reaction", 1, "trigger"))
    end(ctx, who.id, readied.id, "triggered")
    _say_terms(ctx, words, readied)
    if words.done and not doing.asks_for_nothing(ctx.tables, name):
        words.offered.extend(c.id for c in ctx.state.combatants)
        ctx.text = f"{who.name}'s readied {ctx.tables.techniques[name].name} goes off"
        return
    act = doing.act_of(TECHNIQUES, name)
    act(ctx, words, ctx.state[who.id], _paid_before(ctx, who, readied))
    ctx.text += ", as readied"


def _say_terms(ctx: Context, words: Words, readied: Effect) -> None:
    """Put the terms of what was readied before the words that are left, for the technique to read.

    What it is of may be said again. Raises Refused for fatigue that stands for AP paid already.
    """
    if readied.because == "disengage" and words.peek() == FATIGUE:
        raise words.refuse("fatigue stands for AP, so it is said when Disengage is readied")
    if readied.type and _says_again(words, readied):
        words.next("what is readied")
    elif readied.type and words.upcoming.quoted and not words.is_combatant():
        raise words.refuse(f"what is readied is {readied.type}, not {words.upcoming}")
    words.insert(Word(word) for word in _as_words(ctx, words, readied))


def _says_again(words: Words, readied: Effect) -> bool:
    if readied.because == "aid":
        return words.is_combatant() and resolve(words.state, words.upcoming).id == readied.type
    return words.peek() == readied.type.casefold()


def _as_words(ctx: Context, words: Words, readied: Effect) -> list[str]:
    """The terms as a command has them."""
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
    usual = ctx.tables.techniques[readied.because].cost.get("ap", 0)
    paid = readied.amount or usual  # 0 where fatigue stood for all; logs of before kept no amount

    def pay(cost: dict[str, int] | None = None, subject: str = "") -> None:
        needed = (cost or {}).get("ap", 0)
        if needed > paid:
            raise Refused(f"{who.name} has paid {paid} AP for what is readied; this takes {needed}")

    return pay


READY_VERBS = (
    Verb(
        "ready",
        'ready TECHNIQUE [SPELL|ITEM|NAME] [ap N | bond N | fatigue N] ["THE TRIGGER"] [by NAME]',
        "pays for a technique now, and waits for its trigger",
        _ready,
        True,
    ),
    Verb(
        "trigger",
        "trigger [what the technique asks for] [by NAME]",
        "takes the readied action, with the reaction",
        _trigger,
        True,
    ),
)
