"""A campaign's own rows: what they add to a rule system, and whether it can play by them.

What a row's fields are is held by `affray.core.rules.tables`; here is what only shows beside the
ruleset's own tables, and by what the game reads of them (`Ruleset.reads`). It is asked before
anything is played, so that what is accepted is played by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.commands.session_verbs import SESSION_VERBS
from affray.core.dice.notation import DiceError, parse_dice
from affray.core.dice.sources import SeededDice
from affray.core.heart.decide import Context, verbs_of
from affray.core.heart.state import Encounter
from affray.core.language.asks import fault_of_ask
from affray.core.language.refusal import Refused, close_or_all, did_you_mean, listed
from affray.core.language.words import Word, Words
from affray.core.rules.checking import check_all_known, check_bounds, check_name, check_words
from affray.core.rules.house_effects import check_effects
from affray.core.rules.house_environments import check_environments
from affray.core.rules.house_techniques import check_techniques
from affray.core.rules.prompts import PromptRule
from affray.core.rules.random_tables import check_random_table
from affray.core.rules.ruleset import Ruleset
from affray.core.rules.tables import Does, Tables, Technique, TrackRule

MOST = 999_999
MOST_LEVELS = 99


def with_house_rules(ruleset: Ruleset, more: Tables) -> Ruleset:
    """The ruleset with a campaign's rows added to its own, or in place of rows of the same id.

    A technique of a new id is all in its row, and gets a command. Raises Refused, in one line, for
    the first row that the ruleset couldn't play by.
    """
    check_house_rules(ruleset, more)
    own, doing = ruleset.tables, ruleset.doing
    rows = {n: _with_all(n, t, own.techniques.get(n)) for n, t in more.techniques.items()}
    tables = own.merged(replace(more, techniques=rows))
    verbs = {
        name: doing.verb(tables, name)
        for name, row in rows.items()
        if doing is not None and name not in own.techniques and not row.reaction
    }
    made = replace(ruleset, tables=tables, verbs={**ruleset.verbs, **verbs})
    _check_powers(made, more)
    return made


def _check_powers(ruleset: Ruleset, more: Tables) -> None:
    """A power must be one that a sheet can have: each is read as a sheet that names it is. What is
    wrong is the field without which it can be read."""
    if more.powers and not ruleset.reads.powers:
        raise Refused(f"[powers]: in {ruleset.name} no sheet has any")
    for name, row in more.powers.items():
        check_name(f"[powers.{name}]", name, by="sheet")
        fault = _fault_of_power(ruleset, name, row)
        if fault:
            rest = ((field, {k: v for k, v in row.items() if k != field}) for field in row)
            wrong = next((f for f, each in rest if not _fault_of_power(ruleset, name, each)), "")
            raise Refused(f"[powers.{name}]{f' {wrong}' if wrong else ''}: {fault}")


def _fault_of_power(ruleset: Ruleset, name: str, row: dict[str, Any]) -> str:
    """Why no sheet can have a power that its row says so; empty for one that can."""
    alone = replace(ruleset, tables=replace(ruleset.tables, powers={name: row}))
    ctx = Context(Encounter(ruleset=ruleset.id), alone, SeededDice(0))
    said = Words([Word(part) for part in ("hp", "1", ruleset.reads.powers, name)], ctx.state)
    try:
        ruleset.create(ctx, said, "monster")
    except Refused as refusal:
        return refusal.message
    return ""


def _with_all(name: str, row: Technique, base: Technique | None) -> Technique:
    """A campaign's technique with what it does: as its row says, or as the game's own does."""
    if base is not None:
        return replace(row, does=base.does, asks=row.asks or (base.asks if base.does else ()))
    return replace(row, does=row.does or Does(), command=f"react {name}" if row.reaction else "")


def check_house_rules(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused, in one line, for the first of `more` that the ruleset couldn't play by."""
    own = ruleset.tables
    _check_names("economy", own.economy, more.economy)
    for name, value in more.economy.items():
        _check_number(name, own.economy[name], value)
    _check_tracks(ruleset, more)
    _check_names("outcomes", own.outcomes, more.outcomes)
    _check_names("totals", own.totals, more.totals)
    _check_names("moments", own.moments, more.moments)
    _check_names("played", own.played, more.played)
    if more.leans and not own.leans:
        raise Refused(f"`leans`: in {ruleset.name} no roll has advantage or disadvantage")
    if more.unaffected not in ("", own.unaffected):
        raise Refused(f"`unaffected`: in {ruleset.name} it can't be said by house rules")
    for kind in more.damage_types:
        if not kind.isalpha() or kind != kind.casefold():
            raise Refused(f"`damage_types`: {kind!r} must be one word in small letters")
    _check_levels(ruleset, more)
    _check_activities(ruleset, more)
    _check_gear(ruleset, more)
    check_effects(ruleset, more)
    check_environments(ruleset, more)
    for name, table in more.random.items():
        check_random_table(name, table)
    _check_asks(ruleset, more)
    check_techniques(ruleset, more)
    _check_prompts(ruleset, more)


def _check_names(table: str, own: Iterable[str], more: Iterable[str]) -> None:
    """Raises Refused for a row of a table in which only the game's own rows mean something."""
    row = list(own)
    for name in more:
        if name not in row:
            raise Refused(f"[{table}] has no {name!r}{close_or_all(name, row)}")


def _check_tracks(ruleset: Ruleset, more: Tables) -> None:
    """A track can be called and shown in another way; how it counts is in the game's rules.

    Where the game knows counters, any other row is one of those.
    """
    own = ruleset.tables
    if not ruleset.reads.counters:
        _check_names("tracks", own.tracks, more.tracks)
    for name, row in more.tracks.items():
        if name not in own.tracks:
            _check_counter(name, row)
            continue
        for field, value in _how_it_counts(own.tracks[name]).items():
            if _how_it_counts(row)[field] != value:
                said = str(value).lower() if isinstance(value, bool) else f'"{value}"'
                raise Refused(f"[tracks.{name}] {field}: the rules count on {field} = {said}")


def _check_counter(name: str, row: TrackRule) -> None:
    """Commands must be able to name a counter, and nothing is counted in levels by hand."""
    if not name.isidentifier() or name != name.casefold():
        raise Refused(f"[tracks.{name}]: no command could name it; write it as one small word")
    if row.levels:
        raise Refused(f"[tracks.{name}] levels: a counter has no levels")


def _how_it_counts(row: TrackRule) -> dict[str, object]:
    return {"counts": row.counts, "below": row.below, "levels": row.levels}


def _check_levels(ruleset: Ruleset, more: Tables) -> None:
    """A level must be of a track that is counted so, and go with a rest that the game has."""
    counted = [name for name, row in ruleset.tables.tracks.items() if row.levels]
    if more.levels and not counted:
        raise Refused(f"[levels]: {ruleset.name} counts nothing in levels")
    for name, row in more.levels.items():
        where = f"[levels.{name}]"
        if name in ruleset.tables.effects and name not in ruleset.tables.levels:
            raise Refused(f"{where}: an effect is called so; give the level another name")
        check_words(f"{where} track", [row.track], counted, "is not counted in levels")
        check_bounds(f"{where} at", row.at, 1, MOST_LEVELS)
        goes, rests = filter(None, [row.goes]), ruleset.reads.rests
        check_words(f"{where} goes", goes, rests, "is no rest that takes a level away")


def _check_activities(ruleset: Ruleset, more: Tables) -> None:
    """An activity must be one that a command can name, in a rest that the game has; what it clears
    must be counted in marks, and what it spends be the party's."""
    own, reads = ruleset.tables, ruleset.reads
    if more.activities and not own.activities:
        raise Refused(f"[activities]: in {ruleset.name} nothing is chosen to be done in a rest")
    marked = [name for name, row in own.tracks.items() if row.counts == "marked" and row.everybody]
    for name, row in more.activities.items():
        where = f"[activities.{name}]"
        check_name(where, name)
        if not row.rests:
            raise Refused(f"{where} rests: must name one; there are {listed(reads.rests, 'and')}")
        for field, words, known in (
            ("rests", row.rests, reads.rests),
            ("clears", row.clears, marked),
            ("spends", row.spends, reads.spends),
        ):
            check_all_known(f"{where} {field}", words, known)
        for amount in (*row.clears.values(), *row.spends.values()):
            check_bounds(where, amount, 1, MOST_LEVELS)
        check_bounds(f"{where} heals", row.heals, 0, 100)


def _check_gear(ruleset: Ruleset, more: Tables) -> None:
    """Gear must be what sheets of the game are made of, and what they can name."""
    for table in ("armor", "weapons", "items"):
        rows = getattr(more, table)
        if rows and ruleset.reads.gear is None:
            raise Refused(f"[{table}]: in {ruleset.name} no sheet is made of them")
        for name in rows:
            check_name(f"[{table}.{name}]", name, by="sheet")
    if ruleset.reads.gear is not None:
        ruleset.reads.gear(ruleset.tables.merged(more), more)


def _check_prompts(ruleset: Ruleset, more: Tables) -> None:
    techniques = {**ruleset.tables.techniques, **more.techniques}
    known = [*verbs_of(ruleset), *SESSION_VERBS, *more.techniques]
    for name, row in more.prompts.items():
        where, words = f"[prompts.{name}]", row.command.split()
        if name.removeprefix("trigger ") in techniques:
            _check_how_a_technique_asks(where, row)
        elif not words or row.key.isspace():
            raise Refused(f"{where}: `key` and `command` must hold a word")
        elif words[0].casefold() not in known:
            near = did_you_mean(words[0], known) or "; docs/commands.md lists the commands"
            raise Refused(f"{where} command: {words[0]!r} is no command{near}")
        _check_what_follows(ruleset, more, where, row)


def _check_what_follows(ruleset: Ruleset, more: Tables, where: str, row: PromptRule) -> None:
    """What is asked afterwards must be a prompt, for outcomes that there are."""
    prompts = {**ruleset.tables.prompts, **more.prompts}
    outcomes = {**ruleset.tables.outcomes, **more.outcomes}
    check_words(f"{where} then", filter(None, [row.then]), prompts, "is no prompt")
    check_words(f"{where} takes", row.takes, outcomes, "is no outcome")
    if row.takes and not row.then:
        raise Refused(f"{where} takes: it says whom the prompt is for that `then` names")


def _check_how_a_technique_asks(where: str, row: PromptRule) -> None:
    """A row with a technique's id says how that asks; its key is in the technique's own row."""
    for field in ("key", "label", "command", "nobody", "text", "then", "takes"):
        if getattr(row, field):
            raise Refused(
                f"{where} {field}: a row with the id of a technique says only how that asks, by "
                "`asks`, `first` and `when`"
            )


def _check_asks(ruleset: Ruleset, more: Tables) -> None:
    amounts, effects = _names_of_asks(ruleset, more)
    for where, asks in _asks(more):
        for ask in asks:
            fault = fault_of_ask(ask, amounts, effects)
            if fault:
                raise Refused(f"{where} asks: {ask!r} {fault}")


def _asks(tables: Tables) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, technique in tables.techniques.items():
        yield f"[techniques.{name}]", technique.asks
    for name, prompt in tables.prompts.items():
        yield f"[prompts.{name}]", prompt.asks


def _names_of_asks(ruleset: Ruleset, more: Tables) -> tuple[list[str], list[str]]:
    """What prompts ask for by the game's own names: amounts and kinds; names that effects have."""
    effects = {**ruleset.tables.effects, **more.effects}
    kinds = list(dict.fromkeys(rule.kind for rule in effects.values()))
    return [*ruleset.reads.amounts, *ruleset.tables.tracks, *kinds], [*effects, *kinds]


def _check_number(name: str, own: Any, value: Any) -> None:
    """Raises Refused when a value can't stand in for the ruleset's own: they must be of a kind."""
    if isinstance(own, dict):
        _check_rows(name, own, value)
    elif isinstance(own, list):
        fits = isinstance(value, list) and bool(value or not own)
        if not fits or not all(_alike(one, part) for one in own[:1] for part in value):
            raise _refused(name, f"a list such as {own}", value)
    elif isinstance(own, str) and _is_dice(own):
        if not isinstance(value, str) or not _is_dice(value):
            raise _refused(name, f'dice such as "{own}"', value)
    elif not _alike(own, value):
        raise _refused(name, "a text" if isinstance(own, str) else f"a number such as {own}", value)
    elif isinstance(own, int) and not (-MOST if own < 0 else 0) <= value <= MOST:
        raise _refused(name, f"a number from {-MOST if own < 0 else 0} to {MOST}", value)


def _check_rows(name: str, own: dict[str, Any], value: Any) -> None:
    """Raises Refused when a table among the numbers holds something else than the game's own."""
    if not isinstance(value, dict):
        raise _refused(name, "a table", value)
    usual = next(iter(own.values()))
    for key, each in value.items():
        like = own.get(key, usual)
        if isinstance(like, dict) and isinstance(each, dict) and each.keys() != like.keys():
            raise _refused(f"{name}.{key}", listed(like, "and"), each)
        _check_number(f"{name}.{key}", like, each)


def _alike(own: Any, value: Any) -> bool:
    return type(value) is type(own)


def _is_dice(text: str) -> bool:
    try:
        return bool(parse_dice(text).pools)
    except DiceError:
        return False


def _refused(name: str, expected: str, value: Any) -> Refused:
    found = repr(value)
    return Refused(f"[economy] {name}: expected {expected}, found {found[:40]}")
