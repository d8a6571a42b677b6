"""What a GM may type: strategies that every game's commands are put together from.

`by_usage` makes lines for any command out of its usage, so that a rule system is played from the
day it can be loaded; what a game's own module adds are the lines that lead deep into its rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st

from affray.core.engine.decide import commands_of
from affray.core.rules.ruleset import Command, Ruleset

Lines = st.SearchStrategy[str]
CAMPAIGNS = Path(__file__).parents[2] / "campaigns"
_PIECE = re.compile(r"\[|\]|\||[^\s\[\]|]+(?:\|[^\s\[\]|]+)*")


@dataclass(frozen=True)
class Game:
    """How a rule system is played: by whom, and with which lines besides those of its usages.

    campaign  the sample campaign whose bestiary and house rules are there; empty for none
    setup     the commands that every fight begins with
    pack      those who are a group from the start in half of the fights
    who       words that name somebody there, or nearly
    commands  lines of its own
    suffering what happens to somebody, with `{}` for whom: what brings people down
    asked     what stands for a word in capitals in its usages, where nothing common does
    """

    ruleset: Ruleset
    campaign: str
    setup: tuple[str, ...]
    pack: tuple[str, ...]
    who: Lines
    commands: Lines
    suffering: Lines
    asked: Mapping[str, Lines]


def words(*row: str) -> Lines:
    """One of these."""
    return st.sampled_from(row)


def line(*parts: str | Lines) -> Lines:
    """The parts with a space between, empty ones left out."""
    row = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*row).map(lambda found: " ".join(part for part in found if part))


def maybe(*parts: str | Lines) -> Lines:
    """The parts, or nothing."""
    return st.one_of(st.just(""), line(*parts))


def seldom(*parts: str | Lines) -> Lines:
    """The parts now and then, mostly nothing."""
    return st.one_of(st.just(""), st.just(""), st.just(""), line(*parts))


SMALL = st.integers(-2, 9).map(str)
AMOUNT = st.one_of(st.integers(0, 40).map(str), words("2d6+1", "1d10", "99", "many", "-3"))
FACE = st.one_of(st.integers(1, 20).map(str), words("1", "20", "4,15", "20,1", "0", "21"))
WHAT = words("attack", "ac", "speed", "teeth")
TEXT = words('"a note"', '"Ünïcode ⚔ \\ # = [x]"', "bare words here", '"]] seq = 9"')


def outcome(ruleset: Ruleset) -> Lines:
    """How a roll came out: in a word, as the die lies, or left to the program."""
    return st.one_of(words(*ruleset.tables.outcomes), line("natural", FACE), words("roll"))


def many(who: Lines) -> Lines:
    """One to three of them, or of groups, with commas."""
    groups = words("foes", "party", "others", "all", "2-4", "3-1", "1-99")
    return st.lists(st.one_of(who, who, groups), min_size=1, max_size=3).map(",".join)


def shared_commands(game: Game) -> Lines:
    """Lines for the commands that every game has."""
    who, until = game.who, words("until rest", "until fight", "until used", "until removed")
    return st.one_of(
        words("next", "next", "start", "end", "delay", "init roll", "init roll all"),
        line("return", maybe(who)),
        line("swap", who),
        line("damage", many(who), AMOUNT, words("", *game.ruleset.tables.damage_types)),
        line("heal", many(who), AMOUNT),
        line("set", many(who), words("hp", "ac", "side", "speed"), AMOUNT),
        line("set", who, words("hp", *game.ruleset.tables.tracks), SMALL, "of", SMALL),
        line("inflict", many(who), words(*game.ruleset.tables.effects), until),
        line("inflict", many(who), TEXT, maybe("note", TEXT), maybe(WHAT, SMALL), maybe(until)),
        line("remove", many(who), TEXT),
        line("remove", many(who), words(*game.ruleset.tables.effects, "readied", "")),
        line("clock", words('"the bridge"', "fog"), words("4d6 slow", "3d4 fast", "3 rounds")),
        line("clock", words('"the bridge"', "fog"), words("add 2", "roll", "off", "5", "tick 9")),
        line("note", maybe("on", many(who)), TEXT),
        line("add monster", words("Ghoul", "Rat x2", "Bat x0"), "hp", AMOUNT),
        line("add monster Imp", words("x2", "x3", ""), "hp 4 group", words("", "Pack", "imp")),
        line("group", many(who), words("", "Pack", '"The Rats"', "imp")),
        line("ungroup", st.one_of(who, many(who), words("Pack", "the-rats", "Imp"))),
        line("leave", many(who)),
        line(words("conceal", "reveal"), many(who)),
        line("rename", who, words("Mira", "Zed", "")),
        line("init", many(who), st.one_of(SMALL, words("roll"), line("natural", FACE))),
        line(
            "setting",
            words(*(setting.name for setting in game.ruleset.settings), "weather"),
            words("on", "off", "maybe"),
        ),
    )


MOVES = st.one_of(
    words("undo", "redo", "undo 2", "undo 99", "redo 2", "undo 0", "undo x"),
    line("goto", st.integers(8, 40).map(str)),  # where somebody is there already, mostly
    words("undo", "redo", "goto 0", "goto 3"),
)


def anything(ruleset: Ruleset) -> Lines:
    """What is hardly a command."""
    row = words(*commands_of(ruleset), "mira", "ghoul-1", "7", "by", "on", '"')
    return st.one_of(st.text(max_size=30), st.lists(row, max_size=6).map(" ".join))


def any_command(game: Game) -> Lines:
    """A line for any of the game's commands; now and then its name is written apart."""
    commands = list(commands_of(game.ruleset).values())
    usual = st.sampled_from(commands).flatmap(lambda verb: by_usage(game, verb))
    found = st.one_of(game.commands, shared_commands(game), usual)
    return st.one_of(found, found, found.map(written_apart))


def written_apart(text: str) -> str:
    """`gm-thread reroll` as `gm thread reroll`."""
    verb, space, rest = text.partition(" ")
    return verb.replace("-", " ") + space + rest


def by_usage(game: Game, verb: Command, anybody: bool = True) -> Lines:
    """Lines as the usage of a command wants them: what is in brackets may be left out, what stands
    in capitals is filled in, and of several forms one is taken. `anybody` may be who acts."""
    usage = verb.usage if anybody else verb.usage.replace("[by NAME]", "")
    forms = [form for form in _forms(usage) if form[0] == verb.name] or [[verb.name]]
    return st.sampled_from(forms).flatmap(lambda form: _filled(game, form))


def _forms(usage: str) -> list[list[str]]:
    """The forms of a usage, each as pieces: `a NAME | a all` is two."""
    forms: list[list[str]] = [[]]
    depth = 0
    for piece in _PIECE.findall(usage):
        depth += (piece == "[") - (piece == "]")
        if piece == "|" and not depth:
            forms.append([])
        else:
            forms[-1].append(piece)
    return [form for form in forms if form]


@st.composite
def _filled(draw: st.DrawFn, game: Game, form: list[str]) -> str:
    row: list[str] = []
    left_out = 0
    for piece in form:
        if left_out or piece == "[":
            left_out += piece == "[" and (left_out > 0 or draw(st.booleans()))
            left_out -= piece == "]"
        elif piece[0] == "," and row:
            row[-1] += f",{draw(_word(game, piece))}"
        elif piece not in ("]", "|", "..."):
            row.append(draw(_word(game, piece)))
    return " ".join(word for word in row if word)


COUNTED = ("STEPS", "SUCCESSES", "FAILURES", "SQUARES", "ALTITUDE")
"""What usages call numbers of something."""


def _word(game: Game, piece: str) -> Lines:
    """What may stand in the place of a piece of a usage."""
    bare = piece.strip('",.()+')
    ruleset, tables = game.ruleset, game.ruleset.tables
    if bare in game.asked:
        return game.asked[bare]
    if "|" in bare:
        return st.sampled_from(bare.split("|")).flatmap(lambda part: _word(game, part))
    if bare in ("NAME", "TARGET", "ALLY", "OWNER", "COMPANION", "SUMMON", "MOUNT"):
        return game.who
    if bare in ("OUTCOME", "SAVE"):
        return outcome(ruleset)
    if bare in ("CONDITION", "STATUS", "EFFECT"):
        return words(*tables.effects)
    if bare in ("AMOUNT", "DAMAGE", "DICE"):
        return AMOUNT
    if bare == "TYPE":
        return words(*tables.damage_types)
    if bare == "TRACK":
        return words(*tables.tracks)
    if bare == "TECHNIQUE":
        return words(*tables.techniques)
    if bare in ("N", "NUMBER", "VALUE", "MAX", "xN", *COUNTED):
        return SMALL
    return TEXT if bare.isupper() else st.just(bare)
