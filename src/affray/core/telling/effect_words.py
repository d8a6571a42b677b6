"""An effect in words: its name, what it gives, what stands in brackets, how long it lasts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from affray.core.heart import timing
from affray.core.heart.effects import implied_by
from affray.core.heart.state import Combatant, Duration, Effect, Encounter
from affray.core.language.refusal import listed, signed
from affray.core.rules.tables import OWN_KINDS


def in_full(effect: Effect) -> str:
    """As `with_amounts`; one of the GM's own with what it gives, which no rule says."""
    own = effect.modifiers if effect.kind in OWN_KINDS else {}
    return " ".join(filter(None, (with_amounts(effect), ", ".join(_by_amount(own)))))


def with_amounts(effect: Effect) -> str:
    """An effect's name with what it gives: `ongoing 5 fire`.

    Where the name is only that of its kind, such as `modifier`, what it gives is told. With a note
    and an amount, such as `readied`, it is the name alone, as the note tells the rest.
    """
    much = str(effect.amount) if effect.amount else effect.dice
    if much and effect.note and effect.name == effect.kind:
        return effect.name
    if much or (effect.type and not effect.modifiers and not effect.note):
        return " ".join(filter(None, (effect.name, much, effect.type)))
    if effect.name != effect.kind:
        return effect.name
    given = effect.modifiers
    if effect.note and effect.until.ends == "use" and len(given) == 1:  # the note says what for
        return " ".join([effect.name, *(signed(v) for v in given.values()), *_with(effect)])
    gives = ", ".join((*_by_amount(given), *_leans(effect)))
    name = effect.note if _is_named_by_note(effect) else effect.name
    return " ".join([name, gives, *_with(effect)]).strip()


def _is_named_by_note(effect: Effect) -> bool:
    """Whether it is of the ability that its note names, as what a song gives is of that song."""
    is_nameless = effect.name == effect.kind
    return bool(effect.note) and is_nameless and effect.type == effect.note.casefold()


def note_beside(effect: Effect) -> str:
    """What is noted of it, but for the note by which it is called."""
    return "" if _is_named_by_note(effect) else effect.note


def _with(effect: Effect) -> list[str]:
    return [f"with {listed(effect.only_with)}"] if effect.only_with else []


def _leans(effect: Effect) -> Iterator[str]:
    """`advantage on attack and save`."""
    for side in ("advantage", "disadvantage"):
        if kinds := getattr(effect, side):
            yield f"{side} on {listed(kinds, 'and')}"


def _by_amount(modifiers: Mapping[str, int]) -> Iterator[str]:
    """`+2 ac and max hp`, and the next amount."""
    for amount in dict.fromkeys(modifiers.values()):
        kinds = [kind.replace("_", " ") for kind, by in modifiers.items() if by == amount]
        yield f"{signed(amount)} {listed(kinds, 'and')}"


def called(effect: Effect) -> str:
    """An effect as it is told apart from others: by its amount, or by the note that is its name."""
    if effect.name == effect.kind and effect.note:
        return f"{effect.name} {effect.note}"
    return with_amounts(effect)


def until_in_words(state: Encounter, bearer: Combatant, duration: Duration) -> str:
    """How long it lasts on its bearer: `until the end of its next turn`; empty if for good."""
    words = how_long(state, duration)
    if duration.ends == "turn" and duration.who == bearer.id and not duration.says:
        return words.replace(f"of {bearer.name}'s ", f"of {own(bearer)} ", 1)
    return words


def how_long(state: Encounter, duration: Duration) -> str:
    """How long something lasts: `until the end of Mira's next turn`; empty if for good."""
    if duration.ends == "removed" and not duration.says:
        return ""
    words = timing.in_words(state, duration, "name")
    is_moment = duration.ends in ("turn", "round") and not duration.says
    return f"until the {words}" if is_moment else words


def own(combatant: Combatant) -> str:
    """`their` of a character, `its` of anything else."""
    return "their" if combatant.kind == "pc" else "its"


def aside(force: Mapping[str, Effect], bearer: Combatant, effect: Effect) -> str:
    """What stands in brackets behind its name: its note, and what of all in `force` it implies."""
    implied = (each.name for each in implied_by(force, bearer, effect))
    return ", ".join(filter(None, (note_beside(effect), *implied)))
