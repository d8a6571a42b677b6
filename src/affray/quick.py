"""`affray quick "4 pcs" "ghoul x3"`: a fight from nothing, with plain numbers for the unsaid."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from affray.core.commands.adding import SIDES, slug
from affray.core.dice.sources import SeededDice, dice_by
from affray.core.heart.decide import Context, decide
from affray.core.heart.state import Encounter
from affray.core.language.clauses import BEHIND_NUMBERS
from affray.core.language.refusal import Refused
from affray.core.language.words import Word, Words, as_said, split_words
from affray.core.rules.imported import PROPOSED
from affray.core.rules.ruleset import Ruleset
from affray.rulesets import load_ruleset
from affray.store.campaigns.files import ENCOUNTERS, is_campaign, ruleset_of
from affray.store.campaigns.finding import working_folder
from affray.store.campaigns.folders import new_fight
from affray.store.campaigns.rules import with_rows_of
from affray.store.encounter import OpenEncounter

HP = "hp 10"
"""What every system asks of a character, where it isn't said; the rest is then as `add` has it."""
_PCS = re.compile(r"(\d{1,2}) (?:pcs?|characters?|players?)")
_FROM_1_TO_99 = re.compile(r"0*[1-9]\d?")
_COUNT, _NUMBER = re.compile(r"x\d{1,2}"), re.compile(r"\d{1,2}")


def create_quick_fight(options: Namespace) -> Path:
    """Make the fight in this folder, or in the campaign that it is, and give its file.

    Raises Refused for somebody who can't be added, and then there is no file; LogError for a file
    that can't be made.
    """
    here = working_folder()
    campaign = here if is_campaign(here) else None
    folder = here / ENCOUNTERS if campaign else here
    own = load_ruleset(options.ruleset or ruleset_of(here))
    ruleset = with_rows_of(own, campaign)
    lines = [line_of(said, ruleset) for said in options.who]
    state = Encounter(ruleset=ruleset.id)
    for line in lines:
        state = decide(state, line, ruleset, SeededDice(0)).state
    path = new_fight(folder, options.title, ruleset.id)
    with OpenEncounter.open(path, dice_by(options.seed)) as fight:
        for line in lines:
            fight.do(line)
    return path


def line_of(said: str, ruleset: Ruleset) -> str:
    """The command that brings in who is said: `4 pcs`, `party`, `ghoul x3`, `2 ogre hp 30 ac 13`.

    Whom the campaign knows is its own; all others get the numbers that are said, or plain ones.
    """
    said = " ".join(said.split())
    pcs = _PCS.fullmatch(said.casefold())
    counts = [pcs[1]] if pcs else re.findall(r"(?<!\S)x([-+−]?\d\S*)", said)
    if not all(_FROM_1_TO_99.fullmatch(count) for count in counts):
        raise Refused(f"expected a number from 1 to 99 in {said!r}")
    if pcs:
        return f"add pc PC x{pcs[1]} {HP}" if int(pcs[1]) > 1 else f"add pc PC {HP}"
    words = split_words(said)
    if not words:
        raise Refused('say who fights, such as "4 pcs" or "ghoul x3"')
    if words[0].casefold() in ("party", *SIDES):
        return f"add {said}"
    name, rest = _name_and_rest(words, ruleset)
    if slug(name) in ruleset.tables.bestiary:
        return f"add {slug(name)} {as_said(rest)}".rstrip()
    shown = f'add monster "{name if name != name.casefold() else name.title()}"'
    bare = f"{shown} {as_said(rest)}".rstrip()
    end = next((at for at, word in enumerate(rest) if word.casefold() in BEHIND_NUMBERS), len(rest))
    more = _unsaid(rest[:end], ruleset, bare)
    return " ".join(filter(None, (shown, as_said(rest[:end]), *more, as_said(rest[end:]))))


def _unsaid(said: list[Word], ruleset: Ruleset, line: str) -> list[str]:
    """What lets a stranger fight, of all that is not said of them, and that it is proposed."""
    words = Words(split_words(ruleset.stranger), Encounter(ruleset=ruleset.id))
    row = ruleset.sheet.spelt(Context(words.state, ruleset, SeededDice(0)), words)
    given = {word.casefold() for word in said} | ({"hp"} if _can_be(line, ruleset) else set())
    new = {name: told for name, told in row if name not in given}
    proposed = ",".join(name for name in new if name != "hp")
    told = [f"{name} {value}" for name, value in new.items()]
    return [*told, f"{PROPOSED} {proposed}"] if proposed else told


def _name_and_rest(words: list[Word], ruleset: Ruleset) -> tuple[str, list[Word]]:
    """The name, up to how many there are or to the first number of theirs; and all the rest, how
    many first: `2 fire imp hp 30` is `fire imp`, and `x2 hp 30`."""
    before = [Word(f"x{words.pop(0)}")] if _NUMBER.fullmatch(words[0]) and words[1:] else []
    known = {*(word.name for word in ruleset.sheet.words(ruleset.tables)), *BEHIND_NUMBERS, "side"}
    at = 1
    while at < len(words) and not (_COUNT.fullmatch(words[at]) or words[at].casefold() in known):
        at += 1
    return " ".join(words[:at]), [*before, *words[at:]]


def _can_be(line: str, ruleset: Ruleset) -> bool:
    """Whether the system brings somebody in by that alone, such as one of a crowd without HP."""
    try:
        decide(Encounter(ruleset=ruleset.id), line, ruleset, SeededDice(0))
    except Refused:
        return False
    return True
