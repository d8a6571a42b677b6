"""What a combatant can do, for the techniques pane: costs in words and letters, attacks, and a cell
for each act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from affray.core.engine.events import AnyEvent, CostPaid
from affray.core.engine.state import Combatant, Encounter, Track
from affray.core.formatting.effects import words_of_part
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.spelling import fold
from affray.core.rules.ruleset import AvailableAction, Ruleset, all_options
from affray.core.rules.tables import Tables, TechniqueRow, TrackRow
from affray.tui.fight_view import KeyBindingClicked
from affray.tui.keymap import KeyBinding, Keymap
from affray.tui.prompts.context import PromptContext
from affray.tui.prompts.opening import attacks_by_letter

# -------------------------------------------------------------------------------------------------
# Costs: now and next, in words and in letters

REACTION = "◆"


def common_track(tables: Tables) -> str:
    """The one track that everything costs, so that a number is enough; empty for several."""
    costs = {t for row in tables.techniques.values() if not row.reaction for t in row.cost}
    counted = {t for t in costs if tables.tracks[t].shown not in ("badge", "box")}
    return counted.pop() if len(counted) == len(costs) == 1 else ""


def format_cost(
    rules: Mapping[str, TrackRow],
    technique: TechniqueRow,
    option: AvailableAction,
    common: str = "",
    letters: bool = False,
    then: str = "→",
) -> str:
    """`1→2`; with marks as well, `2 AP +1 Fat`, and in brief `2+Fat`; `A, then 1 attack` where the
    next is paid with something else, in brief `A`. `then` stands between this price and the next.
    """
    also = {t: by for t, by in technique.marks.items() if t not in option.cost}
    prices = [*option.cost.items(), *also.items()]
    bare = letters or len(prices) == 1
    words = [
        str(by) if bare and track == common else _price(rules, track, by, letters)
        for track, by in prices
    ]
    later = [
        f"{then}{by}" if track in option.cost else f", then {_price(rules, track, by)}"
        for track, by in option.after.items()
        if by != option.cost.get(track) and (track in option.cost or not letters)
    ]
    if technique.reaction and words == [REACTION]:
        return ""  # its name is marked so
    paid = ("+" if letters else " ").join(words)
    return paid + "".join(later[:1]) or "free"


def cost_in_words(rules: Mapping[str, TrackRow], cost: Mapping[str, int]) -> str:
    """`S` or `A 2 Fortune`: what something costs, each track with its name."""
    return " ".join(_price(rules, track, by) for track, by in cost.items())


def price_of(events: Iterable[AnyEvent], rules: Mapping[str, TrackRow]) -> list[str]:
    """The amounts that events paid, such as `3 AP`; the action itself goes without saying."""
    paid: dict[str, int] = {}
    for event in events:
        if isinstance(event, CostPaid):
            paid[event.track] = paid.get(event.track, 0) + event.by
    amounts = ((track, by) for track, by in paid.items() if track in rules)
    return [
        _price(rules, track, by)
        for track, by in amounts
        if rules[track].shown in ("pips", "boxes", "number") and not rules[track].passing
    ]


def _price(rules: Mapping[str, TrackRow], track: str, by: int, letters: bool = False) -> str:
    rule = rules.get(track)
    label = (rule.short or rule.label) if rule else track
    if rule is not None and rule.shown == "badge":
        return "◆" * by
    if rule is not None and rule.shown == "box":
        return label * by
    if rule is not None and rule.passing and not letters:
        return f"{by} {rule.label_of(by).removesuffix(' left').lower()}"
    if letters and not (rule is not None and rule.passing):
        return f"{'' if by == 1 else by}{label}"
    return f"+{by} {label}" if rule is not None and rule.counts == "marked" else f"{by} {label}"


# -------------------------------------------------------------------------------------------------
# Attacks, powers and techniques, each in a cell


class Attack(NamedTuple):
    """An attack of the actor: its keys, its name, its numbers and words.

    option  the technique with which it is made
    """

    option: AvailableAction
    key: str
    name: str
    numbers: str
    text: str


BEHIND_A_TARGET = "·"
"""It stands in a key for the target, which is chosen before the letter of an attack."""


@lru_cache(maxsize=8)  # for the layout, and to be drawn
def attacks_of(
    ruleset: Ruleset, state: Encounter, keymap: Keymap, actor: str, cursor: str
) -> list[Attack]:
    """The attacks that the actor can make now: the first of the sheet by the key alone, the others
    by their letters after the target."""
    found, combatant = _attack_key(ruleset, keymap), state.find(actor)
    if found is None or found.prompt is None or combatant is None:
        return []
    options = all_options(ruleset, state, combatant)
    option = next((o for o in options if o.technique == found.prompt.technique), None)
    if option is None or not option.available:
        return []
    context = PromptContext(state, ruleset, actor, cursor)
    names = [*ruleset.actions.weapons(combatant)]
    letters = attacks_by_letter(found.prompt, context) if names[1:] else None
    keys = {name: f"{found.shown}{BEHIND_A_TARGET}{key}" for key, name in (letters or {}).items()}
    named = [(n, found.shown) for n in names[:1]] + [(n, keys[n]) for n in names[1:] if n in keys]
    return [Attack(option, key, name, *_numbers_of(combatant, name)) for name, key in named]


@lru_cache(maxsize=8)
def _attack_key(ruleset: Ruleset, keymap: Keymap) -> KeyBinding | None:
    """The first key that begins an act done with one of the actor's attacks."""
    nobody = PromptContext(Encounter(), ruleset)
    for key in keymap.keys:
        spec = key.prompt
        if spec is not None and spec.technique and attacks_by_letter(spec, nobody) is not None:
            return key
    return None


def _numbers_of(combatant: Combatant, name: str) -> tuple[str, str]:
    """The bonus and the dice of an attack, as far as the sheet says so; and the rest of its row."""
    for rows in combatant.stats.values():
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and row.get("name") == name:
                words = {key: value for key, value in row.items() if key != "name"}
                numbers = {key: words[key] for key in ("bonus", "dice") if key in words}
                rest = {key: value for key, value in words.items() if key not in numbers}
                return words_of_part(numbers), words_of_part(rest)
    return "", ""


class TechniqueCell(NamedTuple):
    """An option: the key that begins it, its name, what a click does, its text.

    costs   what it costs now, in words and in letters, each with what is said of it in brief
    price   what it costs now, for a row in which its text tells the rest; `briefest` the same in
            letters, or the numbers of an attack
    usual   the cells of its usual price, and of its usual costs in letters: so its place hangs on
            no turn; of the letters no fewer than now, or its name would have to give way
    in_list True if it has no key of its own, so that it is in the list of other acts as well
    """

    option: AvailableAction
    key: str
    name: str
    chosen: KeyBindingClicked
    text: str
    costs: tuple[str, str]
    price: str
    briefest: str
    usual: tuple[int, int]
    in_list: bool = False


def cells_of(
    tables: Tables,
    options: list[AvailableAction],
    keymap: Keymap,
    attacks: Sequence[Attack] = (),
) -> tuple[list[TechniqueCell], list[TechniqueCell]]:
    """One's own: attacks, and powers, which go by one key and letters; then the techniques: what
    has no key of its own behind the others, and reactions at the end."""
    by_name, common = tables.techniques, common_track(tables)
    own, rest = [_attack_cell(attack) for attack in attacks], []
    letters = _letters([option.name for option in options if option.technique not in by_name])
    for option in options:
        name = option.technique
        if name in by_name:
            found = keymap.of_technique(name)  # the user's own key before the table's
            key, chosen = (
                found.shown if found is not None else "",
                KeyBindingClicked(f"technique.{name}"),
            )
            cell = _cell(tables, by_name[name], option, key, chosen, common)
            rest.append(cell._replace(in_list=found is not None and not found.keys))
        else:
            row, begins = TechniqueRow(name=option.name, text=option.text), keymap.of_own(option)
            key = f"{begins.shown}{letters[option.name]}" if begins is not None else ""
            chosen = KeyBindingClicked(own=option.name)
            own.append(_cell(tables, row, option, key, chosen, common))
    rest.sort(key=lambda cell: (by_name[cell.option.technique].reaction, len(cell.key) > 1))
    return own, rest


def _attack_cell(attack: Attack) -> TechniqueCell:
    return TechniqueCell(
        attack.option,
        attack.key,
        strip_control_chars(attack.name),
        KeyBindingClicked(f"technique.{attack.option.technique}"),
        attack.text,
        (attack.numbers, ""),
        attack.numbers,
        attack.numbers,
        (cell_len(attack.numbers), 0),
    )


def _letters(names: Sequence[str]) -> dict[str, str]:
    """The shortest start of each name that no earlier name has; none for a single name."""
    found: dict[str, str] = {}
    folded = [fold(name) for name in names]
    for number, (name, plain) in enumerate(zip(names, folded, strict=True)):
        starts = (plain[:n] for n in range(1, len(plain) + 1))
        enough = (s for s in starts if not any(f.startswith(s) for f in folded[:number]))
        found[name] = next(enough, plain) if names[1:] else ""
    return found


def _cell(
    tables: Tables,
    row: TechniqueRow,
    option: AvailableAction,
    key: str,
    chosen: KeyBindingClicked,
    common: str,
) -> TechniqueCell:
    name = (
        f"{REACTION}{strip_control_chars(row.name)}"
        if row.reaction
        else strip_control_chars(row.name)
    )
    rises = {track: by + 1 for track, by in row.cost.items()} if row.repeat == "rising" else {}
    usual = AvailableAction(option.technique, row.cost or option.cost, rises)
    price = format_cost(tables.tracks, row, option, common)
    usual_price = format_cost(tables.tracks, row, usual, common)
    briefest = format_cost(tables.tracks, row, option, common, letters=True)
    letters = _in_brief(briefest, option)
    usual_letters = _in_brief(format_cost(tables.tracks, row, usual, common, letters=True), option)
    costs = (_in_brief(price, option), letters)
    widths = (cell_len(usual_price), max(cell_len(usual_letters), cell_len(letters)))
    return TechniqueCell(option, key, name, chosen, row.text, costs, price, briefest, widths)


def _in_brief(price: str, option: AvailableAction) -> str:
    """A price, with the short words on the option."""
    return f"{price} {option.brief}".rstrip()


def barred_acts(
    tables: Tables, options: list[AvailableAction], tracks: Mapping[str, Track]
) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """Return the number of those that can't be used now, the reason that most of them share, or
    the track that is too low for most, reactions apart, and one's own among them, or the only one,
    each with its reason."""
    many = sum(not each.available for each in options)
    reactions = {name for name, row in tables.techniques.items() if row.reaction}
    barred = [o for o in options if not o.available and o.technique not in reactions]
    short = Counter(
        f"{tracks[track].value} {tables.track(track).label} left"
        for each in barred
        for track, by in each.cost.items()
        if track in tracks and tracks[track].value < by
    )
    reasons = Counter(each.reason for each in barred)
    found = (*reasons.most_common(1), *short.most_common(1))
    lost = tuple(
        (each.called(tables), each.reason)
        for each in options
        if not each.available and (many == 1 or each.technique not in tables.techniques)
    )
    return many, next((why for why, times in found if times * 2 > many), ""), lost
