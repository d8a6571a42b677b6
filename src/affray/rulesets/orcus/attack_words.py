"""How an attack or a power is said behind `add`: the words, and the rows that the log has of them.

Seed 003: Attack Rolls, Power Category and Frequency, Action Required, Tags, Keywords.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.core.dice.notation import parse_dice
from affray.core.language.clauses import read_dice, read_type
from affray.core.language.refusal import close_to
from affray.core.language.words import Words
from affray.rulesets.orcus.creatures import (
    ALIASES,
    DEFENSES,
    FREQUENCIES,
    POWER_ACTIONS,
    REACHES,
)

if TYPE_CHECKING:
    from affray.core.heart.decide import Context

TAGS = (
    "augmentable", "focus", "form", "maneuver", "psyche", "tactical", "weapon", "wild-shape",
)  # fmt: skip
"""The tags that the rules ask after; they may be said without `tags`."""
_OF_A_POWER = (*FREQUENCIES, *POWER_ACTIONS, "consistent", *TAGS, "tags", "tag", "trigger")
_OWN = (*REACHES, "half", "extra")
_SHORT = tuple(short for short, long in ALIASES.items() if long in DEFENSES)


def read_attack(ctx: Context, words: Words, stop: tuple[str, ...]) -> dict[str, Any]:
    """Read `NAME +N vs DEFENSE DICE [TYPE] [REACH] [half] [extra DICE]`.

    `stop` are the words of `add`, at which it ends. Raises Refused for dice that can't be read.
    """
    row = {"name": _read_name(words, "the attack's name"), **_read_numbers(words)}
    while _takes_of_attack(ctx, words, row, stop):
        pass
    return row


def read_power(ctx: Context, words: Words, stop: tuple[str, ...]) -> dict[str, Any]:
    """Read `NAME FREQUENCY [ACTION] [TAG ...] [trigger "WORDS"] [ATTACK]`; the attack has no name.

    What belongs to the power may stand behind the attack's numbers as well.

    Raises Refused when it is not said how often the power can be used.
    """
    name = _read_name(words, "the power's name")
    power: dict[str, Any] = {"name": name}
    while _takes_of_power(ctx, words, power):
        pass
    if "frequency" not in power:
        near = close_to(words.peek(), FREQUENCIES)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise words.refuse(
            f"expected how often {name} can be used: at-will, encounter, daily or refresh N{hint}",
            FREQUENCIES,
        )
    if words.has_number() or words.peek() == "vs":
        row = _read_numbers(words)
        ends = (*stop, *_OF_A_POWER)
        while _takes_of_power(ctx, words, power) or _takes_of_attack(ctx, words, row, ends):
            pass
        power["attack"] = {"name": name, **row}
    return power


def _takes_of_power(ctx: Context, words: Words, power: dict[str, Any]) -> bool:
    """Read how often, which action, a tag or the trigger of a power, if one of them is next.

    `move` is an action here, and no word of `add`; all the others are told apart by themselves.
    """
    if word := words.take(*FREQUENCIES):
        power["frequency"] = word
        if word == "refresh":
            die = parse_dice(ctx.tables.economy["refresh"])
            what = f"the lowest {str(die).removeprefix('1')} that brings it back"
            power["refresh"] = words.number(what, 2, die.maximum)
    elif word := words.take(*POWER_ACTIONS):
        power["action"] = word
    elif words.take("consistent"):
        power["consistent"] = True
    elif word := words.take(*TAGS):
        power["tags"] = _with_tags(power, [word])
    elif words.take("tags", "tag"):
        power["tags"] = _with_tags(power, read_tags(words))
    elif words.take("trigger"):
        power["trigger"] = _read_name(words, "the trigger, in quotes", 80)
    else:
        return False
    return True


def _with_tags(power: dict[str, Any], more: list[str]) -> list[str]:
    return list(dict.fromkeys([*power.get("tags", ()), *more]))


def read_tags(words: Words) -> list[str]:
    """Read tags joined by commas, such as `fire,weapon`."""
    word = words.next("tags, such as fire,weapon")
    row = [part for part in word.casefold().split(",") if part]
    if not row or not all(part.replace("-", "").isalpha() for part in row):
        words.back()
        raise words.refuse(f"expected tags, such as fire,weapon, found {word!r}")
    return row


def _read_name(words: Words, what: str, longest: int = 40) -> str:
    """One word, several in quotes, or several that begin with a capital."""
    first = words.next(what)
    parts = [str(first)]
    while not first.quoted and not words.done and words.upcoming[:1].isupper():
        parts.append(str(words.next(what)))
    name = " ".join(parts).strip()
    if not name or len(name) > longest:
        raise words.refuse(f"{what} must have 1 to {longest} characters")
    return name


def _read_numbers(words: Words) -> dict[str, Any]:
    """Read the bonus, the defence and the dice with which each attack begins."""
    row: dict[str, Any] = {"bonus": words.number("its whole attack bonus", -99, 99)}
    if words.take("vs", "versus"):
        row["defense"] = read_defense(words)
    if words.has_dice():
        row["dice"] = read_dice(words, "its damage dice")
    return row


def _takes_of_attack(
    ctx: Context, words: Words, row: dict[str, Any], stop: tuple[str, ...]
) -> bool:
    """Read one of the words that say what else there is to an attack, if one is next."""
    if words.done or words.peek() in stop:
        return False
    if word := words.take(*REACHES):
        row["reach"] = word
    elif words.take("half"):
        row["half"] = True
    elif words.take("extra"):
        row["extra"] = read_dice(words, "the extra dice of a critical hit")
    elif "type" not in row and (kind := _read_type(ctx, words, stop)):
        row["type"] = kind
    else:
        return False
    return True


def read_defense(words: Words) -> str:
    """Read one of the four defences, by its long name or its short one."""
    word = words.choice("a defence", (*DEFENSES, *_SHORT))
    return ALIASES.get(word, word)


def _read_type(ctx: Context, words: Words, stop: tuple[str, ...]) -> str:
    """A damage type of the tables; no misspelt word of `add` is taken for one."""
    return read_type(words, lambda: ctx.tables.damage_types, (*stop, *_OWN), others=False)
