"""Ways of filling in a phone's form, of which one gives a command if any can."""

from __future__ import annotations

from typing import NamedTuple

from affray.serve.form_fields import FormField
from affray.serve.forms import ProposalForm

FilledIn = dict[str, str | list[str]]


class Way(NamedTuple):
    """A way of filling a form in.

    answered  the kinds of optional fields to answer; None for all
    which     the index of the choice
    many      of how many to choose, if several are possible
    die       the number on the dice
    """

    answered: tuple[str, ...] | None
    which: int = 0
    many: int = 1
    die: str = "4"


_AIMED, _UNDICED = ("combatant", "die"), ("combatant", "damage", "text")
WAYS = (
    *(Way((), which) for which in range(5)),
    *(Way(_AIMED, which) for which in range(8)),
    *(Way(_UNDICED, which, die="15") for which in (0, 3, 6)),
    *(Way(None, which, die="15") for which in (0, 1, 6)),
    Way(None, 0, 2, "15,7"),
)


def fill_in(form: ProposalForm, way: Way) -> FilledIn:
    """Fill in a form as its page asks for it."""
    answers: FilledIn = {}
    for field in form.fields:
        is_answered = not field.optional or way.answered is None or field.kind in way.answered
        if is_answered and _is_asked(field, answers):
            others = len(answers) if field.kind == "combatant" else 0  # nobody twice
            found = _answer(field, way, way.which + others)
            answers |= {field.name: found} if found else {}
    return answers


def _is_asked(field: FormField, answers: FilledIn) -> bool:
    if not field.only_if:
        return True
    return any(
        field.only_if in ([answer] if isinstance(answer, str) else answer)
        or (name == field.only_if and bool(answer))
        for name, answer in answers.items()
    )


def _answer(field: FormField, way: Way, which: int) -> str | list[str]:
    values = [value for value, _ in field.options]
    if field.several:
        return values[which : which + way.many]
    if field.kind == "damage":
        return " ".join(["3", *values[:1]]) if values[:1] != ["roll"] else "3"
    typed = {"die": way.die, "number": "1", "text": "4" if "roll" in field.name else "from behind"}
    if field.kind in ("die", "number") or not values:
        return typed.get(field.kind, "")
    return values[which % len(values)]
