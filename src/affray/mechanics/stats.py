"""A game's numbers, such as AC, and why a roll has advantage: the sheet and the effects in force.

A game declares the parts of each of its numbers once (`StatRules`), and asks for them with a
`CombatantSituation`: a combatant with all its active effects.

    STATS = StatRules({"attack": StatRule(), "ac": StatRule(own_number)}, once=("condition",))
    NUMBERS = StatNumbers(STATS)                     # a part of the `Ruleset`
    NUMBERS.totals(tables, state, mira)              # {"attack": -2, "ac": 13}
    NUMBERS.explain(tables, state, mira, "ac")       # [NumberPart(15, "own AC"), ...], for `why`
    stat_value(situation(STATS, tables, state, mira), "ac")                # 13

Reasons for advantage come from rows (`advantage`, `disadvantage`, `suffers`) and from effects' own
modifiers. An effect `against` a creature counts only against that creature.

    pro, con = advantage_reasons(mira, ("attack",), ghoul, ("near",))   # (["hidden"], ["prone"])
    use_up(ctx, STATS, "mira", ("attack",))                 # `hidden` was until used

A `checks.Check` asks for the roller's reasons, and uses up the effects that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from affray.core.engine.effects import active_effects, effect_name, effect_row, remove_effect
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser.errors import format_signed, join_or
from affray.core.rules.ruleset import Context, NumberPart, NumberRules
from affray.core.rules.tables import EffectRow, Tables

Force = Mapping[str, Effect]
"""The effects in force on a combatant by name, each name once."""
ALL = "all"
"""The name of a resistance to every type of damage, in rows and on effects."""


class StatPart(Struct, frozen=True):
    """One bonus or penalty: how much, its source, and its type, which is empty for an untyped one.

    `effect` and `of` are as in a `NumberPart`.
    """

    amount: int
    source: str
    type: str = ""
    effect: Effect | None = None
    of: str = ""

    @property
    def type_beside(self) -> str:
        """The type, unless the source's name contains it already."""
        return "" if self.type in self.source.casefold() else self.type


class StatRule(Struct, frozen=True):
    """The rule for one of a game's numbers, besides the bonuses of effects.

    Attributes:
        own: Returns the parts not from effects, such as the AC on the sheet; it takes the situation
            and the number's name.
        kinds: The kinds of modifiers that count in it; empty for the number's own name.
        one_of: True if an effect with several of these kinds counts only by the first.
        bent_by: The name by which rows halve and cap it, such as `speed` for flying, too; empty for
            a plain sum.
        least: Its minimum.
        step: The multiple to which it is rounded down after halving or capping.
        whose: True for a combatant that has the number of that name.
    """

    own: Callable[[CombatantSituation, str], Iterable[StatPart]] = lambda situation, total: ()
    kinds: tuple[str, ...] = ()
    one_of: bool = False
    bent_by: str = ""
    least: int | None = None
    step: int = 1
    whose: Callable[[Combatant, str], bool] = lambda combatant, total: True


_PLAIN = StatRule()


def own_number(situation: CombatantSituation, total: str) -> list[StatPart]:
    """Return the number on the sheet, or the game's usual one of that name in its economy, as the
    part "own ac", for `StatRule(own=own_number)`."""
    usual = situation.tables.economy.get(total, 0)
    return [StatPart(situation.who.number(total, usual), f"own {total}", of=total)]


def stack_by_type(parts: Sequence[StatPart]) -> list[StatPart]:
    """All untyped parts; of each type the best bonus and the worst penalty."""
    best: dict[tuple[str, bool], StatPart] = {}
    for part in parts:
        key = part.type, part.amount < 0
        if part.type and (key not in best or abs(part.amount) > abs(best[key].amount)):
            best[key] = part
    if not best:  # as most have no type
        return list(parts)
    counting_ids = {id(part) for part in best.values()}
    return [part for part in parts if not part.type or id(part) in counting_ids]


class StatRules(Struct, frozen=True, eq=False):
    """All numbers of a game, and how it counts the effects in force.

    Attributes:
        rows: The numbers by name, in the order of the screen.
        once: The kinds of effects of which only the first with a name counts.
        apart: The kinds of effects that count in no number.
        spent: The kinds of effects that a single roll uses up (`use_up`).
        counted: Picks the parts that count, if those of one type don't add up.
    """

    rows: Mapping[str, StatRule]
    once: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    counted: Callable[[Sequence[StatPart]], Sequence[StatPart]] = lambda parts: parts


class CombatantSituation(Struct, frozen=True):
    """A combatant with all effects in force on it, which are looked up once.

    Attributes:
        force: The effects in force by name (`core.engine.effects.active_effects`).
        effects: All of its effects, then the implied ones.
        changing: Those that change numbers, each as often as it counts.
    """

    numbers: StatRules
    tables: Tables
    state: Encounter
    who: Combatant
    force: Force
    effects: tuple[Effect, ...]
    changing: tuple[Effect, ...]


@lru_cache(maxsize=64)  # of the same few as `active_effects`
def situation(
    numbers: StatRules, tables: Tables, state: Encounter, combatant: Combatant
) -> CombatantSituation:
    """Return a combatant's situation in this state."""
    force = active_effects(tables, state, combatant)
    if not force:  # as with most, at most times
        return CombatantSituation(numbers, tables, state, combatant, force, (), ())
    own = {effect.id for effect in combatant.effects}
    implied = [effect for effect in force.values() if effect.id not in own]
    once: dict[str, Effect] = {}
    each: list[Effect] = []
    for effect in (*combatant.effects, *implied):
        concerns_some = effect.against or effect.spares
        if effect.id in own and (effect.kind not in numbers.once or concerns_some):
            each.append(effect)
        else:
            once.setdefault(effect.name, effect)
    changing = (e for e in (*once.values(), *each) if e.modifiers and e.kind not in numbers.apart)
    return CombatantSituation(
        numbers, tables, state, combatant, force, (*combatant.effects, *implied), tuple(changing)
    )


def situation_in_command(
    numbers: StatRules, ctx: Context, combatant: Combatant
) -> CombatantSituation:
    """Return a combatant's situation in the middle of a command."""
    return situation(numbers, ctx.tables, ctx.state, combatant)


# -- parts and values ------------------------------------------------------------------------------


def stat_parts(
    situation: CombatantSituation, total: str, tags: Sequence[str] = (), against: str = ""
) -> list[StatPart]:
    """List the parts of a number: those from no effect first, then those of effects in force.

    A name that isn't among the game's rows is a plain number of that kind of modifier.

    Args:
        tags: The tags of the attack, for effects that count with some tags only.
        against: The id of the roll's target, for effects that count against some creatures only.
    """
    number = situation.numbers.rows.get(total, _PLAIN)
    parts = list(number.own(situation, total))
    kinds = number.kinds or (total,)
    for effect in situation.changing:
        if effect.modifiers.keys().isdisjoint(kinds):  # as most do
            continue
        amount = _amount(number, kinds, effect)
        if amount and applies_to_roll(effect, tags, against):
            parts.append(StatPart(amount, part_label(situation, effect), effect.type, effect))
    return parts


def _amount(number: StatRule, kinds: Sequence[str], effect: Effect) -> int:
    found = [effect.modifiers.get(kind, 0) for kind in kinds]
    return next(filter(None, found), 0) if number.one_of else sum(found)


def applies_to_roll(effect: Effect, tags: Sequence[str] = (), against: str = "") -> bool:
    """True if an effect counts in a roll with these tags, against that creature.

    An effect that concerns some creatures only doesn't count if the target isn't known.
    """
    if effect.only_with and not any(tag in effect.only_with for tag in tags):
        return False
    if effect.spares:
        return against not in ("", effect.spares)
    return not effect.against or effect.against == against


def sum_parts(numbers: StatRules, parts: Sequence[StatPart]) -> int:
    """Sum the parts that count."""
    return sum(part.amount for part in numbers.counted(parts))


def stat_value(
    situation: CombatantSituation,
    total: str,
    tags: Sequence[str] = (),
    against: str = "",
    more: Iterable[StatPart] = (),
) -> int:
    """Return the current number: its parts and `more`, then halved, doubled and capped."""
    number = situation.numbers.rows.get(total, _PLAIN)
    amount = sum_parts(situation.numbers, [*stat_parts(situation, total, tags, against), *more])
    if number.bent_by:
        bent = _apply_limit(situation, number.bent_by, amount)
        amount = bent if bent == amount else bent - bent % number.step
    return amount if number.least is None else max(number.least, amount)


def stat_values(
    numbers: StatRules, tables: Tables, state: Encounter, combatant: Combatant
) -> dict[str, int]:
    """Return all numbers that a combatant has, by name."""
    target_situation = situation(numbers, tables, state, combatant)
    return {
        name: stat_value(target_situation, name)
        for name, row in numbers.rows.items()
        if row.whose(combatant, name)
    }


# -- halving, doubling and caps --------------------------------------------------------------------


def halving_sources(tables: Tables, force: Force, name: str) -> list[Effect]:
    """List the effects that halve something, such as the `damage` that is dealt."""
    return [effect for effect, rule in _rows(tables, force) if name in rule.halves]


def maximum_of(tables: Tables, force: Force, name: str) -> list[tuple[int, Effect]]:
    """List the limits that effects set to something, such as `actions`, with these effects."""
    rows = _rows(tables, force)
    return [(rule.at_most[name], effect) for effect, rule in rows if name in rule.at_most]


def _rows(tables: Tables, force: Force) -> list[tuple[Effect, EffectRow]]:
    return [(effect, effect_row(tables, name)) for name, effect in force.items()]


def _paces(situation: CombatantSituation, name: str) -> dict[str, Effect]:
    """Map each value of the rows' field `speed` to an effect; other numbers have none."""
    rows = _rows(situation.tables, situation.force) if name == "speed" else ()
    return {rule.speed: effect for effect, rule in reversed(rows) if rule.speed}


def _apply_limit(situation: CombatantSituation, name: str, amount: int) -> int:
    """Half and double cancel each other; then each half, rounded down; then the caps."""
    pace = _paces(situation, name)
    if "half" in pace and "double" not in pace:
        amount //= 2
    elif "double" in pace and "half" not in pace:
        amount *= 2
    for _ in halving_sources(situation.tables, situation.force, name):
        amount //= 2
    top = [cap for cap, _ in maximum_of(situation.tables, situation.force, name)]
    return min([amount, *top, *([0] if "none" in pace else [])])


_PACES = {"half": "half", "double": "doubled", "none": "can't move"}


def _explain_bends(situation: CombatantSituation, name: str) -> list[NumberPart]:
    changes = [(_PACES[pace], effect) for pace, effect in _paces(situation, name).items()]
    changes += [
        ("halved", effect) for effect in halving_sources(situation.tables, situation.force, name)
    ]
    changes += [
        (f"at most {cap}", effect)
        for cap, effect in maximum_of(situation.tables, situation.force, name)
    ]
    return [NumberPart(what, part_label(situation, effect), effect) for what, effect in changes]


# -- in words --------------------------------------------------------------------------------------


class StatNumbers(NumberRules):
    """The numbers of a game that declares them in `StatRules`: `StatNumbers(STATS)`."""

    def __init__(self, stats: StatRules) -> None:
        self.stats = stats

    def totals(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> Mapping[str, int | str]:
        return stat_values(self.stats, tables, state, combatant)

    def total(
        self, tables: Tables, state: Encounter, combatant: Combatant, name: str
    ) -> int | str | None:
        number = self.stats.rows.get(name)
        if number is None:  # one that the game adds
            return super().total(tables, state, combatant, name)
        if not number.whose(combatant, name):
            return None
        return stat_value(situation(self.stats, tables, state, combatant), name)

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        """List the parts of a number; one that doesn't count has its amount as text: "(+1)"."""
        number = self.stats.rows.get(total)
        if number is None or not number.whose(combatant, total):
            return []
        target_situation = situation(self.stats, tables, state, combatant)
        parts = stat_parts(target_situation, total)
        count = {id(part) for part in self.stats.counted(parts)}
        return [
            *(_number_part(part, id(part) in count) for part in parts),
            *_explain_bends(target_situation, number.bent_by),
            *_counting_at_times(target_situation, number, total),
        ]


def _number_part(part: StatPart, counts: bool) -> NumberPart:
    label = f"{part.source} ({part.type})" if part.type_beside else part.source
    if counts:
        return NumberPart(part.amount, label, part.effect, part.of)
    return NumberPart(
        f"({format_signed(part.amount)})", f"{label}, doesn't stack", part.effect, part.of
    )


def _counting_at_times(
    situation: CombatantSituation, number: StatRule, total: str
) -> Iterator[NumberPart]:
    """Yield the parts that count only with some tags, or against some creatures, as text."""
    for effect in situation.changing:
        amount = _amount(number, number.kinds or (total,), effect)
        if amount and not applies_to_roll(effect):
            parts = [part_label(situation, effect)]
            parts += [f"with {join_or(effect.only_with)}"] if effect.only_with else []
            parts += [f"against {situation.state.name(effect.against)}"] if effect.against else []
            parts += (
                [f"unless against {situation.state.name(effect.spares)}"] if effect.spares else []
            )
            yield NumberPart(f"({format_signed(amount)})", ", ".join(parts), effect)


def part_label(situation: CombatantSituation, effect: Effect) -> str:
    """Name the source of a part: the effect, with its cause or the combatant that it is from.

    A modifier without a name of its own goes by the GM's words for it.
    """
    name = effect.note if effect.note and effect.name == effect.kind else effect.name
    if effect.because and effect.because != effect.name:
        return f"{name} ({effect_name(situation.tables, effect.because)})"
    if effect.source and effect.kind not in situation.numbers.once:
        return f"{name} from {situation.state.name(effect.source)}"
    return name


# -- what else rows say ----------------------------------------------------------------------------


def forbidding_effects(tables: Tables, force: Force, what: str) -> list[str]:
    """Name the effects that forbid something, whatever their bearer's life."""
    return [each.name for name, each in force.items() if what in effect_row(tables, name).forbids]


# -- advantage -------------------------------------------------------------------------------------

Side = Literal["advantage", "disadvantage"]
Reasons = tuple[list[str], list[str]]
"""What gives a roll advantage, and what gives it disadvantage."""
SIDES: tuple[Side, Side] = ("advantage", "disadvantage")


def advantage_reasons(
    roller: CombatantSituation,
    kinds: Collection[str],
    target: CombatantSituation | None = None,
    conditions_met: Collection[str] = (),
    tags: Sequence[str] = (),
) -> Reasons:
    """List why a roll has advantage, and why disadvantage, by the effects on both sides.

    Args:
        kinds: The roll in the words of rows: `attack`; a saving throw may be `save`, `dex-save`.
        target: The combatant that it is made against.
        conditions_met: The words of `suffers` that hold between the two: `near`, `far`.
        tags: The tags of the attack.
    """
    other = target.who.id if target is not None else ""
    pro = own_roll_reasons(roller, "advantage", kinds, other, tags)
    con = own_roll_reasons(roller, "disadvantage", kinds, other, tags)
    if target is not None and target.effects:
        by = roller.who.id
        pro += [
            f"target {name}" for name in reasons_against(target, "advantage", by, conditions_met)
        ]
        con += [
            f"target {name}" for name in reasons_against(target, "disadvantage", by, conditions_met)
        ]
    return pro, con


def own_roll_reasons(
    roller: CombatantSituation,
    side: Side,
    kinds: Collection[str],
    against: str = "",
    tags: Sequence[str] = (),
) -> list[str]:
    """Name the effects that give a combatant's own rolls advantage or disadvantage, each once."""
    names = [
        effect.name
        for effect in roller.effects
        if _gives(roller.tables, effect, side, kinds) and applies_to_roll(effect, tags, against)
    ]
    return list(dict.fromkeys(names))


def _gives(tables: Tables, effect: Effect, side: Side, kinds: Collection[str]) -> bool:
    roll_kinds = (*getattr(effect_row(tables, effect.name), side), *getattr(effect, side))
    return any(kind in roll_kinds for kind in kinds)


def reasons_against(
    target: CombatantSituation, side: str, by: str, conditions_met: Collection[str] = ()
) -> list[str]:
    """Name the effects on a target that give rolls of `by` advantage or disadvantage, each once.

    A row's `suffers` says when: `always`, for the effect's `source` alone, or by a word that has to
    be among `conditions_met`.
    """
    names = []
    for effect in target.effects:
        when = effect_row(target.tables, effect.name).suffers.get(side, "")
        is_source = when == "source" and effect.source == by
        if when == "always" or when in conditions_met or is_source:
            names += [effect.name] if applies_to_roll(effect, against=by) else []
    return list(dict.fromkeys(names))


# -- what a roll uses up ---------------------------------------------------------------------------


def use_up(
    ctx: Context,
    numbers: StatRules,
    combatant_id: str,
    kinds: Collection[str],
    tags: Sequence[str] = (),
    against: str = "",
) -> None:
    """End the effects on a combatant that a roll has used up.

    Such effects count in rolls or numbers of the given kinds and last until used, or are of a kind
    that one roll uses up (`StatRules.spent`).
    """
    for effect in ctx.state[combatant_id].effects:
        if _is_used_by_roll(numbers, effect) and applies_to_roll(effect, tags, against):
            leans = any(_gives(ctx.tables, effect, side, kinds) for side in SIDES)
            if leans or any(kind in effect.modifiers for kind in kinds):
                remove_effect(ctx, combatant_id, effect.id, "used")


def use_up_on(ctx: Context, numbers: StatRules, target: str, by: str) -> None:
    """End the effects on a target that gave a roll of `by` (dis)advantage and are used up by it."""
    for effect in ctx.state[target].effects:
        suffers = effect_row(ctx.tables, effect.name).suffers
        if suffers and _is_used_by_roll(numbers, effect) and applies_to_roll(effect, against=by):
            remove_effect(ctx, target, effect.id, "used")


def _is_used_by_roll(numbers: StatRules, effect: Effect) -> bool:
    is_used = effect.until.ends == "use" or effect.kind in numbers.spent
    return is_used and effect.kind not in numbers.apart
