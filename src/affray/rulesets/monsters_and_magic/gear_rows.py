"""Rows of gear that a campaign adds: whether the rules can play by them."""

from __future__ import annotations

from collections.abc import Collection

from affray.core.dice.notation import DiceError, parse_dice
from affray.core.language.refusal import Refused, close_or_all
from affray.core.rules.gear import Weight
from affray.core.rules.tables import Tables
from affray.rulesets.monsters_and_magic.creatures import TAGS
from affray.rulesets.monsters_and_magic.gear import ARMOR, FOCUS

MOST, MOST_FEET, MOST_AP = 99, 9_999, 9


def check(tables: Tables, more: Tables) -> None:
    """Raises Refused, in one line, for the first of the campaign's rows that says what can't be."""
    for name, armor in more.armor.items():
        where = f"[armor.{name}]"
        _one_of(f"{where} kind", (armor.kind,), tables.economy[ARMOR])
        _within(f"{where} ac", armor.ac, MOST)
        _weighs(where, armor.weight)
    conditions = [name for name, row in tables.effects.items() if row.kind == "condition"]
    for name, weapon in more.weapons.items():
        where = f"[weapons.{name}]"
        if weapon.dice or FOCUS not in weapon.tags:
            _dice(f"{where} dice", weapon.dice)
        _one_of(f"{where} tags", weapon.tags, TAGS)
        _one_of(f"{where} inflicts", weapon.inflicts, conditions)
        _within(f"{where} range", weapon.range, MOST_FEET)
        _weighs(where, weapon.weight)
    for name, item in more.items.items():
        _within(f"[items.{name}] ap", item.ap, MOST_AP)
        _weighs(f"[items.{name}]", item.weight)


def _dice(where: str, text: str) -> None:
    try:
        parse_dice(text)
    except DiceError as error:
        raise Refused(f"{where}: {error}") from None


def _one_of(where: str, words: Collection[str], known: Collection[str]) -> None:
    wrong = next((word for word in words if word not in known), None)
    if wrong is not None:
        raise Refused(f"{where}: knows no {wrong!r}{close_or_all(wrong, known)}")


def _within(where: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise Refused(f"{where}: must be from 0 to {most}, not {value}")


def _weighs(where: str, weight: Weight) -> None:
    if isinstance(weight, int) and abs(weight) > MOST:
        raise Refused(f"{where} weight: must be from {-MOST} to {MOST}, or light, not {weight}")
