"""Effects and a combatant's own numbers in words: name, amounts, note, how long it lasts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from affray.core.engine import durations
from affray.core.engine.effects import implied_by
from affray.core.engine.state import Combatant, Duration, Effect, Encounter
from affray.core.formatting.media import IN_WRITING, SPOKEN, Notation, without_hyphens
from affray.core.formatting.safe_text import strip_control_chars
from affray.core.parser.errors import format_signed, join_or
from affray.core.rules.tables import OWN_KINDS, Tables

Signed = Callable[[int], str]
"""A function that writes a bonus or penalty, for the eye or the ear."""


def effect_in_full(effect: Effect, signed: Signed = format_signed) -> str:
    """Describe an effect with its amounts; a custom one with its modifiers, which no row has."""
    return " ".join(filter(None, effect_words_in_full(effect, signed)))


def effect_words_in_full(effect: Effect, signed: Signed = format_signed) -> tuple[str, str, str]:
    """The words of `effect_in_full`: name, amounts, and a custom effect's modifiers."""
    own = effect.modifiers if effect.kind in OWN_KINDS else {}
    return *effect_words(effect, signed), ", ".join(_by_amount(own, signed))


def effect_with_amounts(effect: Effect, signed: Signed = format_signed) -> str:
    """Describe an effect by its name and amount: `ongoing 5 fire`.

    An effect without a name of its own, such as `modifier`, is described by what it gives; one with
    a note and an amount, such as `readied`, by its name alone, as the note says the rest.
    """
    return " ".join(filter(None, effect_words(effect, signed)))


def brief_words(effect: Effect, signed: Signed = format_signed) -> tuple[str, str]:
    """The words of `effect_with_amounts`; of an effect named by its ability, such as a song, the
    name alone."""
    name, amounts = effect_words(effect, signed)
    return name, "" if _is_named_by_note(effect) else amounts


def effect_words(effect: Effect, signed: Signed = format_signed) -> tuple[str, str]:
    """The words of `effect_with_amounts`: name and amounts. The ear has no hyphens: `fallen back`,
    and abbreviations as such: `1 AC`."""
    name, amounts = _written_words(effect, signed)
    return (name, amounts) if signed is format_signed else (without_hyphens(name), amounts)


def _written_words(effect: Effect, signed: Signed) -> tuple[str, str]:
    name = effect.note if _is_named_by_note(effect) else effect.name
    if effect.dice and effect.only_with:  # dice that are rolled with some kinds of rolls
        sign = signed(-1 if effect.dice.startswith("-") else 1)[:-1]
        return name, f"{sign}{effect.dice.lstrip('-')} {join_or(effect.only_with, 'and')}"
    amount = str(effect.amount) if effect.amount else effect.dice
    if amount and effect.note and effect.name == effect.kind:
        return name, ""
    if amount or (effect.type and not effect.modifiers and not effect.note):
        of_what = effect.type if effect.type != effect.name else ""
        return effect.name, " ".join(filter(None, (amount, of_what)))
    if effect.name != effect.kind:
        return effect.name, ""
    given = effect.modifiers
    if effect.note and effect.until.ends == "use" and len(given) == 1:  # the note says what for
        return effect.name, " ".join([*map(signed, given.values()), *_with(effect)])
    gives = ", ".join((*_by_amount(given, signed), *_leans(effect)))
    return name, " ".join(filter(None, [gives, *_with(effect)]))


def effect_by_note(tables: Tables, effect: Effect) -> Effect:
    """The effect with its note as its name, if it is of a kind that its note names: a modifier is
    shown as `the chain on his back −2 speed`, a song as `sings Marching`."""
    kind = tables.kind(effect.name)
    gives_dice = effect.dice and effect.only_with
    gives = effect.modifiers or effect.advantage or effect.disadvantage or gives_dice
    if not (effect.note and (kind.words or (kind.is_named_by_note and gives))):
        return effect
    note = kind.words.format(effect.note) if kind.words else effect.note
    return replace(effect, kind=effect.name, note=note, type=note.casefold())


def _is_named_by_note(effect: Effect) -> bool:
    """True if the note is the name of the ability that gave the effect, such as a song."""
    is_nameless = effect.name == effect.kind
    return bool(effect.note) and is_nameless and effect.type == effect.note.casefold()


def effect_note(effect: Effect) -> str:
    """The note of an effect, unless that is its name."""
    return "" if _is_named_by_note(effect) else effect.note


def _with(effect: Effect) -> list[str]:
    return [f"with {join_or(effect.only_with)}"] if effect.only_with else []


def _leans(effect: Effect) -> Iterator[str]:
    """`advantage on attack and save`."""
    for side in ("advantage", "disadvantage"):
        if kinds := getattr(effect, side):
            yield f"{side} on {join_or(kinds, 'and')}"


def _by_amount(modifiers: Mapping[str, int], signed: Signed) -> Iterator[str]:
    """`+2 ac and max grit`, and the next amount."""
    for amount in dict.fromkeys(modifiers.values()):
        kinds = [kind.replace("_", " ") for kind, by in modifiers.items() if by == amount]
        if signed is not format_signed:
            kinds = [kind.upper() if len(kind) == LETTERS else kind for kind in kinds]
        yield f"{signed(amount)} {join_or(kinds, 'and')}"


LETTERS = 2
"""The letters of an id that is an abbreviation, which the ear needs in capitals to be spelled."""


def effect_label(effect: Effect) -> str:
    """Label an effect so that it differs from others of its name: by its amount or its note."""
    return " ".join(filter(None, effect_label_words(effect)))


def effect_label_words(effect: Effect, signed: Signed = format_signed) -> tuple[str, str]:
    """The words of `effect_label`: name, and amounts or note."""
    if effect.name == effect.kind and effect.note:
        return effect.name, effect.note
    return effect_words(effect, signed)


def until_in_words(
    state: Encounter, bearer: Combatant, duration: Duration, spoken: Mapping[str, str] = {}
) -> str:
    """Describe when an effect ends: `until the end of its next turn`; empty if it is for good."""
    own = possessive(bearer) if duration.who == bearer.id else ""
    return how_long(state, duration, own, spoken)


def how_long(
    state: Encounter, duration: Duration, own: str = "", spoken: Mapping[str, str] = {}
) -> str:
    """Describe a duration: `until the end of Mira's next turn`; empty if it is for good. `own`
    replaces the name: `their`; `spoken` is for the ear."""
    if duration.ends == "removed" and not duration.says:
        return ""
    words = durations.format_duration(state, duration, "name", own, spoken)
    is_moment = duration.ends in ("turn", "round") and not duration.says
    return f"until the {words}" if is_moment else words


def possessive(combatant: Combatant) -> str:
    """Return `their` for a character, `its` for anything else."""
    return "their" if combatant.kind == "pc" else "its"


def by_whom(tables: Tables, state: Encounter, bearer: Combatant, effect: Effect) -> str:
    """` by Reef Lurcher`, of a hold, a fear or the like that somebody else has laid on its bearer,
    where no note says so; else nothing."""
    matters = tables.look(effect.name, effect.kind).by_whom and not effect.note
    is_others = effect.source not in ("", bearer.id) and state.find(effect.source) is not None
    return f" by {strip_control_chars(state.name(effect.source))}" if matters and is_others else ""


def bracket_text(force: Mapping[str, Effect], bearer: Combatant, effect: Effect) -> str:
    """Return the text in brackets after an effect's name: its note, and the effects it implies."""
    implied = (each.name for each in implied_by(force, bearer, effect))
    return ", ".join(filter(None, (effect_note(effect), *implied)))


# -------------------------------------------------------------------------------------------------
# Stats of a sheet as people read them: `Fly 8`, `Size large`, `Darkvision`.


def is_of_tables(value: object) -> bool:
    """True for a list of tables, such as attacks with their fields."""
    return isinstance(value, list) and any(isinstance(part, dict) for part in value)


def other_stat_lines(
    tables: Tables,
    stats: Mapping[str, Any],
    lines: Collection[str],
    how: Notation = IN_WRITING,
) -> Iterator[str]:
    """List the stats that aren't shown elsewhere, each in a few words; none that is 0 or False.

    The description and the picture's file are no stats of a sheet, and left out.
    `lines` has the names of the totals and of a combatant's own actions, which are shown elsewhere.
    """
    for name, value in stats.items():
        rule = tables.total(name)
        if not value or name in ("text", "picture") or (rule.whole and name in lines):
            continue
        if isinstance(value, list | tuple):
            parts = [p for p in value if not (isinstance(p, dict) and p.get("name") in lines)]
            if not parts:
                continue
            words = ", ".join(words_of_part(part, how) for part in parts)
        elif isinstance(value, dict):
            words = ", ".join(f"{key} {words_of_part(part, how)}" for key, part in value.items())
        elif value is True:
            words = ""
        else:
            is_bonus = isinstance(value, int) and not rule.whole
            words = how.signed(value) if is_bonus else str(value)
        label = rule.spoken if how.medium == SPOKEN and rule.spoken else rule.label
        yield f"{label} {words}".strip()


NAMED_TEXTS = ("plus", "also", "inflicts", "failed", "aftereffect", "per")
"""The texts of a row that stand after their names; numbers do, but for the bonus."""


def words_of_part(part: object, how: Notation = IN_WRITING) -> str:
    """A word, or what a table holds, one behind the other: `claw +6 1d6+2 slashing threat 2`; for
    the ear `claw, plus 6 to hit, 1d6 plus 2 slashing, threat 2`.

    Numbers follow their names, except the `bonus`, which has a sign; what is false is left out.
    """
    if not isinstance(part, dict):
        each = part if isinstance(part, list | tuple) else (part,)
        return how.gap.join(_word(word, how) for word in each)
    text = ""
    for name, value in part.items():
        if value is not False:
            gap = " " if name == "type" else how.gap  # `1d8 slashing`
            text += f"{gap if text else ''}{_named(name, value, how)}"
    return text


def _named(name: str, value: Any, how: Notation) -> str:
    label, is_heard = name.replace("_", "-"), how.medium == SPOKEN
    if value is True:
        return label
    if isinstance(value, dict):
        return f"{label} {words_of_part(value, how)}"
    if isinstance(value, int):
        to_hit = " to hit" if is_heard else ""
        return f"{how.signed(value)}{to_hit}" if name == "bonus" else f"{label} {value}"
    if name == "dice":
        return how.dice(str(value))
    if name == "feet" and is_heard:
        return str(value).replace("/", ", at most ")  # `range 30/120`
    words = (_word(word, how) for word in (value if isinstance(value, list | tuple) else (value,)))
    return how.gap.join(f"{label} {each}" if name in NAMED_TEXTS else each for each in words)


def _word(part: Any, how: Notation) -> str:
    if isinstance(part, list | tuple):
        return " ".join(_word(each, how) for each in part)  # `1d6 fire`
    return part.in_words(how) if hasattr(part, "in_words") else how.word(str(part))


# -------------------------------------------------------------------------------------------------
# Ends in words: whole and short, since an end is never cut


def end_words(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """`ends after its turn`, `until Mira's turn starts`, `until round 4 ends`, `until freed`."""
    if duration.says or duration.ends not in ("turn", "round", "save"):
        return strip_control_chars(durations.format_duration(state, duration, "name"))
    if duration.ends == "save":
        return "save ends"
    if duration.ends == "round":
        return f"until round {duration.count} ends"
    if ends_this_turn(state, duration):
        return "ends after this turn"
    turn = _whose_turn(state, bearer, duration)
    return f"until {turn} starts" if duration.edge == "start" else f"ends after {turn}"


def common_end_text(
    tables: Tables, state: Encounter, bearer: Combatant, effects: Sequence[Effect]
) -> str:
    """The common end of these effects, in the words of their kind if it has any:

    `ends after its turn`, but of a readied action `waits until its turn starts`.
    """
    until = effects[0].until
    words = {tables.kind(effect.kind).ends for effect in effects}
    if len(words) > 1 or words == {""} or until.ends != "turn" or until.says:
        return end_words(state, bearer, until)
    return f"{words.pop()} {_whose_turn(state, bearer, until)} {until.edge}s"


def _whose_turn(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """`its turn`, `Mira's next turn`: the next one only while another is being taken."""
    is_own = duration.who == bearer.id
    owner = possessive(bearer) if is_own else f"{strip_control_chars(state.name(duration.who))}'s"
    slot = state.slot(duration.who)
    ahead = duration.count - durations.turns_begun(slot)
    if ahead > 1:
        return f"{owner} {durations.ordinal(ahead)} turn"
    taking = slot is not None and slot.open and not slot.held
    return f"{owner} next turn" if taking and ahead == 1 else f"{owner} turn"


def ends_this_turn(state: Encounter, duration: Duration) -> bool:
    """True if it ends with the turn that is being taken, which may be that of several."""
    if (duration.ends, duration.edge) != ("turn", "end"):
        return False
    slot = state.slot(duration.who) if state.takes_turn(duration.who) else None
    return slot is not None and duration.count <= slot.turns
