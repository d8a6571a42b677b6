"""Casting and concentrating: what a spell costs with its charms, and how long it is kept up.

Seed 004: Basic Techniques (Cast a Spell, Concentrate), Action Points.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import timing
from affray.core.heart.decide import Context
from affray.core.heart.events import Altered
from affray.core.heart.state import Combatant
from affray.core.language.declared import read
from affray.core.language.ids import hyphened
from affray.core.language.refusal import Refused, close_or_all
from affray.core.language.words import Words
from affray.rulekit.acts import Pay
from affray.rulekit.placing import Placing, begin
from affray.rulesets.monsters_and_magic.attacks import Assault, Volley, attack, said
from affray.rulesets.monsters_and_magic.sheet import cantrips_of

MOST_AP = 9


class Spell(Struct, frozen=True):
    """A spell as it is cast: its name, and the AP that it costs in all, with its charms.

    `charmed` tells that the price was said.
    """

    name: str
    ap: int
    charmed: bool = False

    @property
    def subject(self) -> str:
        """What it is once a turn: charmed otherwise, the same spell is another action."""
        return f"{self.name.casefold()} at {self.ap} AP"

    def __str__(self) -> str:
        return f"{self.name} ({self.ap} AP)" if self.charmed else self.name


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
        spell = replace(spell, ap=read_ap(words), charmed=True)
    return spell


def read_ap(words: Words) -> int:
    """Read what stands behind `ap`: what something costs in all."""
    return words.number("the AP in all", 1, MOST_AP)


def cast(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Cast a Spell: an attack with a charmed cantrip; `ap N` is its price in all."""
    spell = read_spell(ctx, words)
    words.take("at")
    assaults: list[Assault] = []
    if not words.done:
        name = spell.name.partition(",")[0]
        assaults = _assaults(read(Volley, ctx, words, ("ap",)), name)
        spell = _with_price(words, spell)
    pay({"ap": spell.ap}, spell.subject)
    outcomes = [attack(ctx, who, assault, "cast") for assault in assaults]
    at = f" at {_results(assaults, outcomes)}" if assaults else ""
    ctx.text = f"{who.name} casts {spell}{at}"


def _assaults(at: Volley, spell: str) -> list[Assault]:
    words = replace(at.words, ability="spell")
    return [
        Assault(target, die, words, at.amount, at.type, spell)
        for target, die in zip(at.targets, at.dice, strict=True)
    ]


def _results(assaults: Sequence[Assault], outcomes: Sequence[str]) -> str:
    """`Ghoul 1, strong 8 cold; Ghoul 2, miss`."""
    return "; ".join(
        f"{assault.target.name}, {said(assault, outcome)}"
        for assault, outcome in zip(assaults, outcomes, strict=True)
    )


def concentrate(ctx: Context, words: Words, who: Combatant, pay: Pay) -> None:
    """Concentrate on a Spell: again in the same turn only for another spell."""
    spell = str(words.next("the spell's name"))
    pay(None, spell.casefold())
    kept = next(
        (
            e
            for e in ctx.state[who.id].effects
            if e.name == "concentrating" and e.note.casefold() == spell.casefold()
        ),
        None,
    )
    until = timing.at_turn(ctx.state, who.id, "end")
    if kept is not None:
        ctx.emit(Altered(who.id, replace(kept, until=until), "kept up"))
    else:
        said = Placing(source=who.id)
        begin(ctx, who.id, "concentrating", until, said, note=spell, breaks=("unconscious",))
    ctx.text = f"{who.name} concentrates on {spell}"
