"""What a row of the tables says of a command's fields, and the rows of earlier releases."""

from __future__ import annotations

from typing import Any

import pytest

from affray.core.engine.durations import UNTIL_WORDS, WITHOUT_UNTIL
from affray.core.parser.prompt_fields import (
    ANY_MORE,
    ASKED_ELSEWHERE,
    Field,
    FieldsRow,
    fault_of_row,
    fields_of_row,
    group,
    with_fields,
)
from affray.core.rules.tables import read_tables

WHO = Field("targets", name="who")
WHAT = Field("condition", name="what")
UNTIL = Field("until", ("start", "rest"), optional=True, name="until")
LOUD, FAR = Field("said", ("loud",), name="loud"), Field("said", ("far",), name="far")
AT = group(Field("target", before="at"), Field("outcome", only_if="at"))
DECLARED = {
    "who": WHO,
    "what": WHAT,
    "until": UNTIL,
    "loud": LOUD,
    "half": ASKED_ELSEWHERE,
    "at": AT,
    "far": FAR,
    "more": ANY_MORE,
}
KNOWN = ("condition", "fatigue")


def kinds(**row: Any) -> list[str]:
    """The kinds of the fields that a row asks for, in their order."""
    return [field.kind for field in fields_of_row(FieldsRow(**row), DECLARED, KNOWN)]


def only(**row: Any) -> Field:
    """The one field that a row asks for."""
    (field,) = fields_of_row(FieldsRow(**row), DECLARED, KNOWN)
    return field


def fault(**row: Any) -> str:
    """What is wrong with a row."""
    return fault_of_row(
        FieldsRow(**row), DECLARED, KNOWN, ("dazed",), (*UNTIL_WORDS, *WITHOUT_UNTIL)
    )


def test_a_row_that_says_nothing_asks_as_it_is_declared() -> None:
    """Letters stand behind whoever is named, the rest of the line at the end."""
    said, *rest = fields_of_row(FieldsRow(), DECLARED)[1:]
    assert said.options == ("loud", "far")
    assert kinds() == ["targets", "said", "condition", "until", "target", "outcome", "more"]
    assert rest[-1] == ANY_MORE


def test_fields_are_names_of_arguments_in_the_order_asked() -> None:
    assert kinds(fields=("what", "who")) == ["condition", "targets"]
    assert only(fields=("who?",)).optional
    assert kinds(fields=("who", "at")) == ["targets", "target", "outcome"]
    assert kinds(fields=("half", "what")) == ["condition"]


def test_fields_are_kinds_of_fields_or_words_under_any_name() -> None:
    assert only(fields=("fatigue",)) == Field("fatigue")
    assert only(fields=("dice?",)) == Field("dice", optional=True)
    assert only(fields=(Field("number", before="up"),)) == Field("number", before="up")


def test_what_is_fixed_is_a_word_in_its_place() -> None:
    found = fields_of_row(FieldsRow(fixed={"what": "dazed"}), DECLARED)
    assert (found[2].kind, found[2].options) == ("word", ("dazed",))
    assert only(fields=("what",), fixed={"what": "dazed"}).options == ("dazed",)


@pytest.mark.parametrize(
    ("subject", "kind", "options"),
    [
        ("self", "self", ()),
        ("party", "self", ("party",)),
        ("target", "target", ()),
        ("foes", "targets", ("foe",)),
        ("several", "targets", ("several",)),
        ("dying", "person", ("dying",)),
    ],
)
def test_the_subject_is_whoever_is_named_first(
    subject: str, kind: str, options: tuple[str, ...]
) -> None:
    first, *rest = fields_of_row(FieldsRow(subject=subject), DECLARED)
    assert (first.kind, first.options) == (kind, options)
    assert rest == list(fields_of_row(FieldsRow(), DECLARED)[1:])


def test_choices_are_other_words_or_fewer() -> None:
    assert only(fields=("until",), choices={"until": ("rest",)}).options == ("rest",)
    assert only(fields=("what",), choices={"what": ("dazed",)}) == Field(
        "choice", ("dazed",), name="what"
    )
    assert only(fields=("how?",), choices={"how": ("well", "badly")}) == Field(
        "choice", ("well", "badly"), optional=True
    )


def test_a_technique_without_arguments_may_ask_for_words_by_any_name() -> None:
    row = FieldsRow(fields=("shout?",))
    assert fields_of_row(row) == (Field("text", ("shout",), optional=True),)
    assert fault_of_row(row, {}, KNOWN, (), ()) == ""


def test_the_rest_of_the_line_in_a_row_of_an_earlier_release_is_what_the_parser_takes() -> None:
    assert only(fields=("line?",)) == ANY_MORE
    assert only(fields=(Field("line", optional=True, asked=True),)).asked


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"fields": ("whoo",)}, "fields: 'whoo' is not a kind of field; did you mean"),
        ({"fields": ("?",)}, "fields: '?' must hold a word"),
        ({"fields": ("shout",)}, "fields: 'shout' is not a kind of field; there are"),
        ({"fields": (Field("sword"),)}, "fields: 'sword' is not a kind of field"),
        ({"fields": ("choice",)}, "fields: 'choice' needs a list of words to choose from"),
        (
            {"fields": (Field("die", ("x",)),)},
            "fields: 'die' expects the die's sides, such as 20",
        ),
        ({"fields": (Field("until", ("dawn",)),)}, "fields: 'until' has no option 'dawn'"),
        ({"fields": ("what",), "fixed": {"who": "x"}}, "fixed: 'who' is not a field here"),
        ({"fixed": {"what": ""}}, "fixed: 'what' must hold a word"),
        ({"choices": {"until": ()}}, "choices: 'until' must hold a word"),
        (
            {"choices": {"untl": ("rest",)}},
            "choices: 'untl' is not a field here; did you mean until?",
        ),
        (
            {"fields": ("what",), "subject": "self"},
            "subject: 'self', but no field asks for anybody",
        ),
        ({"subject": "dyng"}, "fields: 'person' has no option 'dyng'; did you mean dying?"),
    ],
)
def test_a_fault_of_a_row_is_told_in_a_few_words(row: dict[str, Any], said: str) -> None:
    assert fault(**row).startswith(said)


def test_a_row_without_fault_has_none() -> None:
    assert fault() == fault(fields=("who?", "what", "text?"), subject="dazed") == ""


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        ("target", Field("target", optional=False)),
        ("targets?", Field("targets", optional=True)),
        ("text:trigger?!", Field("text", ("trigger",), optional=True, asked=True)),
        ("choice:short|long", Field("choice", ("short", "long"), optional=False)),
        ("=fatigue", Field("word", ("fatigue",))),
        ("from anyone?", Field("anyone", optional=True, before="from")),
        ("for number turns", Field("number", optional=False, before="for", after="turns")),
        ("long>choice:haven?", Field("choice", ("haven",), optional=True, only_if="long")),
        (
            "until:=save-ends|start?",
            Field("until", ("save-ends", "start"), optional=True),
        ),
    ],
)
def test_rows_of_earlier_releases_ask_as_they_did(ask: str, field: Field) -> None:
    """They had `asks`, in texts."""
    tables = read_tables({"prompts": {"wade": {"command": "mark", "asks": [ask]}}})
    assert tables.prompts["wade"].fields == (field,)


def test_what_is_no_list_of_texts_is_left_as_it_is() -> None:
    for row in ({"asks": "target"}, {"asks": [1]}, {"name": "Wade"}, "wade"):
        assert with_fields(row) is row
