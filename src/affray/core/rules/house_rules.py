"""Add a campaign's house rules to a rule system, and refuse rows that the game wouldn't apply.
`core.rules.tables` checks the shape of rows; this module compares them with the game's own tables
and the fields that it supports, before anything is played. Start with `with_house_rules`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from affray.core.commands.log_commands import SESSION_COMMANDS
from affray.core.dice import DiceError, SeededDice, parse_dice
from affray.core.engine.decide import commands_of
from affray.core.engine.durations import UNTIL_WORDS, WITHOUT_UNTIL, parse_row_until
from affray.core.engine.settings import SETTINGS
from affray.core.engine.state import Encounter
from affray.core.parser.declarations import fields_of_command, names_of_amounts, outcomes_in
from affray.core.parser.errors import Refused, did_you_mean, join_or, suggest_or_list
from affray.core.parser.prompt_fields import SAID, WITHOUT_CODE, Field, fault_of_row, fields_of_row
from affray.core.parser.tokens import Token, TokenStream
from affray.core.rules.campaign_tables import (
    EnvironmentAction,
    EnvironmentRow,
    actions_of,
    check_amounts,
    check_dice,
    check_name,
    check_random_table,
    features_of,
    require_in_range,
    require_known_words,
)
from affray.core.rules.row_names import require_rows_named
from affray.core.rules.ruleset import Context, Ruleset
from affray.core.rules.tables import (
    ANSWERED,
    LEVEL,
    EffectRow,
    PromptRow,
    Tables,
    TechniqueEffect,
    TechniqueRow,
    TrackRow,
)

# -------------------------------------------------------------------------------------------------
# Effects: each field that is set, and each word in it, must be one that the game plays by.

IN_EVERY_GAME = (
    "name", "kind", "implies", "needs_source", "brings", "breaks", "ends_with_source", "concerns",
    "until", "carries", "text",
)  # fmt: skip
"""The fields that mean the same in every game."""
_BLANK = EffectRow()


def check_effects(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused for the first effect of a campaign that the game wouldn't apply."""
    tables = ruleset.tables.merged(more)
    kinds = [*(row.kind for row in ruleset.tables.effects.values()), *tables.kinds]
    kinds += [LEVEL] if more.levels else []
    for name, row in more.effects.items():
        where = f"[{'levels' if name in more.levels else 'effects'}.{name}]"
        if name != name.casefold() or not name.strip():
            raise Refused(f"{where}: no command could name it; write it in lower case")
        require_known_words(f"{where} kind", [row.kind], dict.fromkeys(kinds))
        for field, words in _fields_set(row):
            if field not in IN_EVERY_GAME:
                _check_field(ruleset, where, field, words)
        _check_until(ruleset, where, row.until, in_words=True)
        become = [name for names in row.ended_by.values() for name in names]
        require_known_words(f"{where} ended_by", become, tables.effects)
        types = (*tables.damage_types, "all")
        require_known_words(f"{where} adds_damage", row.adds_damage.values(), types)
        check_amounts(f"{where} at_start", row.at_start, -99)
        check_amounts(f"{where} escape", row.escape or {}, 1)


def _check_field(ruleset: Ruleset, where: str, field: str, words: list[str]) -> None:
    """Raises Refused for a field that the game doesn't read, or for a word in it."""
    reads = ruleset.schema.effects
    if field not in reads:
        row = join_or((*reads, *IN_EVERY_GAME), "and")
        raise Refused(f"{where} {field}: {ruleset.name} has no such field; it reads {row}")
    understood = reads[field]
    require_known_words(f"{where} {field}", words, words if understood is None else understood)


def _fields_set(row: EffectRow) -> Iterator[tuple[str, list[str]]]:
    """Yield each field that a row sets, with its words; `suffers` split by its sides."""
    for field in _BLANK.__struct_fields__:
        value = getattr(row, field)
        if value == getattr(_BLANK, field):
            continue
        if field == "suffers":
            yield from ((f"suffers.{side}", [when]) for side, when in row.suffers.items())
        elif isinstance(value, str):
            yield field, [value]
        else:
            yield field, [] if isinstance(value, bool) else [*value]


# -------------------------------------------------------------------------------------------------
# Techniques: a row with the id of one of the game's own changes what that costs and its name, not
# what it does. A row with a new id is complete in itself (`TechniqueRow.does`).

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+){0,3}")
_IN_CODE = ("reaction", "command", "marks", "does")
"""The fields of the game's own techniques that a campaign's row can't change."""


def check_techniques(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused for the first technique that the game wouldn't apply."""
    for name, row in more.techniques.items():
        where, base = f"[techniques.{name}]", ruleset.tables.techniques.get(name)
        if base is None and not ruleset.schema.techniques:
            raise Refused(f"{where}: {ruleset.name} allows no techniques but its own")
        if any(text.isspace() for text in (row.key, row.command)):
            raise Refused(f"{where}: `key` and `command` must hold a word")
        _check_cost(ruleset, where, row, base)
        check_answers(ruleset, where, row)
        if base is None:
            _check_repeat(ruleset, where, row)
            _check_new(ruleset, more, where, name, row)
        else:
            if row.repeat != base.repeat:
                _check_repeat(ruleset, where, row)
            _check_as_in_code(where, row, base)


def _check_cost(ruleset: Ruleset, where: str, row: TechniqueRow, base: TechniqueRow | None) -> None:
    """Raise Refused for a price that the game doesn't know, or that lacks a fixed track."""
    free = any(not technique.cost for technique in ruleset.tables.techniques.values())
    fixed = base.cost if base is not None and not ruleset.schema.one_action else {}
    missing = [track for track in fixed if track not in row.cost]
    if missing or not (row.cost or free):
        what = join_or(missing, "and") if missing else "its price"
        raise Refused(f"{where} needs a `cost` that names {what}")
    for track in row.cost:
        if track not in ruleset.schema.cost:
            raise Refused(f"{where} cost: {_no_price(ruleset, track)}")
    check_amounts(f"{where} cost", row.cost, 0 if base is not None else 1)
    if ruleset.schema.one_action and sum(row.cost.values()) > 1:
        tracks = join_or(ruleset.schema.cost)
        raise Refused(f"{where} cost: in {ruleset.name} a technique costs 1 of one track: {tracks}")


def check_answers(ruleset: Ruleset, where: str, row: TechniqueRow) -> None:
    """Raise Refused for a word of a technique's row that can set no reaction off."""
    words = [*ANSWERED, *ruleset.tables.outcomes, *commands_of(ruleset)]
    for word in row.answers:
        if word not in words:
            raise Refused(
                f"{where} answers: there is no {word!r}{did_you_mean(word, words)}",
                row=where.strip("[]"),
                field="answers",
            )


def check_code(ruleset: Ruleset) -> None:
    """Raise Refused for a word that the game's code names and nothing has: a track in its
    `TableSchema`, a setting, an outcome by which dice of its commands are called. The refusal has
    the word as its `field`; of a technique's `answers`, its `row`."""
    schema, tables = ruleset.schema, ruleset.tables
    for name, row in tables.techniques.items():
        check_answers(ruleset, f"[techniques.{name}]", row)
    for field in ("cost", "marks", "spends"):
        _require_in_code(f"the schema's {field}", getattr(schema, field), tables.tracks, "track")
    _require_in_code("`gm_tracks`", ruleset.gm_tracks, tables.tracks, "track")
    rows = {setting.name: setting for setting in SETTINGS}
    _require_in_code("`usual_settings`", ruleset.usual_settings, rows, "setting")
    for name, value in ruleset.usual_settings.items():
        values = (*rows[name].values, *([value] if rows[name].numbers else []))
        _require_in_code(f"`usual_settings`, {name}", (value,), values, "value")
    ruleset.sheet.fields(tables)  # which reads what the structs of its rows declare
    for command in ruleset.commands.values():
        for args_type in filter(None, (command.args_type, *command.subcommands.values())):
            where, outcomes = f"the command {command.name}", outcomes_in(args_type)
            _require_in_code(where, outcomes, tables.outcomes or outcomes, "outcome")


def _require_in_code(
    where: str, words: Collection[str], choices: Collection[str], what: str
) -> None:
    for word in words:
        if word not in choices:
            near = suggest_or_list(word, choices)
            raise Refused(f"{where}: {word!r} is no {what}{near}", field=word)


def _no_price(ruleset: Ruleset, track: str) -> str:
    tracks = ruleset.schema.cost
    if track in ruleset.schema.marks:
        return f"{track} is marked, not paid: put it in `marks`"
    return f"{ruleset.name} has no price in {track!r}{suggest_or_list(track, tracks)}"


def _check_repeat(ruleset: Ruleset, where: str, row: TechniqueRow) -> None:
    kinds = ruleset.schema.repeat
    if row.repeat not in kinds:
        there = f"; there are {join_or(kinds, 'and')}" if kinds else ""
        raise Refused(
            f"{where} repeat: {ruleset.name} has no techniques of kind {row.repeat!r}{there}"
        )


def _check_as_in_code(where: str, row: TechniqueRow, base: TechniqueRow) -> None:
    """Raise Refused for a row that changes the effect of one of the game's own techniques."""
    for field in _IN_CODE:
        is_left_out = field == "does" and row.does is None
        if getattr(row, field) != getattr(base, field) and not is_left_out:
            raise Refused(
                f"{where} {field}: a technique of the rules can't be changed; keep it as it was, "
                f"{_as_toml(getattr(base, field))}, or give the technique a new id"
            )
    if base.does is not None and row.fields:
        _check_when(where, base.does, row)


def _as_toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {amount}" for key, amount in value.items()) + " }"
    return f'"{value}"' if value else "left out"


# -- techniques of a new id ------------------------------------------------------------------------


def _check_new(ruleset: Ruleset, more: Tables, where: str, name: str, row: TechniqueRow) -> None:
    if not _ID.fullmatch(name):
        raise Refused(
            f"{where}: no command could name it; its id must be one to four lower-case words "
            "joined by -, such as shield-wall"
        )
    if row.command:
        raise Refused(f"{where} command: its id is its command; leave `command` out")
    _check_marks(ruleset, f"{where} marks", row.marks)
    kinds = [_kind_without_code(where, field) for field in fields_of_row(row)]
    if row.does is not None:
        _check_does(ruleset, more, where, row.does, [k for k in kinds if k not in SAID])
        _check_when(where, row.does, row)


def _check_when(where: str, does: TechniqueEffect, row: TechniqueRow) -> None:
    """Raise Refused for a word of `when` that the technique doesn't ask for."""
    words = [word for field in fields_of_row(row) for word in field.options]
    require_known_words(
        f"{where} does when", filter(None, [does.when]), words, "is not among its fields"
    )


def _check_marks(ruleset: Ruleset, where: str, marks: dict[str, int], done: str = "marked") -> None:
    require_known_words(
        where, marks, ruleset.schema.marks, f"is {done} by no technique of {ruleset.name}"
    )
    check_amounts(where, marks, 1)


def _kind_without_code(where: str, field: Field) -> str:
    """Return a field's kind. Raises Refused for one that needs code."""
    if field.only_if:
        raise Refused(f"{where} fields: {field.kind!r} depends on another answer, which needs code")
    if field.kind not in WITHOUT_CODE:
        near = suggest_or_list(field.kind, WITHOUT_CODE)
        raise Refused(f"{where} fields: {field.kind!r} is only for techniques that have code{near}")
    return field.kind


def _check_until(ruleset: Ruleset, where: str, text: str, in_words: bool = False) -> None:
    """Raise Refused for an end that the game doesn't know.

    With `in_words`, in an effect's own row, other words may describe what people can see.
    """
    until = parse_row_until(text)
    if until is None or until.text == "freed" or (in_words and until.text):
        return
    ends = ruleset.schema.ends
    if until.text or until.ends not in ("turn", "use", "removed", *ends):
        words = ("2 turns", "start of source", "end of source", "this turn", *ends)
        row = join_or([word.replace("-", " ") for word in words])
        raise Refused(f"{where} until: {ruleset.name} has no end {text!r}; there are {row}")


def _check_does(
    ruleset: Ruleset, more: Tables, where: str, does: TechniqueEffect, people: list[str]
) -> None:
    where += " does"
    tables = ruleset.tables.merged(more)
    effect_names = ruleset.actions.row_effects(tables)
    for field in ("inflict", "bestow"):
        name = getattr(does, field)
        if name and name not in effect_names:
            near = suggest_or_list(name, effect_names)
            raise Refused(f"{where} {field}: no effect {name!r} to inflict{near}")
    if does.inflict and not people:
        raise Refused(f'{where} inflict: there is no target; add fields = ["target"]')
    if does.until and not (does.inflict or does.bestow):
        raise Refused(f"{where} until: it needs an effect named by `inflict` or `bestow`")
    _check_until(ruleset, where, does.until)
    _check_marks(ruleset, f"{where} recovers", does.recovers, "recovered")


# -------------------------------------------------------------------------------------------------
# Environments: features, and the world's actions.

_HOUSE_ENVIRONMENTS_ID = re.compile(r"[a-z]+(-[a-z0-9]+)*")
_LOWEST_RECHARGE, _SIDES = 2, 6
_NEEDS = {
    "geared": ("amount", "an `amount` for gear to reduce"),
    "thrown": ("amount", "an `amount` for a hit to deal"),
    "resisted": ("type", "a `type` to resist"),
    "until": ("inflict", "an `inflict` whose effect can end"),
    "escape": ("inflict", "an `inflict` with an effect to escape from"),
}
"""The fields of the world's actions that mean something beside another alone."""


def check_environments(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused for the first row of a campaign that the game wouldn't apply."""
    if more.environments and not ruleset.schema.saves:
        raise Refused(f"[environments]: {ruleset.name} has no environments that act")
    for key, row in more.environments.items():
        where = f"[environments.{key}]"
        _check_id(where, key)
        _check_unique(ruleset.tables, more, key, row)
        if row.actions.keys() & row.features.keys():
            both = join_or(row.actions.keys() & row.features.keys(), "and")
            raise Refused(f"{where}: {both} can't be both a feature and a world action")
        for part, rows in (("features", row.features), ("actions", row.actions)):
            for name, each in rows.items():
                at = f"[environments.{key}.{part}.{name}]"
                _check_id(at, name)
                _check_row(ruleset, at, each)
                _check_place(at, each, part)


def _check_id(where: str, name: str) -> None:
    if not _HOUSE_ENVIRONMENTS_ID.fullmatch(name):
        raise Refused(
            f"{where}: no command could name it; its id must be lower-case words joined by -, "
            "such as fat-fire"
        )


def _check_unique(own: Tables, more: Tables, key: str, row: EnvironmentRow) -> None:
    """Raise Refused for a name used in other surroundings: any can be used anywhere."""
    others = {k: r for k, r in (own.environments | more.environments).items() if k != key}
    for name in (*row.features, *row.actions):
        if name in features_of(others) or name in actions_of(others):
            raise Refused(f"[environments.{key}]: {name!r} is already in another environment")


def _check_row(ruleset: Ruleset, where: str, row: EnvironmentAction) -> None:
    _check_roll(ruleset, where, row)
    for field in ("amount", "geared"):
        check_dice(f"{where} {field}", getattr(row, field) or "0")
    for field, (other, why) in _NEEDS.items():
        if getattr(row, field) and not getattr(row, other):
            raise Refused(f"{where} {field}: it needs {why}")
    _check_until(ruleset, where, row.until)
    require_known_words(f"{where} marks", row.marks, ruleset.schema.marks)
    check_amounts(f"{where} marks", row.marks, 1)
    if row.rounds:
        require_in_range(f"{where} rounds", row.rounds, 1, 99)
    if row.recharge:
        require_in_range(f"{where} recharge", row.recharge, _LOWEST_RECHARGE, _SIDES)


def _check_roll(ruleset: Ruleset, where: str, row: EnvironmentAction) -> None:
    saves = ruleset.schema.saves
    require_known_words(f"{where} save", filter(None, [row.save]), saves)
    if row.save and row.check:
        raise Refused(f"{where}: either `save` or `check`, not both")
    if row.check and len(row.check.split()) != 2:
        raise Refused(f"{where} check: expected an ability and a skill, such as wis perception")
    require_known_words(f"{where} check", row.check.split()[:1], saves)
    if row.save or row.check or (row.dc and row.escape == "outcome"):
        require_in_range(f"{where} dc", row.dc, 1, 99)
    elif row.dc:
        raise Refused(f"{where} dc: it needs a `save` or `check` against it")


def _check_place(where: str, row: EnvironmentAction, part: str) -> None:
    """Raise Refused for a field that is only for actions in a feature, or the other way round."""
    features_only = ("echoes", "rounds", "difficult", "takes", "thrown")
    misplaced = ("recharge",) if part == "features" else features_only
    for field in misplaced:
        if getattr(row, field):
            kind = "features" if part == "actions" else "actions"
            raise Refused(f"{where} {field}: that is only for {kind}")


MOST = 999_999
MOST_LEVELS = 99


def with_house_rules(ruleset: Ruleset, more: Tables) -> Ruleset:
    """The ruleset with a campaign's rows added to its own, or in place of rows of the same id.

    A technique of a new id is all in its row, and gets a command. Raises Refused, in one line, for
    the first row that the ruleset couldn't play by.
    """
    check_house_rules(ruleset, more)
    own = ruleset.tables
    rows = {n: _with_all(n, t, own.techniques.get(n)) for n, t in more.techniques.items()}
    counters = (*own.counters, *(name for name in more.tracks if name not in own.tracks))
    tables = replace(own.merged(replace(more, techniques=rows)), counters=counters)
    commands = {
        name: ruleset.actions.row_command(tables, name)
        for name, row in rows.items()
        if name not in own.techniques and not row.reaction
    }
    extended = replace(ruleset, tables=tables, commands={**ruleset.commands, **commands})
    _check_powers(extended, more)
    return extended


def _check_powers(ruleset: Ruleset, more: Tables) -> None:
    """Raise Refused for a power that no sheet could have, by reading a sheet that names it.

    The field without which it can be read is the wrong one.
    """
    if more.powers and not ruleset.schema.powers:
        raise Refused(f"[powers]: {ruleset.name} has no powers on its sheets")
    for name, row in more.powers.items():
        check_name(f"[powers.{name}]", name, by="sheet")
        fault = _fault_of_power(ruleset, name, row)
        if fault:
            rest = ((field, {k: v for k, v in row.items() if k != field}) for field in row)
            wrong = next((f for f, each in rest if not _fault_of_power(ruleset, name, each)), "")
            raise Refused(f"[powers.{name}]{f' {wrong}' if wrong else ''}: {fault}")


def _fault_of_power(ruleset: Ruleset, name: str, row: dict[str, Any]) -> str:
    """The reason why no sheet can have a power with this row; empty if one can."""
    alone = replace(ruleset, tables=replace(ruleset.tables, powers={name: row}))
    ctx = Context(Encounter(ruleset=ruleset.id), alone, SeededDice(0))
    foe = ruleset.usual_foe.split()
    tokens = TokenStream([*map(Token, (*foe, ruleset.schema.powers, name))], ctx.state)
    try:
        ruleset.sheet.create(ctx, tokens, "monster")
    except Refused as refusal:
        return refusal.message
    return ""


def _with_all(name: str, row: TechniqueRow, base: TechniqueRow | None) -> TechniqueRow:
    """A campaign's technique with its effect: its row's own, or that of the game's technique."""
    if base is not None:
        own = row if row.fields or base.does is None else base
        answers = row.answers or base.answers
        return replace(row, does=base.does, fields=own.fields, choices=own.choices, answers=answers)
    return replace(
        row, does=row.does or TechniqueEffect(), command=f"react {name}" if row.reaction else ""
    )


def check_house_rules(ruleset: Ruleset, more: Tables) -> None:
    """Raises Refused, in one line, for the first of `more` that the ruleset couldn't play by."""
    own = ruleset.tables
    _check_names("economy", own.economy, more.economy)
    for name, value in more.economy.items():
        _check_number(name, own.economy[name], value)
    _check_tracks(ruleset, more)
    for rows in ("outcomes", "totals", "moments", "played", "own_reminders"):
        _check_names(rows, getattr(own, rows), getattr(more, rows))
    if more.leans and not own.leans:
        raise Refused(f"`leans`: {ruleset.name} has no advantage or disadvantage")
    if more.unaffected not in ("", own.unaffected):
        raise Refused(f"`unaffected`: {ruleset.name} does not let house rules set it")
    for kind in more.damage_types:
        if not kind.isalpha() or kind != kind.casefold():
            raise Refused(f"`damage_types`: {kind!r} must be one word in lower case")
    _check_levels(ruleset, more)
    _check_activities(ruleset, more)
    _check_gear(ruleset, more)
    check_effects(ruleset, more)
    check_environments(ruleset, more)
    for name, table in more.random.items():
        check_random_table(name, table)
    _check_fields(ruleset, more)
    check_techniques(ruleset, more)
    _check_prompts(ruleset, more)
    require_rows_named(more, own.merged(more))


def _check_names(table: str, own: Iterable[str], more: Iterable[str]) -> None:
    """Raises Refused for a row of a table in which only the game's own rows mean something."""
    row = list(own)
    for name in more:
        if name not in row:
            raise Refused(f"[{table}] has no {name!r}{suggest_or_list(name, row)}")


def _check_tracks(ruleset: Ruleset, more: Tables) -> None:
    """Raise Refused for a row that changes how one of the game's tracks counts; its label and look
    may change. If the game allows counters, any new row is one.
    """
    own = ruleset.tables
    if not ruleset.schema.counters:
        _check_names("tracks", own.tracks, more.tracks)
    for name, row in more.tracks.items():
        if name not in own.tracks:
            _check_counter(ruleset, name, row)
            continue
        if row.resets:
            raise Refused(f"[tracks.{name}] resets: the rules say when {row.label} comes back")
        for field, value in _how_it_counts(own.tracks[name]).items():
            if _how_it_counts(row)[field] != value:
                expected = str(value).lower() if isinstance(value, bool) else f'"{value}"'
                raise Refused(f"[tracks.{name}] {field}: the rules need {field} = {expected}")


def _check_counter(ruleset: Ruleset, name: str, row: TrackRow) -> None:
    """Raise Refused for a counter that no command could name, that has levels, or that resets by
    something the game doesn't have."""
    if row.resets == "long-rest" and "long" not in ruleset.schema.rests:
        raise Refused(
            f'[tracks.{name}] resets: {ruleset.name} has no long rest; "rest" is for each rest'
        )
    if name in {field.name for field in ruleset.sheet.fields(ruleset.tables)}:
        raise Refused(f"[tracks.{name}]: sheets of {ruleset.name} have {name} already")
    if not name.isidentifier() or name != name.casefold():
        raise Refused(f"[tracks.{name}]: no command could name it; write it as one lower-case word")
    if row.levels:
        raise Refused(f"[tracks.{name}] levels: a counter has no levels")


def _how_it_counts(row: TrackRow) -> dict[str, object]:
    return {"counts": row.counts, "below": row.below, "levels": row.levels}


def _check_levels(ruleset: Ruleset, more: Tables) -> None:
    """A level must be of a track that is counted so, and go with a rest that the game has."""
    counted = [name for name, row in ruleset.tables.tracks.items() if row.levels]
    if more.levels and not counted:
        raise Refused(f"[levels]: {ruleset.name} has nothing with levels")
    for name, row in more.levels.items():
        where = f"[levels.{name}]"
        if name in ruleset.tables.effects and name not in ruleset.tables.levels:
            raise Refused(f"{where}: an effect has that name; give the level another")
        require_known_words(f"{where} track", [row.track], counted, "has no levels")
        require_in_range(f"{where} at", row.at, 1, MOST_LEVELS)
        goes, rests = filter(None, [row.goes]), ruleset.schema.rests
        require_known_words(f"{where} goes", goes, rests, "is not a rest that removes a level")


def _check_activities(ruleset: Ruleset, more: Tables) -> None:
    """Raise Refused unless a command can name the activity, the game has its rest, marks count what
    it clears, and the party owns what it spends."""
    own, reads = ruleset.tables, ruleset.schema
    if more.activities and not own.activities:
        raise Refused(f"[activities]: {ruleset.name} has no activities for a rest")
    marked = [name for name, row in own.tracks.items() if row.counts == "marked" and row.everybody]
    for name, row in more.activities.items():
        where = f"[activities.{name}]"
        check_name(where, name)
        if not row.rests:
            raise Refused(f"{where} rests: must name one; there are {join_or(reads.rests, 'and')}")
        for field, words, known_words in (
            ("rests", row.rests, reads.rests),
            ("clears", row.clears, marked),
            ("spends", row.spends, reads.spends),
        ):
            require_known_words(f"{where} {field}", words, known_words)
        check_amounts(where, row.clears | row.spends, 1)
        require_in_range(f"{where} heals", row.heals, 0, 100)


def _check_gear(ruleset: Ruleset, more: Tables) -> None:
    """Raise Refused for gear that sheets of the game don't have or can't name."""
    for table in ("armor", "weapons", "items"):
        rows = getattr(more, table)
        if rows and not ruleset.schema.gear:
            raise Refused(f"[{table}]: {ruleset.name} has none of these on its sheets")
        for name in rows:
            check_name(f"[{table}.{name}]", name, by="sheet")
    ruleset.sheet.check_gear(ruleset.tables.merged(more), more)


def _check_prompts(ruleset: Ruleset, more: Tables) -> None:
    techniques = {**ruleset.tables.techniques, **more.techniques}
    commands = [*commands_of(ruleset), *SESSION_COMMANDS, *more.techniques]
    for name, row in more.prompts.items():
        where, words = f"[prompts.{name}]", row.command.split()
        if name.removeprefix("trigger ") in techniques:
            _check_prompt_of_technique(where, row)
        elif not words or row.key.isspace():
            raise Refused(f"{where}: `key` and `command` must hold a word")
        elif words[0].casefold() not in commands:
            near = did_you_mean(words[0], commands) or "; docs/commands.md lists the commands"
            raise Refused(f"{where} command: {words[0]!r} is no command{near}")
        if row.takes and not row.then:
            raise Refused(f"{where} takes: it needs the prompt that `then` names")


def _check_prompt_of_technique(where: str, row: PromptRow) -> None:
    """A row with a technique's id says how that asks; its key is in the technique's own row."""
    for field in ("key", "label", "command", "nobody", "text", "also", "then", "takes"):
        if getattr(row, field):
            raise Refused(
                f"{where} {field}: a row with a technique's id sets only its prompt, by "
                "`fields`, `fixed`, `subject`, `choices`, `first` and `when`"
            )


def _check_fields(ruleset: Ruleset, more: Tables) -> None:
    """Check that a prompt can ask for the fields of rows."""
    tables, commands = ruleset.tables.merged(more), commands_of(ruleset)
    amounts = names_of_amounts(ruleset, tables)
    effects = [*tables.effects, *(row.kind for row in tables.effects.values())]
    rows: list[tuple[str, str, TechniqueRow | PromptRow]] = []
    for name, technique_row in more.techniques.items():
        where = f"[techniques.{name}]"
        if name not in ruleset.tables.techniques and name in {**commands, **SESSION_COMMANDS}:
            raise Refused(f"{where}: {name!r} is already a command; call it something else")
        rows.append((where, _command_of(tables, name), technique_row))
    for name, prompt in more.prompts.items():
        technique = name.removeprefix("trigger ")
        command = _command_of(tables, technique) if technique in tables.techniques else ""
        rows.append((f"[prompts.{name}]", command or prompt.command, prompt))
    for where, command, row in rows:
        fields, ends = fields_of_command(command, commands), (*UNTIL_WORDS, *WITHOUT_UNTIL)
        fault = fault_of_row(row, fields, amounts, effects, ends)
        if fault:
            raise Refused(f"{where} {fault}")


def _command_of(tables: Tables, technique: str) -> str:
    return tables.techniques[technique].command or technique


def _check_number(name: str, own: Any, value: Any) -> None:
    """Raise Refused when a value can't replace the ruleset's own: both must be of a kind."""
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
            raise _refused(f"{name}.{key}", join_or(like, "and"), each)
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
