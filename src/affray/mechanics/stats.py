"""A game's numbers, such as AC: what effects in force and the sheet add up to.

A game says once how each of its numbers is made up (`StatRules`), and asks for them with a
`CombatantSituation`: a combatant with all effects that are in force on it.

    STATS = StatRules({"attack": StatRule(), "ac": StatRule(own=armor, least=0)}, ("condition",))
    NUMBERS = StatNumbers(STATS)                     # a part of the `Ruleset`
    NUMBERS.totals(tables, state, mira)              # {"attack": -2, "ac": 13}
    NUMBERS.explain(tables, state, mira, "ac")       # [NumberPart(15, "own AC"), ...], for `why`
    stat_value(situation(STATS, tables, state, mira), "ac")                # 13
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from affray.core.engine.effects import active_effects, effect_name, effect_row
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser.errors import format_signed, join_or
from affray.core.rules.ruleset import Context, NumberPart, NumberRules
from affray.core.rules.tables import EffectRow, Tables

Force = Mapping[str, Effect]
"""What is in force on somebody by name, each name once."""
ALL = "all"
"""What a resistance to every type of damage is called, in rows and on effects."""


class StatPart(Struct, frozen=True):
    """One bonus or penalty: how much, where it comes from, and its type; untyped is empty.

    `effect` and `of` are as in a `NumberPart`.
    """

    amount: int
    source: str
    type: str = ""
    effect: Effect | None = None
    of: str = ""

    @property
    def type_beside(self) -> str:
        """The type, to be told beside the source; empty where the source's name has it already."""
        return "" if self.type in self.source.casefold() else self.type


class StatRule(Struct, frozen=True):
    """The rule for one of a game's numbers, beside what effects add to it.

    own      the parts that come from no effect, by the situation and the number's name: the AC on
             the sheet, what exhaustion takes
    kinds    the kinds of modifiers that count in it; empty for those of its own name
    one_of   whether an effect that has several of these kinds counts by the first of them alone
    bent_by  the name under which rows halve it and cap it, such as `speed` for wings as well; empty
             for a number that is only added up
    least    what it is never below
    step     of what it is a multiple once it is bent, rounded down
    whose    who has the number of that name
    """

    own: Callable[[CombatantSituation, str], Iterable[StatPart]] = lambda situation, total: ()
    kinds: tuple[str, ...] = ()
    one_of: bool = False
    bent_by: str = ""
    least: int | None = None
    step: int = 1
    whose: Callable[[Combatant, str], bool] = lambda combatant, total: True


_PLAIN = StatRule()


def stack_by_type(parts: Sequence[StatPart]) -> list[StatPart]:
    """All untyped parts; of each type the best bonus and the worst penalty."""
    best: dict[tuple[str, bool], StatPart] = {}
    for part in parts:
        key = part.type, part.amount < 0
        if part.type and (key not in best or abs(part.amount) > abs(best[key].amount)):
            best[key] = part
    counting_ids = {id(part) for part in best.values()}
    return [part for part in parts if not part.type or id(part) in counting_ids]


class StatRules(Struct, frozen=True):
    """All numbers of a game, and how it counts what is in force.

    rows     the numbers by name, in the order in which they are shown
    once     the kinds of effects that one has or has not: of one name only the first counts
    apart    the kinds that count in no number, as what is good for a single roll may not
    spent    the kinds that a single roll uses up (`advantage.use_up_on`)
    counted  which of all parts count, where those of one type don't add up
    """

    rows: Mapping[str, StatRule]
    once: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    counted: Callable[[Sequence[StatPart]], Sequence[StatPart]] = lambda parts: parts


class CombatantSituation(Struct, frozen=True):
    """Somebody with all that is in force on them, found once and handed on.

    force     what is in force by name (`core.engine.effects.in_force`)
    effects   every effect of theirs, then the implied ones
    changing  of those the ones that change numbers, each as often as it counts
    """

    numbers: StatRules
    tables: Tables
    state: Encounter
    who: Combatant
    force: Force
    effects: tuple[Effect, ...]
    changing: tuple[Effect, ...]


def situation(
    numbers: StatRules, tables: Tables, state: Encounter, combatant: Combatant
) -> CombatantSituation:
    """Somebody's situation as things stand."""
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
    """Somebody's situation in the middle of a command."""
    return situation(numbers, ctx.tables, ctx.state, combatant)


# -- parts and values ------------------------------------------------------------------------------


def stat_parts(
    situation: CombatantSituation, total: str, tags: Sequence[str] = (), against: str = ""
) -> list[StatPart]:
    """All parts of a number: what comes from no effect first, then what is in force.

    `tags` are those of the attack that is made, and `against` is whom a roll is made against, for
    what counts only then. What a game has not among its rows is a plain number of that kind of
    modifier.
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
    """Whether an effect counts in a roll with these tags, against that creature. What concerns some
    creatures only doesn't count where it isn't known whom the roll is against."""
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
    """A number as it is now: its parts and `more`, then what halves, doubles and caps it."""
    number = situation.numbers.rows.get(total, _PLAIN)
    amount = sum_parts(situation.numbers, [*stat_parts(situation, total, tags, against), *more])
    if number.bent_by:
        bent = _bend(situation, number.bent_by, amount)
        amount = bent if bent == amount else bent - bent % number.step
    return amount if number.least is None else max(number.least, amount)


def stat_values(
    numbers: StatRules, tables: Tables, state: Encounter, combatant: Combatant
) -> dict[str, int]:
    """All numbers that somebody has, by name."""
    target_situation = situation(numbers, tables, state, combatant)
    return {
        name: stat_value(target_situation, name)
        for name, row in numbers.rows.items()
        if row.whose(combatant, name)
    }


# -- what halves, doubles and caps -----------------------------------------------------------------


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
    """How the field `speed` of the rows changes that number: each way once, by what."""
    rows = _rows(situation.tables, situation.force) if name == "speed" else ()
    return {rule.speed: effect for effect, rule in reversed(rows) if rule.speed}


def _bend(situation: CombatantSituation, name: str, amount: int) -> int:
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
    """The same in words, each with what brings it."""
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

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        """List the parts of a number: what counts as numbers, what doesn't as text: "(+1)"."""
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
    """What counts only with attacks of some tags, or against one creature, as text."""
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
    """Name the source of a part: an effect's name, with what brought it or whom it is from. A
    modifier without a name of its own goes by the GM's words for it."""
    name = effect.note if effect.note and effect.name == effect.kind else effect.name
    if effect.because and effect.because != effect.name:
        return f"{name} ({effect_name(situation.tables, effect.because)})"
    if effect.source and effect.kind not in situation.numbers.once:
        return f"{name} from {situation.state.name(effect.source)}"
    return name


# -- what else rows say ----------------------------------------------------------------------------


def forbidding_effects(tables: Tables, force: Force, what: str) -> list[str]:
    """The names of the effects that forbid something, whatever their bearer's life."""
    return [effect.name for effect, rule in _rows(tables, force) if what in rule.forbids]
