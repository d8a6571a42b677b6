"""What players may know and do from their phones, whatever their forms ask. Everything comes from
the fight as the players know it (`known_state`), without anybody hidden. A refusal by the fight
itself may name them, so it is for the GM alone; players get `refusal_as_known`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import StubDice
from affray.core.engine import turn_order, turns
from affray.core.engine.decide import decide
from affray.core.engine.dice_owners import PlayersDie
from affray.core.engine.effects import effect_name, independent_effects
from affray.core.engine.history import EarlierEntry, History
from affray.core.engine.settings import PLAYERS_ACT
from affray.core.engine.state import Combatant, Encounter, Life
from affray.core.formatting.effects import (
    effect_with_amounts,
    other_stat_lines,
    until_in_words,
)
from affray.core.formatting.players_view import (
    PlayersCondition,
    PlayersTrack,
    known_previous,
    known_state,
)
from affray.core.formatting.safe_text import to_id, to_one_line
from affray.core.parser.errors import GameFault, Refused
from affray.core.rules.ruleset import Ruleset


class OwnTrack(PlayersTrack, frozen=True):
    """A track of the player's own. `news` is False for a track that each turn refills, such as
    action points."""

    news: bool = True


class OwnSheet(Struct, frozen=True):
    """A character as their own player sees it: the GM's card without the GM's notes.

    totals   label -> the number now, or a word in its place
    numbers  whatever else the sheet says, in a few words each
    """

    name: str
    life: Life
    tracks: tuple[OwnTrack, ...] = ()
    totals: tuple[tuple[str, str], ...] = ()
    effects: tuple[PlayersCondition, ...] = ()
    numbers: tuple[str, ...] = ()
    text: str = ""


NOT_NOW = "that can't be done now"
"""The refusal of a form that is not there, or no longer."""


class KnownFight(NamedTuple):
    """A fight as the players know it, at `head`, with the entry before."""

    head: int
    ruleset: Ruleset
    state: Encounter
    previous: EarlierEntry | None


_KNOWN: WeakKeyDictionary[History, KnownFight] = WeakKeyDictionary()


def fight_as_known(history: History, ruleset: Ruleset) -> KnownFight:
    """Return the fight as the players know it, which all phones ask for, made once for each
    moment."""
    found = _KNOWN.get(history)
    if found is None or found.head != history.head or found.ruleset is not ruleset:
        state, previous = known_state(history, ruleset), known_previous(history, ruleset)
        found = _KNOWN[history] = KnownFight(history.head, ruleset, state, previous)
    return found


def state_as_known(history: History, ruleset: Ruleset) -> Encounter:
    """Return the state of `fight_as_known`."""
    return fight_as_known(history, ruleset).state


def is_asked_roll(rolls: Collection[str], character_id: str, die: PlayersDie) -> bool:
    """True if a die is among those of a character that its player asks affray to roll."""
    return die.who == character_id and ("die" if die.is_check else "damage") in rolls


def require_possible(history: History, ruleset: Ruleset, command: str) -> None:
    """Raise Refused, in words for players, for a command that the fight as they know it refuses."""
    fight = fight_as_known(history, ruleset)
    try:
        decide(fight.state, command, ruleset, StubDice(high=False), fight.previous)
    except Refused as refusal:
        # a fault in the game's tables or code is the GM's to mend
        if not (refusal.row or isinstance(refusal, GameFault)):
            raise Refused(refusal_in_words(fight.state, refusal)) from None


def refusal_as_known(history: History, ruleset: Ruleset, command: str) -> str:
    """Say why a command that the fight refuses can't be done, as far as the players may know."""
    try:
        require_possible(history, ruleset, command)
    except Refused as refusal:
        return refusal.bare
    return NOT_NOW


def refusal_in_words(state: Encounter, refusal: Refused) -> str:
    """Say why something can't be done, in a fight as the players know it.

    An id's number reveals how many share the name, so the players' names replace ids. Parts with
    words in backquotes are left out, since these are for the GM to type, and so are the keys of
    their screen. What a player can't know is the GM's to say: `no number is known: ask your GM how
    it went, and choose that outcome`.
    """
    words = refusal.bare
    for combatant in state.combatants:
        if to_id(combatant.name) != combatant.id:
            words = re.sub(rf"\b{re.escape(combatant.id)}\b", combatant.name, words)
    first, *rest = re.split(r"(?=[:;] )", _KEYS.sub("", words))
    lacks = re.split("[`,]", first.removeprefix("give "))[0].strip() if first[:5] == "give " else ""
    if _OUTCOME.search(words):
        why = "" if lacks else f"{first}: "
        return f"{why}ask your GM how it went, and choose that outcome"
    if lacks:
        return f"{lacks} is missing{': ask your GM for it' if 'DC' in lacks else ''}"
    return "".join([first, *(part for part in rest if "`" not in part)]).replace("`", "")


_KEYS = re.compile(r" \(\d+ in all: tab lists them\)|; \? lists all commands")
_OUTCOME = re.compile(r"\b(give|say) (the|how)\b.*\boutcome|\bor the outcome\b")


def may_go_by_itself(history: History, ruleset: Ruleset, character_id: str, command: str) -> bool:
    """True if a proposed command needs no word of the GM's (`setting players-act trusted`).

    Such a command is one's own initiative when the fight waits for it, an answer to a question to
    oneself, and the end of one's turn, unless that would roll something that still waits.
    """
    state = history.state
    me = state.character(character_id)
    if me is None or PLAYERS_ACT.value(state) != "trusted":
        return False
    waits = [each for each in turns.pending(ruleset, state) if each.who == me.id]
    ends = ("next", *(f"next {each}" for each in turns.choices(state)))
    if command in ends or command == f"finish {me.id}":
        is_finish = command.startswith("finish")
        its = state.takes_turn(me.id) if is_finish else state.taking_turn() == (me.id,)
        return its and not any(w.holds or w.missed for w in waits)
    if waits_for_initiative(state, me):
        words = ruleset.initiative.words(ruleset.tables)
        called = command in (f"init {me.id} {word}" for word in words)
        if called or _is_die_of(f"init {me.id}", command):
            return True
    choices = (choice.command for each in waits for choice in each.choices)
    dice = (each for each in waits if each.die)
    return command in choices or any(_is_die_of(w.die, command) for w in dice)


def _is_die_of(begins: str, command: str) -> bool:
    """True if a command is this one, followed only by a number, a roll, or numbers on dice."""
    return bool(re.fullmatch(rf"{re.escape(begins)} (roll|-?\d+|natural \d+(,\d+)?)", command))


def waits_for_initiative(state: Encounter, combatant: Combatant) -> bool:
    """True if somebody's initiative for this fight is still to be rolled."""
    slot = state.slot(combatant.id)
    return (
        slot is not None
        and not (slot.gone or slot.follows or slot.passive)
        and (slot.initiative is None or turn_order.is_finished(state))
    )


def own_sheet(history: History, ruleset: Ruleset, character_id: str) -> OwnSheet | None:
    """Return the own numbers, tracks and effects of a character of the party; None for anybody
    else, and for nobody known."""
    state, tables = state_as_known(history, ruleset), ruleset.tables
    me = state.character(character_id)
    if me is None:
        return None
    totals = {
        name: (tables.total(name).label, tables.total(name).format_value(value))
        for name, value in ruleset.numbers.totals(tables, state, me).items()
        if tables.total(name).whole or value
    }
    labels = ruleset.sheet.labels(state, me)
    rest = {n: value for n, value in me.stats.items() if n not in labels and n != "text"}
    numbers = [
        *(text for stat, text in labels.items() if text and stat in me.stats),
        *other_stat_lines(tables, rest, totals),
    ]
    lasting = (
        PlayersCondition(
            to_one_line(effect_name(tables, effect_with_amounts(replace(effect, note="")))),
            to_one_line(until_in_words(state, me, effect.until)),
            tables.look(effect.name, effect.kind).harmful,
        )
        for effect in independent_effects(me)
    )
    return OwnSheet(
        to_one_line(me.name),
        me.life,
        tuple(
            OwnTrack(
                rule.label,
                rule.shown,
                me.tracks[name].value,
                me.tracks[name].max,
                news=rule.carries or rule.when is not None,
            )
            for name, rule in tables.tracks.items()
            if name in me.tracks and rule.when in (None, me.life)
        ),
        tuple((label, to_one_line(value)) for label, value in totals.values()),
        tuple(lasting),
        tuple(map(to_one_line, numbers)),
        to_one_line(me.text),
    )
