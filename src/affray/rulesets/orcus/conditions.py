"""Conditions, modifiers and other effects, each instance with its own duration; `inflict`.

How long each lasts: save ends, until when, or while something is kept up.

Orcus, Conditions, Duration, Persistent damage, Marked; Stance, Aura, Zone and Conjuration;
Modifiers (Stacking, Types), Tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.custom_effects import CustomEffect
from affray.core.engine.effects import MODIFIER, EffectSpec, effect_row, remove_effect
from affray.core.engine.state import Combatant, Effect, EffectRef
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, format_signed, join_or
from affray.core.parser.prompt_fields import ANY_MORE, Field
from affray.core.rules.ruleset import Context
from affray.core.rules.tables import Tables
from affray.mechanics import conditions, damage as shared_damage
from affray.mechanics.stats import ALL
from affray.rulesets.orcus import companions, damage, initiative, sheet
from affray.rulesets.orcus.sheet import AMOUNTS, DEFENSES, ENDS, MODES, PERSISTENT, SAVED

MARKED, DYING = "marked", "dying"
COUNTERED = ("prone", "grappled", MARKED)
"""Conditions that end in other ways too: by standing up, by an escape, by another mark."""


# -- how long ------------------------------------------------------------------------------------

KEPT_UP = ("stance", "aura", "zone", "conjuration", "form")
"""The kinds of effects to which others can be attached."""


def _save_ends(reading: ParseState, terms: EffectSpec) -> EffectSpec:
    """Read the rest of `save ends`."""
    conditions.require_single_end(reading.words, terms)
    reading.words.choice("save ends", ("ends",))
    return replace(terms, until=SAVED)


def _while(reading: ParseState, terms: EffectSpec) -> EffectSpec:
    """Read the stance, aura, zone or conjuration that it depends on; the source's come first."""
    ctx, tokens = reading.ctx, reading.words
    first = terms.source or ctx.by or ctx.state.turn
    keepers = sorted(ctx.state.combatants, key=lambda c: c.id != first)
    sustained = [(c, e) for c in keepers for e in c.effects if e.kind in KEPT_UP]
    what = "the stance, aura, zone or conjuration it depends on"
    if not sustained:
        raise tokens.refuse(f"nothing is maintained, so don't give {what}")
    name = tokens.choice(what, dict.fromkeys(key for _, e in sustained for key in keys_of(e)))
    return next(hanging_on(c, e, terms) for c, e in sustained if name in keys_of(e))


def hanging_on(keeper: Combatant, effect: Effect, terms: EffectSpec) -> EffectSpec:
    """The terms of an effect that ends with one that somebody sustains."""
    says = f"{effect.note or effect.name} ends"
    return replace(terms, attached_to=EffectRef(keeper.id, effect.id), says=says)


LASTING = conditions.DurationRules(
    {"save": SAVED, "saved": SAVED},
    ENDS,
    {"save": _save_ends, "while": _while},
    next_turn=companions.next_turn,
    offered=("save-ends", "target-end", "user-end", "start", "end", "rest", "fight"),
)
"""The durations of conditions; the default is until it is removed."""


def placed(usage: str) -> Argument:
    """Declare the terms of a bonus, in which `save` alone is the roll that it changes."""
    argument = conditions.until_arg(LASTING, usage)
    return replace(argument, begins=lambda r: r.word != "save" or r.words.peek() == "ends")


def keys_of(effect: Effect) -> tuple[str, ...]:
    """The words for something kept up in a command: its name and its id."""
    return tuple(dict.fromkeys(key for key in (effect.note.casefold(), effect.id) if key))


# -- applying --------------------------------------------------------------------------------------


def apply_condition(ctx: Context, combatant_id: str, spec: EffectSpec) -> Effect:
    """Apply an effect to a combatant, always as a new instance with its own duration.

    A mark ends the marks by other creatures (Orcus, Marked).
    """
    if spec.name == MARKED:
        for old in ctx.state[combatant_id].all_named(MARKED):
            if old.source != spec.source:
                remove_effect(
                    ctx, combatant_id, old.id, f"now marked by {ctx.state.name(spec.source)}"
                )
    marker = ctx.state.find(spec.source) if spec.name == MARKED else None
    by = f"by {marker.name}" if marker is not None else ""
    usual = initiative.until(ctx.state, combatant_id) if spec.name == initiative.SURPRISED else None
    return conditions.apply_condition(LASTING, ctx, combatant_id, spec, usual, note=by)


def apply_together(
    ctx: Context, combatant_id: str, afflictions: Sequence[EffectSpec]
) -> list[Effect]:
    """Apply simultaneous conditions; a save that ends the first ends the others with it.

    A condition that ends in other ways too, as prone by standing up, comes first only without
    any other.
    """
    applied: list[Effect] = []
    for spec in sorted(afflictions, key=lambda one: one.name in COUNTERED):
        if applied and applied[0].until.ends == "save":
            first = EffectRef(combatant_id, applied[0].id)
            spec = replace(spec, until=SAVED, attached_to=first)
        applied.append(apply_condition(ctx, combatant_id, spec))
    return applied


def take_persistent_damage(ctx: Context, combatant_id: str) -> None:
    """Deal all persistent damage at a turn's start; the log names each instance."""
    row = ctx.state[combatant_id].all_named(PERSISTENT)
    each = [(effect.amount, effect.type) for effect in row]
    for i, effect in enumerate(row):
        bearer, alike = ctx.state[combatant_id], each.count(each[i])
        which = f", {each[: i + 1].count(each[i])} of {alike}" if alike > 1 else ""
        if "hp" in bearer.tracks and not bearer.is_out:
            label = f" persistent{which}"
            blow = damage.DamageInstance(effect.amount, effect.type, effect.source, label=label)
            damage.deal(ctx, combatant_id, blow)


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
    """List the names that can be inflicted: conditions, cover and concealment, and amounts."""
    rows = [name for name, rule in tables.effects.items() if rule.kind in ("condition", "shelter")]
    return [*(name for name in rows if name not in AMOUNTS), *AMOUNTS]


def _read_conditions(reading: ParseState) -> list[EffectSpec]:
    choices = conditions_of(reading.ctx.tables)
    names = conditions.parse_conditions(reading.words, choices, SAID_ALIKE)
    return [_read_amount(reading, name) for name in names]


def _read_amount(reading: ParseState, name: str) -> EffectSpec:
    """Read the amount after a name: `5 fire` or `fire 5`; nothing for a plain condition."""
    tokens = reading.words
    if name not in AMOUNTS:
        return EffectSpec(name)
    if name == "regeneration":
        return EffectSpec(name, tokens.number(f"the amount of {name}", 1))
    kind = "" if tokens.has_number() else _TYPE_OR_ALL.read(reading)
    amount = tokens.number(f"the amount of {name}", 1)
    kind = kind or _TYPE_OR_ALL.read(reading)
    if not kind and name != PERSISTENT:
        raise tokens.refuse(f"expected the type of damage for {name}, or all")
    return EffectSpec(name, amount, kind)


_TYPE_OR_ALL = arguments.damage_type_arg(lambda ctx: (*damage.dealt_types(ctx), ALL))
_CONDITIONS = (
    "CONDITION[,CONDITION] | persistent N [TYPE] | vulnerability TYPE N | resistance TYPE N | "
    "regeneration N"
)
_ENDS = conditions.until_arg(
    LASTING,
    "save ends] [target-end | target-start | user-end | user-start] [for N turns] "
    "[until start|end of NAME | freed | removed | rest | fight | used | round N] [from NAME] "
    "[while NAME",
)


_CONDITION = Field("condition")


class InflictArgs(conditions.InflictArgs, frozen=True):
    what: Annotated[
        conditions.What, conditions.condition_arg(_read_conditions, _CONDITIONS, _CONDITION)
    ]
    terms: Annotated[EffectSpec, _ENDS] = EffectSpec()


def _inflict(ctx: Context, args: InflictArgs) -> None:
    targets, afflictions = args.people, args.what
    if isinstance(afflictions, CustomEffect):
        conditions.apply_custom_effect(LASTING, ctx, targets, afflictions, args.terms, ctx.by)
        return
    lasting = [a for a in afflictions if a.name != DYING]
    for target in targets if any(a.name == PERSISTENT for a in afflictions) else ():
        shared_damage.require_hp(target, "damaged")
    for target in targets:
        terms = _with_source(ctx, target, lasting, args.terms)
        apply_together(ctx, target.id, [one.on_terms(terms) for one in lasting])
        if lasting != afflictions:
            _bring_down(ctx, target)
    ctx.text = _in_words(ctx, targets, afflictions, args.terms)


def _bring_down(ctx: Context, target: Combatant) -> None:
    """Bring a target to 0 HP. Raises Refused if it would die or is at 0 HP or below already."""
    shared_damage.require_hp(target, "lost")
    if not sheet.has_death_saves(target):
        raise Refused(
            f"{target.name} dies at 0 HP: only characters and important creatures are dying"
        )
    if target.track("hp") <= 0:
        raise Refused(f"{target.name} is already at 0 HP or below, and {target.life}")
    damage.lose(ctx, target.id, target.track("hp") + target.track("temp_hp"), "brought down")


def _in_words(
    ctx: Context,
    targets: list[Combatant],
    afflictions: list[EffectSpec],
    terms: EffectSpec,
) -> str:
    """`Mira is dazed`, `Odo and Mira are dazed and slowed`, `Mira: persistent 5 fire`."""
    what = join_or((str(a) for a in afflictions), "and")
    if any(a.amount for a in afflictions):
        return f"{join_names(targets)}: {what}"
    marked = any(a.name == MARKED for a in afflictions)
    by = f" by {ctx.state.name(terms.source or ctx.actor().id)}" if marked else ""
    return f"{names_with_verb(targets, 'is', 'are')} {what}{by}"


def _with_source(
    ctx: Context, target: Combatant, afflictions: list[EffectSpec], terms: EffectSpec
) -> EffectSpec:
    """Add the source; conditions that end with their source, as a mark, default to the actor."""
    terms = replace(terms, source=terms.source or ctx.by)
    needs = [a.name for a in afflictions if effect_row(ctx.tables, a.name).breaks]
    if not needs:
        return terms
    source = terms.source or ctx.actor().id
    if source == target.id:
        raise Refused(f"{target.name} can't be {needs[0]} without a source: add `from NAME`")
    return replace(terms, source=source)


# -- modifiers -------------------------------------------------------------------------------------

TYPES = ("armor", "enhancement", "feat", "power", "ancestry", "shield", "ability", "untyped")
WHAT = (
    "attack", "damage", *DEFENSES, "defenses", "speed", *MODES,
    "save", "check", "initiative", "perception",
)  # fmt: skip


class ModifierConditions(Struct, frozen=True):
    """The options of a bonus or penalty: with which attacks it counts, and its type."""

    only_with: Annotated[
        tuple[str, ...],
        arguments.keyword_arg("with", Argument(sheet.read_tags, "TAG[,TAG]", field=ANY_MORE)),
    ] = ()
    type: Annotated[str, arguments.anywhere_choice_arg(*TYPES, field=Field("choice", TYPES))] = ""

    def fields(self, amounts: dict[str, int]) -> dict[str, Any]:
        """Return the fields of an effect with these bonuses.

        Raises Refused without any bonus to limit, and for tags on other numbers than attack rolls
        and damage (Orcus, Tags)."""
        if not amounts and (self.only_with or self.type):
            raise Refused(f"give the bonus that is {self.type or 'with a tag'}: such as +1 ac")
        others = [one for one in amounts if one not in ("attack", "damage")]
        if self.only_with and others:
            raise Refused(f"only attack and damage go `with` a tag, not {join_or(others)}")
        kind = "" if self.type == "untyped" else self.type
        return {"modifiers": amounts, "type": kind, "only_with": self.only_with}


def _read_by(reading: ParseState) -> int:
    amount = reading.words.number("the bonus or penalty, such as +2", -99, 99)
    if not amount:
        reading.words.back()
        raise reading.words.refuse("a modifier of 0 changes nothing")
    return amount


_NOTE = Argument(
    lambda r: str(r.words.next("a note")),
    '"NOTE"',
    lambda r: r.words.upcoming.quoted,
    field=ANY_MORE,
)


class ModifierArgs(Struct, frozen=True):
    people: arguments.Affected
    by: Annotated[int, Argument(_read_by, "+N", field=Field("number"))]
    what: Annotated[list[str], Argument(read_what, "WHAT[,WHAT]", field=Field("choice", WHAT))]
    limits: Annotated[
        ModifierConditions, arguments.keyword_args(ModifierConditions, "with TAG[,TAG]] [TYPE")
    ] = ModifierConditions()
    terms: Annotated[EffectSpec, replace(placed("DURATION] [from NAME"), field=ANY_MORE)] = (
        EffectSpec()
    )
    note: Annotated[str, _NOTE] = ""


def _modifier(ctx: Context, args: ModifierArgs) -> None:
    fields = args.limits.fields(dict.fromkeys(args.what, args.by))
    for combatant in args.people:
        spec = replace(args.terms, name=MODIFIER)
        conditions.apply_condition(LASTING, ctx, combatant.id, spec, note=args.note, **fields)
    typed = f" ({fields['type']})" if fields["type"] else ""
    limit = f" with {join_or(args.limits.only_with)}" if args.limits.only_with else ""
    what = args.what
    if all(defense in what for defense in DEFENSES):
        what = ["all defences", *(one for one in what if one not in DEFENSES)]
    by = f"{format_signed(args.by)} {join_or(what, 'and')}"
    ctx.text = f"{join_names(args.people)}: {by}{limit}{typed}"


def read_what(reading: ParseState) -> list[str]:
    """Read the numbers that a modifier changes, such as `ac,reflex` or `ac reflex`; all four for
    `defenses`."""
    tokens = reading.words
    found: list[str] = []
    while not found or _names_number(reading):
        text = tokens.next("the roll or number it changes", WHAT).casefold()
        for part in (sheet.ALIASES.get(p, p) for p in text.split(",") if p):
            if part not in WHAT:
                tokens.back()
                wanted = f"expected what the modifier changes, found {part!r}"
                raise tokens.refuse_choice(wanted, part, WHAT)
            found += DEFENSES if part == "defenses" else (part,)
    return list(dict.fromkeys(found))


def _names_number(reading: ParseState) -> bool:
    """True if the next word names a further number; `save ends` is a duration."""
    tokens = reading.words
    parts = [sheet.ALIASES.get(part, part) for part in tokens.peek().split(",") if part]
    ends = tokens.peek() == "save" and tokens.peek(1) == "ends"
    return not ends and not tokens.upcoming.quoted and bool(parts) and parts[0] in WHAT


_INFLICTS = "inflicts conditions, or an effect of any name; those given together share one save"
_MODIFIES = "gives a bonus or penalty, typed or not, to all rolls or to some attacks"
COMMANDS = (
    declare_command("inflict", _INFLICTS, InflictArgs, _inflict, True),
    declare_command("modifier", _MODIFIES, ModifierArgs, _modifier),
)
