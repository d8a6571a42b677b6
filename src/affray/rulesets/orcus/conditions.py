"""Conditions, modifiers and other effects, each instance with its own duration; `inflict`.

Seed 003: Conditions, Duration, Persistent damage, Marked; Modifiers (Stacking, Types), Tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.heart import own_effects
from affray.core.heart.decide import Context
from affray.core.heart.effects import end, rule_of
from affray.core.heart.state import Combatant, Effect
from affray.core.language import arguments
from affray.core.language.clauses import names, read_type, they
from affray.core.language.declared import Argument, Reading
from affray.core.language.refusal import Refused, listed, one_of, signed
from affray.core.language.words import Words
from affray.core.rules.ruleset import Verb, declare
from affray.core.rules.tables import Tables
from affray.rulekit import harm
from affray.rulekit.numbers import ALL
from affray.rulekit.placing import (
    Affliction,
    Placing,
    begin,
    lay_own,
    read_conditions,
    read_placing,
    read_takers,
    until_for,
)
from affray.rulekit.placing import lay as lay_one
from affray.rulesets.orcus import damage, sheet
from affray.rulesets.orcus.durations import LASTING, placed
from affray.rulesets.orcus.sheet import AMOUNTS, DEFENSES, MODES, PERSISTENT

MARKED, DYING = "marked", "dying"
COUNTERED = ("prone", "grappled", MARKED)
"""What ends otherwise as well: by standing up, by an escape, by another mark."""


def lay(ctx: Context, who: str, what: Affliction, placing: Placing) -> Effect:
    """Lay an effect on somebody: always a new instance, but a mark takes the place of marks.

    Only a mark by another creature does; one by the same is an instance more, with its own
    duration (seed 003: Marked).
    """
    if what.name == MARKED:
        for old in ctx.state[who].all_named(MARKED):
            if old.source != placing.source:
                end(ctx, who, old.id, f"marked by {ctx.state.name(placing.source)} now")
    marker = ctx.state.find(placing.source) if what.name == MARKED else None
    by = f"by {marker.name}" if marker is not None else ""
    return lay_one(LASTING, ctx, who, what, placing, by)


def lay_together(
    ctx: Context, who: str, afflictions: Sequence[Affliction], placing: Placing
) -> list[Effect]:
    """Lay what comes at once on somebody: a save that ends the first ends the others with it.

    The first is one that nothing but the save ends, where there is one: standing up is no save.
    """
    laid: list[Effect] = []
    for one in sorted(afflictions, key=lambda one: one.name in COUNTERED):
        how = placing
        if laid and laid[0].until.ends == "save":
            how = replace(placing, until=laid[0].until, hangs=f"{who}/{laid[0].id}")
        laid.append(lay(ctx, who, one, how))
    return laid


def end_with_all(ctx: Context, who: str, effect_id: str, why: str) -> None:
    """End an effect and at once whatever hangs on it, on anybody."""
    end(ctx, who, effect_id, why)
    for bearer in ctx.state.combatants:
        for effect in bearer.effects:
            if effect.hangs == f"{who}/{effect_id}":
                end_with_all(ctx, bearer.id, effect.id, why)


def take_persistent_damage(ctx: Context, who: str) -> None:
    """At a turn's start: each instance of persistent damage; of several alike each is told."""
    row = ctx.state[who].all_named(PERSISTENT)
    each = [(effect.amount, effect.type) for effect in row]
    for i, effect in enumerate(row):
        bearer, alike = ctx.state[who], each.count(each[i])
        which = f", {each[: i + 1].count(each[i])} of {alike}" if alike > 1 else ""
        if "hp" in bearer.tracks and not bearer.is_out:
            label = f" persistent{which}"
            blow = damage.Blow(effect.amount, effect.type, effect.source, label=label)
            damage.deal(ctx, who, blow)


# -- inflicting ------------------------------------------------------------------------------------

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


def conditions_of(tables: Tables) -> list[str]:
    """What can be inflicted: the conditions, what hides or covers, and what comes in amounts."""
    rows = [name for name, rule in tables.effects.items() if rule.kind in ("condition", "shelter")]
    return [*(name for name in rows if name not in AMOUNTS), *AMOUNTS]


def _inflict(ctx: Context, words: Words) -> None:
    targets = read_takers(words)
    if own_effects.stands_next(ctx.tables, words):
        lay_own(LASTING, ctx, words, targets, ctx.by)
        return
    known = read_conditions(words, conditions_of(ctx.tables), SAID_ALIKE)
    afflictions = [_read_amount(ctx, words, name) for name in known]
    placing = read_placing(LASTING, ctx, words)
    lasting = [a for a in afflictions if a.name != DYING]
    for target in targets if PERSISTENT in known else ():
        harm.require_hp(target, "damaged")
    for target in targets:
        lay_together(ctx, target.id, lasting, _with_source(ctx, target, lasting, placing))
        if lasting != afflictions:
            _bring_down(ctx, target)
    ctx.text = _in_words(ctx, targets, afflictions, placing)


def _bring_down(ctx: Context, target: Combatant) -> None:
    """Who is to be dying comes to 0 HP. Raises Refused for who would be dead, or is dying."""
    harm.require_hp(target, "lost")
    if not sheet.has_death_saves(target):
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


def _read_amount(ctx: Context, words: Words, name: str) -> Affliction:
    """Read what belongs to a name: `5 fire` or `fire 5`; nothing for a plain condition."""
    if name not in AMOUNTS:
        return Affliction(name)
    if name == "regeneration":
        return Affliction(name, words.number(f"how much {name}", 1))
    kind = "" if words.has_number() else _read_type(ctx, words)
    amount = words.number(f"how much {name}", 1)
    kind = kind or _read_type(ctx, words)
    if not kind and name != PERSISTENT:
        raise words.refuse(f"expected the type of damage, or all: {name} to what")
    return Affliction(name, amount, kind)


def _read_type(ctx: Context, words: Words) -> str:
    placing = (*LASTING.words, "by")
    return read_type(words, lambda: (*damage.dealt_types(ctx), ALL), placing)


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


# -- modifiers -------------------------------------------------------------------------------------

TYPES = ("armor", "enhancement", "feat", "power", "ancestry", "shield", "ability", "untyped")
WHAT = (
    "attack", "damage", *DEFENSES, "defenses", "speed", *MODES,
    "save", "check", "initiative", "perception",
)  # fmt: skip


class Limits(Struct, frozen=True):
    """What may be said of a bonus or penalty: with which attacks it counts, and its type."""

    only_with: Annotated[
        tuple[str, ...], arguments.clause("with", Argument(sheet.read_tags, "TAG[,TAG]"))
    ] = ()
    type: Annotated[str, arguments.one_of(*TYPES)] = ""

    def fields(self, amounts: dict[str, int]) -> dict[str, Any]:
        """These bonuses as the fields of an effect. Raises Refused where there are none to limit,
        and where tags stand with what is no attack roll or damage (seed 003: Tags)."""
        if not amounts and (self.only_with or self.type):
            raise Refused(f"no bonus is said that is {self.type or 'with a tag'}: such as +1 ac")
        others = [one for one in amounts if one not in ("attack", "damage")]
        if self.only_with and others:
            raise Refused(f"only attack and damage go `with` a tag, not {listed(others)}")
        kind = "" if self.type == "untyped" else self.type
        return {"modifiers": amounts, "type": kind, "only_with": self.only_with}


def _read_by(reading: Reading) -> int:
    amount = reading.words.number("the bonus or penalty, such as +2", -99, 99)
    if not amount:
        reading.words.back()
        raise reading.words.refuse("a modifier of 0 changes nothing")
    return amount


_NOTE = Argument(lambda r: str(r.words.next("a note")), '"NOTE"', lambda r: r.words.upcoming.quoted)


class _Modifier(Struct, frozen=True):
    people: Annotated[list[Combatant], arguments.people("who gets the modifier")]
    by: Annotated[int, Argument(_read_by, "+N")]
    what: Annotated[list[str], Argument(lambda r: read_what(r.words), "WHAT[,WHAT]")]
    limits: Annotated[Limits, arguments.words_of(Limits, "with TAG[,TAG]] [TYPE")] = Limits()
    placing: Annotated[Placing, placed("DURATION] [from NAME")] = Placing()
    note: Annotated[str, _NOTE] = ""


def _modifier(ctx: Context, said: _Modifier) -> None:
    fields = said.limits.fields(dict.fromkeys(said.what, said.by))
    for who in said.people:
        until = until_for(LASTING, ctx, who.id, said.placing)
        begin(ctx, who.id, "modifier", until, said.placing, note=said.note, **fields)
    typed = f" ({fields['type']})" if fields["type"] else ""
    limit = f" with {listed(said.limits.only_with)}" if said.limits.only_with else ""
    what = said.what
    if all(defense in what for defense in DEFENSES):
        what = ["all defences", *(one for one in what if one not in DEFENSES)]
    by = f"{signed(said.by)} {listed(what, 'and')}"
    ctx.text = f"{names(said.people)}: {by}{limit}{typed}"


def read_what(words: Words) -> list[str]:
    """Read what a modifier is to, such as `ac,reflex` or `ac reflex`; all four for `defenses`."""
    found: list[str] = []
    while not found or _is_what(words):
        said = words.next("what it is to", WHAT).casefold()
        for part in (sheet.ALIASES.get(p, p) for p in said.split(",") if p):
            if part not in WHAT:
                words.back()
                wanted = f"expected what the modifier is to, found {part!r}"
                raise words.refuse(f"{wanted}: {one_of(part, WHAT)}", WHAT)
            found += DEFENSES if part == "defenses" else (part,)
    return list(dict.fromkeys(found))


def _is_what(words: Words) -> bool:
    """Whether the next word says more of what a modifier is to; `save ends` is a duration."""
    parts = [sheet.ALIASES.get(part, part) for part in words.peek().split(",") if part]
    ends = words.peek() == "save" and words.peek(1) == "ends"
    return not ends and not words.upcoming.quoted and bool(parts) and parts[0] in WHAT


_USAGE = (
    "inflict NAME[,NAME] CONDITION[,CONDITION] | persistent N [TYPE] | vulnerability TYPE N | "
    f"resistance TYPE N | regeneration N | {own_effects.USAGE} [save ends] "
    "[target-end | target-start | user-end | user-start] [for N turns] "
    "[until start|end of NAME | freed | removed | rest | fight | used | round N] [from NAME] "
    "[while NAME]"
)
_INFLICTS = (
    "lays conditions on somebody, or an effect of any name; what comes at once shares one save"
)
_MODIFIES = "gives a bonus or a penalty, typed or not, to all rolls or to some attacks"
VERBS: tuple[Verb, ...] = (
    Verb("inflict", _USAGE, _INFLICTS, _inflict, True),
    declare("modifier", _MODIFIES, _Modifier, _modifier),
)
