"""The answers to `?`: words and commands by subject, what a word means, any rule and any
creature."""

from __future__ import annotations

import re
from collections.abc import Mapping

from affray.core.commands.combatants import PEOPLE_COMMANDS
from affray.core.commands.ledger import CARRY_COMMANDS
from affray.core.commands.log_commands import INVENTORY, KEEP, ROLL, SESSION_COMMANDS, WHY
from affray.core.commands.newcomers import ADD_COMMANDS
from affray.core.commands.notes_and_clocks import CLOCK_COMMANDS, RECORD_COMMANDS
from affray.core.commands.queries import preview_row
from affray.core.commands.turn_order import FLOW_COMMANDS, GROUP_COMMANDS
from affray.core.engine.decide import commands_of
from affray.core.engine.state import Encounter
from affray.core.formatting.media import SPOKEN, Notation, prose_aloud, say, without_marks
from affray.core.formatting.spoken_answers import FEW, TELLS_REST, Answer, card_answer
from affray.core.formatting.spoken_lines import (
    sentence,
    setting_lines,
    term_lines,
)
from affray.core.parser.errors import Refused, did_you_mean
from affray.core.parser.search import search
from affray.core.parser.spelling import fold
from affray.core.rules.reference import HERE, CreatureEntry, Entry, look_up_keys
from affray.core.rules.ruleset import Ruleset

LONG = 20
"""The most words of a rule that are read at once."""
LOGGED = 5
"""The number of entries that `log` tells by default."""

QUESTIONS: Mapping[str, str] = {
    "how is NAME": "life, health, and what is on them; also foes, party or all",
    "who is CONDITION": "everybody who has it; also hurt, dying, dead, hidden, up or next",
    "is NAME CONDITION": "yes or no; also does NAME have, and can NAME do",
    "how many THINGS has NAME": "a track or a number; also what is NAME's AC, what spells has NAME",
    "who goes after NAME": "the order; also when is it NAME's turn, who has acted",
    "what did NAME do": "the last act; also what just happened, what was rolled",
    "what ends when": "effects and clocks, the first to end first; also when does CONDITION end",
    "who carries what": "what each of the party has; `inventory NAME` tells of one",
    "initiative": "who goes when, with the totals",
    "what waits": "decisions, saves, proposals and reminders",
    "order": "everybody in turn order, with the numbers to type",
    "card NAME": "who somebody is, and what they can do; with attacks after it, those",
    "actions NAME": "what somebody can do now, and the cost",
    "timers": "the same as what ends when",
    "notes": "texts to read aloud, and your own notes",
    "settings": "this fight's settings and their values; with NAME, one setting",
}
ANSWERS: Mapping[str, str] = {
    "all": "all of the last answer: each one, dice and reasons",
    "who": "the same as all",
    "again": "repeats the last answer",
    "waiting": "the same as what waits",
    "later": "goes to the next thing waiting",
    "yes": "does what the last ? previewed",
}
PHONES: Mapping[str, str] = {
    "accept NAME": "does what a phone proposes, or the command after it instead; lets a phone in",
    "answer NAME WORDS": "answers a player's question",
    "decline NAME WORDS": "declines it, with or without words for the player",
    "phones": "whose phones may propose, and where the players' page is",
    "revoke NAME": "removes their phones",
}
PAST: Mapping[str, str] = {
    "log N": f"the last N entries, {LOGGED} without a number",
}
LEAVING: Mapping[str, str] = {"quit": "quits; everything is already saved"}
WORDS: Mapping[str, str] = {**QUESTIONS, **ANSWERS, **PHONES, **PAST, **LEAVING}
"""The words that only play has, beside the commands of the fight, and what they do."""

TERMS = "words"
"""The subject of the words that may follow a die."""


def _subjects(ruleset: Ruleset) -> dict[str, dict[str, str]]:
    """The words and commands of each subject, and what they do. Every command is in one; the game's
    own commands are acts."""
    session = {name: command.does for name, command in SESSION_COMMANDS.items()}
    dice = {ROLL: session.pop(ROLL), WHY: session.pop(WHY)}
    saves = {KEEP: session.pop(KEEP)}
    asks = {INVENTORY: session.pop(INVENTORY)}
    commands = {name: command.does for name, command in commands_of(ruleset).items()}

    def of(*rows: tuple[object, ...]) -> dict[str, str]:
        names = [name for row in rows for command in row if (name := getattr(command, "name", ""))]
        return {name: commands.pop(name) for name in names if name in commands}

    fight = of(FLOW_COMMANDS)
    people = of(ADD_COMMANDS, PEOPLE_COMMANDS, GROUP_COMMANDS)
    notes = of(RECORD_COMMANDS, CLOCK_COMMANDS, CARRY_COMMANDS)
    return {
        "questions": {**QUESTIONS, **asks},
        "answers": dict(ANSWERS),
        "turns": fight,
        "people": {**people, **saves},
        "acts": commands,
        "notes": {**notes, **LEAVING},
        "past": {**session, **PAST},
        "dice": dice,
        "phones": dict(PHONES),
    }


def help_answer(ruleset: Ruleset, state: Encounter, word: str, is_meaning: bool = False) -> Answer:
    """Tell the subjects for no word, its words for a subject, else what a word means: a command, a
    setting, a word after the die, a rule, a creature. If only its meaning is asked for, it leaves
    out the usage of what the rules have, and the names of others that it found.

    Raises Refused if the word finds nothing.
    """
    subjects, wanted = _subjects(ruleset), word.casefold()
    if not word:
        return Answer(
            [
                f"Subjects: {', '.join(subjects)}.",
                "Say ? and a subject, a command, a rule or a creature.",
                "A ? after a command tells what it would do.",
            ]
        )
    if wanted in subjects and wanted not in commands_of(ruleset):
        rows, spoken = subjects[wanted], ruleset.tables.spoken
        whole = [sentence(f"{name}: {prose_aloud(does, spoken)}") for name, does in rows.items()]
        more = f"; ? {TERMS} lists the words after a die" if wanted == "dice" else ""
        return Answer([sentence(f"{', '.join(rows)}{more}")], whole)
    lines = _of_a_word(ruleset, state, word)
    return _looked_up(ruleset, state, word, lines, is_meaning)


def _of_a_word(ruleset: Ruleset, state: Encounter, word: str) -> list[str]:
    """The usage of a command, the values of a setting, and the commands that take the word."""
    wanted, commands = word.casefold(), commands_of(ruleset)
    found = commands.get(wanted) or SESSION_COMMANDS.get(wanted)
    own = next((name for name in WORDS if name.split()[0] == wanted), None)
    spoken = ruleset.tables.spoken
    lines = [f"{own}: {without_marks(WORDS[own])}"] if own is not None and found is None else []
    if found is not None:
        does = "" if wanted in ruleset.tables.techniques else f": {found.does}"  # its rule is next
        lines.append(f"{found.usage}{prose_aloud(does, spoken)}")
    lines += setting_lines(ruleset, state, word)
    lines += term_lines(commands, word)
    return [*map(sentence, lines)]


def _looked_up(
    ruleset: Ruleset, state: Encounter, word: str, lines: list[str], is_meaning: bool
) -> Answer:
    """Add the rules and creatures that a word finds, as the screen's lookup does: those of exactly
    that name, or else the best, and the names of the others."""
    keys = look_up_keys(ruleset, state, Notation(SPOKEN, ruleset.tables.spoken))
    wanted = " ".join(fold(word.replace("_", " ")).split())
    spelt = {wanted, wanted.replace("-", " ")}
    found = search(keys, word) or search(keys, wanted.replace("-", " "))
    named = [entry for entry in found if " ".join(fold(entry.name).split()) in spelt]
    is_rule = is_meaning and bool(found) and fold(found[0].name).startswith(wanted)
    lines = [] if is_rule else lines
    if lines and (
        wanted in commands_of(ruleset) or wanted in SESSION_COMMANDS
    ):  # its usage says what the row of the command does
        named = [entry for entry in named if getattr(entry, "sort", "") != "command"]
    if not found and not lines:
        near = did_you_mean(wanted, [" ".join(fold(entry.name).split()) for _, entry in keys])
        raise Refused(f"{word} is not a word of these rules{near}")
    is_other = is_meaning and not any(each[:4] in fold(found[0].name) for each in wanted.split())
    if not named and is_other:
        raise Refused(f"{word} is not a word of these rules")
    entries = named or ([] if lines else found[:1])
    if (
        not named
        and entries
        and isinstance(entries[0], CreatureEntry)
        and wanted not in fold(entries[0].name)
    ):
        entries = []  # it stands in what their sheets have
    rest = [] if named or is_meaning else [entry for entry in found if entry not in entries]
    if lines and entries:
        rest = [entry for entry in rest if wanted in fold(entry.name)]
    whole = [*lines]
    for entry in entries:
        about = _about(ruleset, state, entry, wanted)
        lines = [*lines, *about.lines]
        whole += about.whole or about.lines
    others = list(dict.fromkeys(entry.name for entry in rest if fold(entry.name) not in spelt))
    if others:
        also = "also found" if lines else "on the sheet of"
        more = f" and {len(others) - FEW} more" if len(others) > FEW else ""
        lines = [*lines, sentence(f"{also}: {', '.join(others[:FEW])}{more}")]
        whole += map(sentence, others)
    is_more = not {*whole} <= {*lines}
    return Answer(list(dict.fromkeys(lines)), list(dict.fromkeys(whole)) if is_more else ())


def _about(ruleset: Ruleset, state: Encounter, entry: Entry, wanted: str) -> Answer:
    """A rule's text and price, of a long one its first sentence with that word, or its first; or a
    creature's card."""
    if not isinstance(entry, CreatureEntry):
        how = f" ({say(entry.how, SPOKEN).lstrip(': ')})" if entry.how else ""
        name = f"{entry.name}, {entry.sort}{how}"
        text = prose_aloud(entry.text or "it has no text", ruleset.tables.spoken)
        parts = re.split(r"(?<=[.!?]) (?=[A-Z])", text)
        whole = sentence(f"{prose_aloud(name, ruleset.tables.spoken)}: {text}")
        if not parts[1:] or len(whole.split()) <= LONG:
            return Answer([whole])
        first = next((part for part in parts if wanted in fold(part)), parts[0])
        return Answer([f"{sentence(f'{name}: {first}')} {sentence(TELLS_REST)}"], [whole])
    if entry.sort == HERE:
        combatant = state.find(entry.id)
        return card_answer(ruleset, state, combatant) if combatant is not None else Answer([])
    try:
        seen = preview_row(ruleset, entry.id)
    except Refused as refusal:
        return Answer([sentence(f"{entry.name} can't be added: {refusal.message}")])
    return card_answer(ruleset, seen.state, seen.who)
