"""Sentences of stat blocks by kind, each with what comes of it in a row of 5e.

The tables lie in `sentences`: a sentence, and below it, set in, what the row has for it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from affray.rulesets import load_ruleset
from affray.store.importers import import_each
from affray.store.importers.run_import import made_of
from affray.store.importers.stat_block import parse_stat_block

FOLDER = Path(__file__).with_name("sentences")


def table(kind: str) -> list[tuple[str, str]]:
    """Each sentence of a kind with what comes of it."""
    lines = (FOLDER / f"{kind}.txt").read_text("utf-8").splitlines()
    rows = [line for line in lines if line and not line.startswith("#")]
    return [
        (line, after[4:] if after.startswith("    ") else "")
        for line, after in zip(rows, [*rows[1:], ""], strict=True)
        if not line.startswith("    ")
    ]


def row_of(list_name: str, name: str, text: str) -> str:
    """What a row of 5e has of a feature, without its name and its text."""
    block = {"name": "Fen Thing", "hp": 30, "ac": 12, list_name: [{"name": name, "desc": text}]}
    [creature] = import_each([block], lambda row: parse_stat_block(row, game="5e"), str).creatures
    row = made_of(load_ruleset("5e"), creature).row
    [words] = [*row.get("attack", ()), *row.get("power", ())]
    return str(words).partition('" ')[2].partition('text "')[0].strip()


def of_trait(text: str) -> str:
    return row_of("traits", "Murk", text)


KINDS: dict[str, Callable[[str], str]] = {"auras": of_trait}


@pytest.mark.parametrize(
    ("kind", "sentence", "comes"),
    [(kind, *row) for kind in KINDS for row in table(kind)],
)
def test_a_sentence_comes_to_what_it_says(kind: str, sentence: str, comes: str) -> None:
    assert KINDS[kind](sentence) == comes


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_fifty_sentences(kind: str) -> None:
    assert len({sentence for sentence, _ in table(kind)}) >= 50
