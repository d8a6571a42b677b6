"""The command inflict: conditions, what comes in amounts, and effects of a GM's own.

Seed 003: Conditions, Duration, Persistent damage, Marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from affray.core.heart import own_effects
from affray.core.heart.effects import rule_of
from affray.core.heart.state import Combatant
from affray.core.language.clauses import names, read_type, they
from affray.core.language.refusal import Refused, listed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb
from affray.core.rules.tables import Tables
from affray.rulekit import harm
from affray.rulekit.placing import (
    Affliction,
    Placing,
    lay_own,
    read_conditions,
    read_placing,
    read_takers,
)
from affray.rulesets.orcus import conditions, creatures, damage
from affray.rulesets.orcus.conditions import (
    AMOUNTS,
    DYING,
    LASTING,
    MARKED,
    PERSISTENT,
    PLACING_WORDS,
    SHELTER,
)

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

SAID_ALIKE = {
    "vulnerable": "vulnerability",
    "resist": "resistance",
    "immobilized": "immobile",
    "covered": "cover",
    "half-cover": "cover",
    "concealment": "concealed",
    "obscured": "lightly-obscured",
}
"""Other words for the same, as sheets have them."""
UNTYPED = ("regeneration",)


def conditions_of(tables: Tables) -> list[str]:
    """What can be inflicted: the conditions, and what comes in amounts."""
    rows = [name for name, rule in tables.effects.items() if rule.kind in ("condition", SHELTER)]
    return [*(name for name in rows if name not in AMOUNTS), *AMOUNTS]


def _inflict(ctx: Context, words: Words) -> None:
    targets = read_takers(words)
    if own_effects.stands_next(ctx.tables, words):
        lay_own(LASTING, ctx, words, targets, ctx.by)
        return
    afflictions = _read_afflictions(ctx, words)
    placing = read_placing(LASTING, ctx, words)
    if any(a.name == PERSISTENT for a in afflictions):
        for target in targets:
            harm.require_hp(target, "damaged")
    lasting = [a for a in afflictions if a.name != DYING]
    for target in targets:
        conditions.lay_together(
            ctx, target.id, lasting, _with_source(ctx, target, lasting, placing)
        )
        if lasting != afflictions:
            _bring_down(ctx, target)
    ctx.text = _in_words(ctx, targets, afflictions, placing)


def _bring_down(ctx: Context, target: Combatant) -> None:
    """Who is to be dying comes to 0 HP. Raises Refused for who would be dead, or is dying."""
    harm.require_hp(target, "lost")
    if not creatures.has_death_saves(target):
        raise Refused(f"{target.name} dies at 0 HP: only characters and the important are dying")
    if target.track("hp") <= 0:
        raise Refused(f"{target.name} is at 0 HP or below already, and {target.life}")
    damage.lose(ctx, target.id, target.track("hp") + target.track("temp_hp"), "brought down")


def _in_words(
    ctx: Context, targets: list[Combatant], afflictions: list[Affliction], placing: Placing
) -> str:
    """`Mira is dazed`, `Odo and Mira are dazed and slowed`, `Mira: persistent 5 fire`."""
    what = listed((str(a) for a in afflictions), "and")
    if any(a.amount for a in afflictions):
        return f"{names(targets)}: {what}"
    marked = any(a.name == MARKED for a in afflictions)
    by = f" by {ctx.state.name(placing.source or ctx.actor().id)}" if marked else ""
    return f"{they(targets, 'is', 'are')} {what}{by}"


def _read_afflictions(ctx: Context, words: Words) -> list[Affliction]:
    found = read_conditions(words, conditions_of(ctx.tables), SAID_ALIKE)
    return [_read_amount(ctx, words, name) for name in found]


def _read_amount(ctx: Context, words: Words, name: str) -> Affliction:
    """Read what belongs to a name: `5 fire` or `fire 5`; nothing for a plain condition."""
    if name not in AMOUNTS:
        return Affliction(name)
    if name in UNTYPED:
        return Affliction(name, words.number(f"how much {name}", 1))
    kind = "" if words.has_number() else _read_type(ctx, words)
    amount = words.number(f"how much {name}", 1)
    kind = kind or _read_type(ctx, words)
    if not kind and name != PERSISTENT:
        raise words.refuse(f"expected the type of damage, or all: {name} to what")
    return Affliction(name, amount, kind)


def _read_type(ctx: Context, words: Words) -> str:
    return read_type(words, lambda: damage.known_types(ctx), PLACING_WORDS, others=False)


def _with_source(
    ctx: Context, target: Combatant, afflictions: list[Affliction], placing: Placing
) -> Placing:
    """Who is behind it; what ends with its source, such as a mark, needs one: the actor."""
    placing = replace(placing, source=placing.source or ctx.by)
    needs = [a.name for a in afflictions if rule_of(ctx.tables, a.name).breaks]
    if not needs:
        return placing
    source = placing.source or ctx.actor().id
    if source == target.id:
        raise Refused(f"{target.name} can't be {needs[0]} by itself: say `from NAME`")
    return replace(placing, source=source)


_USAGE = (
    "inflict NAME[,NAME] CONDITION[,CONDITION] | persistent N [TYPE] | vulnerability TYPE N | "
    f"resistance TYPE N | regeneration N | {own_effects.USAGE} [save ends] "
    "[target-end | target-start | user-end | user-start] [for N turns] "
    "[until start|end of NAME | freed | removed | rest | fight | used | round N] [from NAME] "
    "[while NAME]"
)
INFLICTING_VERBS: tuple[Verb, ...] = (
    Verb(
        "inflict",
        _USAGE,
        "lays conditions on somebody, or an effect of any name; what comes at once shares one save",
        _inflict,
        True,
    ),
)
