"""Commands that keep things beside the combatants: notes, text to read aloud, settings, clocks.

A clock is a countdown, a pool of dice, or a race; `remove` ends effects and clocks by name.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from affray.core.commands.combatants import anyone_arg, remove_combatants
from affray.core.commands.log_commands import EXPECT
from affray.core.engine.custom_effects import effect_keys
from affray.core.engine.durations import MOST_DICE, PACES, roll_pool, rolls_expected
from affray.core.engine.effects import remove_effect
from affray.core.engine.events import ClockChanged, NoteAdded, SettingChanged
from affray.core.engine.settings import ORDER, Setting
from affray.core.engine.state import Clock, Combatant, Effect, Encounter
from affray.core.late_pattern import late_pattern
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, names_with_verb, read_lying
from affray.core.parser.declarations import Argument, ParseState, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import ASKED_ELSEWHERE, Field
from affray.core.parser.spelling import called_so
from affray.core.parser.targets import resolve_many
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import Command, Context


def _long_text_arg(what: str) -> Argument:
    """Declare a text to the end of the line, in quotes or not."""

    def read(reading: ParseState) -> str:
        text = reading.words.rest().strip()
        if not text:
            raise reading.words.refuse(f"expected {what}")
        return text

    return Argument(read, '"TEXT"', field=Field("text"))


class NoteArgs(Struct, frozen=True):
    """`note [on NAME[,NAME]] "TEXT"`."""

    about: Annotated[
        list[Combatant],
        Argument(
            lambda r: (
                anyone_arg("the combatants the note is about").read(r) if r.words.take("on") else []
            ),
            "[on NAME[,NAME]]",
            field=ASKED_ELSEWHERE,
        ),
    ]
    text: Annotated[str, _long_text_arg("the text of the note")]


def _note(ctx: Context, args: NoteArgs) -> None:
    people, text = args.about, args.text
    ctx.emit(*([NoteAdded(text, combatant.id) for combatant in people] or [NoteAdded(text)]))
    ctx.text = f"Note on {join_names(people)}: {text}" if people else f"Note: {text}"


class ReadAloudArgs(Struct, frozen=True):
    """`read-aloud "TEXT"`."""

    text: Annotated[str, _long_text_arg("the text to read to the players")]


def _read_aloud(ctx: Context, args: ReadAloudArgs) -> None:
    ctx.emit(NoteAdded(args.text, read_aloud=True))
    ctx.text = f"To read aloud: {args.text}"


def _read_setting(reading: ParseState) -> Setting:
    settings = reading.ctx.ruleset.all_settings
    return settings[reading.words.choice("a setting", settings)]


def _read_value(reading: ParseState) -> str:
    setting: Setting = reading.values["name"]
    if setting.numbers is not None and reading.words.has_number():
        return str(reading.words.number(setting.text, *setting.numbers))
    return reading.words.choice(f"a value for {setting.name}", setting.values)


class SettingArgs(Struct, frozen=True):
    """`setting NAME VALUE`."""

    name: Annotated[Setting, Argument(_read_setting, "NAME", field=Field("offered"))]
    value: Annotated[str, Argument(_read_value, "VALUE", field=Field("offered"))]


def _setting(ctx: Context, args: SettingArgs) -> None:
    setting, ruleset = args.name, ctx.ruleset
    is_usual = args.value == setting.values[0]
    if setting.name == ORDER.name and not is_usual and ruleset.only_order:
        raise Refused(f"{ruleset.name} has no order but by initiative: {ruleset.only_order}")
    is_written = setting.name in ruleset.usual_settings or not is_usual
    value = args.value if is_written else ""  # `turns.begin_with_usual_settings`
    ctx.emit(SettingChanged(setting.name, value))
    ctx.text = setting.sentence(args.value)


def _read_effects(reading: ParseState) -> list[tuple[Combatant, Effect]]:
    """Read which effect of the people named is meant, and list it with each bearer; sides and the
    like mean those who have it."""
    tokens, people = reading.words, reading.values["people"]
    typed = tokens.words[tokens.at - 1]
    if tokens.done:
        tokens.offered.extend(effect.id for combatant in people for effect in combatant.effects)
        return []
    keys = dict.fromkeys(
        key for combatant in people for e in combatant.effects for key in effect_keys(e)
    )
    if not keys:
        have = names_with_verb(people, "has", "have")
        raise Refused(f"{have} no effect to remove; `leave` removes somebody from the fight")
    word = tokens.choice("an effect", keys)
    has = [c for c in tokens.state.in_order() if any(word in effect_keys(e) for e in c.effects)]
    bearers = resolve_many(tokens.state, typed, among=has)
    return [(combatant, _effect_called(combatant, word)) for combatant in bearers]


class RemoveArgs(Struct, frozen=True):
    """`remove NAME[,NAME] [EFFECT]`: without an effect, those people are taken out."""

    people: Annotated[list[Combatant], anyone_arg(field=Field("self"))]
    effect: Annotated[
        list[tuple[Combatant, Effect]],
        Argument(_read_effects, "[EFFECT]", field=Field("effect", optional=False)),
    ]


def _remove(ctx: Context, args: RemoveArgs) -> None:
    taken = args.effect
    if not taken:
        remove_combatants(ctx, args.people)
        return
    for combatant, effect in taken:
        remove_effect(ctx, combatant.id, effect.id, "removed")
        ctx.ruleset.state.on_edited_by_hand(ctx, combatant.id)
    ctx.text = _no_longer([combatant for combatant, _ in taken], taken[0][1])


def _no_longer(freed: list[Combatant], effect: Effect) -> str:
    """`Mira is no longer prone`, `Mira and Odo no longer have resistance 5 fire`; of a bonus with
    a note that alone, as its name."""
    if not _is_had(effect):
        return f"{names_with_verb(freed, 'is', 'are')} no longer {effect.name}"
    parts = [effect.name, effect.dice or str(effect.amount or ""), effect.type]
    if effect.note and effect.modifiers and effect.until.ends != "use":
        parts = [effect.note]
    have = names_with_verb(freed, "no longer has", "no longer have")
    return f"{have} {' '.join(filter(None, parts))}"


def _is_had(effect: Effect) -> bool:
    """True for an effect that one has, such as a resistance, rather than one that one is."""
    gives = effect.modifiers or effect.advantage or effect.disadvantage
    is_of_its_kind = effect.name == effect.kind and bool(gives or effect.amount or effect.dice)
    return is_of_its_kind or bool(effect.type and not effect.amount and not effect.dice)


def _effect_called(combatant: Combatant, word: str) -> Effect:
    """The effect of that id, else the first of that name. Raises Refused for neither."""
    named = called_so(word, [e.name for e in combatant.effects])
    effect = combatant.effect(word) or next((e for e in combatant.effects if e.name in named), None)
    if effect is None:
        have = join_or([e.id for e in combatant.effects], "and") or "none"
        raise Refused(f"{combatant.name} has no effect {word!r} to remove; it has {have}")
    return effect


RECORD_COMMANDS = (
    declare_command("note", "writes a note into the log", NoteArgs, _note),
    declare_command(
        "read-aloud", "saves a text to read to the players", ReadAloudArgs, _read_aloud
    ),
    declare_command(
        "setting",
        "sets a house rule for this fight, or what players see",
        SettingArgs,
        _setting,
    ),
    declare_command(
        "remove",
        "removes an effect; without one, removes somebody from the fight",
        RemoveArgs,
        _remove,
    ),
)


# -------------------------------------------------------------------------------------------------
# A race counts successes before failures, or effort toward a total. In a group's race of effort
# those who fail add up against it.

_POOL = late_pattern(r"(\d{1,2})d(\d{1,3})$", re.IGNORECASE)


def _clock(ctx: Context, tokens: TokenStream) -> None:
    token = tokens.upcoming
    if token.casefold() == "expect" and not token.quoted:
        raise Refused(f"`{EXPECT} DICE` only asks: it does not change the fight")
    names = [c.name for c in ctx.state.clocks]
    is_only = len(names) == 1 and token not in names and _moves(ctx.state.clocks[0], tokens)
    name = names[0] if is_only else str(tokens.next("the clock's name", names))
    old = next((c for c in ctx.state.clocks if c.name == name), None)
    if old is None:
        alike = [c for c in ctx.state.clocks if c.name in called_so(name, names)]
        moved = [c for c in alike if tokens.done or _begun(_actions_of(c), tokens.peek())]
        old = moved[0] if len(moved) == 1 else None
    if old is None:
        clock = replace(_new_clock(tokens, name), hidden=bool(tokens.take("hidden")))
        ctx.emit(ClockChanged(name, clock))
        ctx.text = f"Clock {name}"
        return
    _move_clock(ctx, tokens, old)


def _moves(only: Clock, tokens: TokenStream) -> bool:
    """True if the words move the only clock there is, without its name."""
    may_follow = len(tokens.words) == 1 or tokens.has_number(1) or tokens.peek(1) == "natural"
    return (
        not tokens.upcoming.quoted and may_follow and bool(_begun(_actions_of(only), tokens.peek()))
    )


def _actions_of(clock: Clock) -> tuple[str, ...]:
    """The words for actions on a clock."""
    row = RACE if clock.is_race else ("tick", "add", "roll", "go" if clock.stopped else "stop")
    return (*row, "reveal" if clock.hidden else "conceal", "off")


def _begun(row: tuple[str, ...], word: str) -> str:
    """The word of a list that `word` equals or unambiguously begins; empty for none."""
    found = [each for each in row if word and each.startswith(word)]
    return word if word in row else found[0] if len(found) == 1 else ""


def _new_clock(tokens: TokenStream, name: str) -> Clock:
    if not name or len(name) > 60:
        raise tokens.refuse("a clock's name has 1 to 60 characters")
    if tokens.take("effort"):
        return _race_of_effort(tokens, name)
    if tokens.has_dice() and _POOL.match(tokens.peek()):
        count, sides = _read_pool(tokens)
        pace = tokens.take(*PACES) or "slow"
        return Clock(name, count, count, sides, sides - PACES[pace])
    steps = tokens.number("dice such as 4d6, `effort`, or a number of steps or successes", 1, 99)
    if tokens.take("before"):
        return Clock(
            name, 0, steps, limit=tokens.number("the number of failures that lose it", 1, 99)
        )
    return Clock(name, steps, steps, every="round" if tokens.take("rounds", "round") else "")


def _race_of_effort(tokens: TokenStream, name: str) -> Clock:
    """Read `TOTAL [group] [difficult]`: difficult ground doubles the total.

    A group's race multiplies it by half the number of characters, rounded up, and is lost at as
    much effort against it.
    """
    total = tokens.number("the effort it needs", 1, 9_999)
    flags: set[str] = set()
    while word := tokens.take("group", "difficult"):
        flags.add(word)
    total *= 2 if "difficult" in flags else 1
    if "group" not in flags:
        return Clock(name, 0, total, effort=True)
    total = -(-total * _party(tokens.state) // 2)
    return Clock(name, 0, total, limit=total, effort=True)


def _party(state: Encounter) -> int:
    """The number of characters in the party, whatever their life. Raises Refused for none."""
    party = [
        combatant
        for combatant in state.combatants
        if combatant.side == "party" and combatant.kind == "pc"
    ]
    if not party:
        raise Refused("a group race needs a party, and there is none: `add pc NAME ...`")
    return len(party)


def _read_pool(tokens: TokenStream) -> tuple[int, int]:
    """Read `4d6` as a number of dice and of their sides. Raises Refused for anything else."""
    word = tokens.next("dice such as 4d6")
    pool = _POOL.match(word)
    if pool is None:
        tokens.back()
        raise tokens.refuse(
            f"expected dice such as 4d6, 1 to {MOST_DICE} of a kind, found {word!r}"
        )
    count, sides = int(pool.group(1)), int(pool.group(2))
    if count < 1 or sides < 4:
        tokens.back()
        raise tokens.refuse("a pool has at least one die, of at least four sides")
    return count, sides


def _move_clock(ctx: Context, tokens: TokenStream, old: Clock) -> None:
    seen, row = "reveal" if old.hidden else "conceal", _actions_of(old)
    what = _begun(row, tokens.peek())
    if what:
        tokens.next("an action for the clock")
    else:
        what = tokens.choice("an action for the clock", row)
    if what == "off":
        ctx.emit(ClockChanged(old.name))
        ctx.text = f"Clock {old.name} is removed"
        return
    ctx.text = f"Clock {old.name}"
    if what in RACE:
        add_effort(ctx, old, what == "success", tokens.maybe_number(1, "the number", 1))
    elif what == seen:
        ctx.emit(ClockChanged(old.name, replace(old, hidden=not old.hidden)))
        ctx.text += f" is {'known' if old.hidden else 'unknown'} to the players"
    elif what == "roll":
        _roll(ctx, tokens, old)
    elif what in ("stop", "go"):
        ctx.emit(ClockChanged(old.name, replace(old, stopped=what == "stop")))
        ctx.text += " stops" if what == "stop" else " goes on"
    else:
        by = tokens.maybe_number(1, "the number of steps", 1)
        value = max(0, old.value - by if what == "tick" else old.value + by)
        if old.sides and value > MOST_DICE:
            raise tokens.refuse(f"a pool has no more than {MOST_DICE} dice")
        top = max(value, old.max or 0)
        ctx.emit(ClockChanged(old.name, replace(old, value=value, max=top)))


def _roll(ctx: Context, tokens: TokenStream, pool: Clock) -> None:
    """Roll a pool's dice, or read their numbers after `natural`."""
    if not pool.sides:
        raise Refused(f"{pool.name!r} is not a dice pool; `tick` moves it")
    if not pool.value:
        raise Refused(
            f"{pool.name!r} has run out; `clock ... add` puts dice back, `clock ... off` ends it"
        )
    what = f"the {pool.value} dice as rolled, 1 to {pool.sides} each, separated by commas"
    lies = tokens.take("natural")
    roll_pool(ctx, pool, read_lying(tokens, what, pool.sides, pool.value) if lies else ())


RACE = ("success", "failure")
"""The words that move a race."""


def add_effort(ctx: Context, race: Clock, is_success: bool, count: int = 1) -> None:
    """Add successes or failures, or points of effort, to a race.

    Raises Refused for a race that is over, and for failures if none are counted.
    """
    if race.verdict:
        raise Refused(f"{race.name!r} is {race.verdict}; `off` removes it")
    if not (is_success or race.limit):
        raise Refused(f"nothing counts against {race.name!r}: it is not a group race")
    if is_success:
        moved = replace(race, value=min(race.value + count, race.max or 0))
    else:
        moved = replace(race, failures=min(race.failures + count, race.limit))
    ctx.emit(ClockChanged(race.name, moved))


def read_race(ctx: Context, tokens: TokenStream, effort: bool = False) -> Clock:
    """Read the name of a race: one of `effort`, or one of successes before failures.

    Raises Refused, naming those there are.
    """
    clocks = ctx.state.clocks
    races = {c.name.casefold(): c for c in clocks if c.is_race and c.effort == effort}
    if not races:
        begins = "effort TOTAL" if effort else "SUCCESSES before FAILURES"
        of_effort = " of effort" if effort else ""
        raise tokens.refuse(f'there is no race{of_effort}: `clock "NAME" {begins}` starts one')
    return races[tokens.choice("the name of a race", races)]


EFFORT_RACE = Argument(
    lambda r: read_race(r.ctx, r.words, effort=True), '"NAME"', field=Field("clock")
)
"""The argument for the name of a race of effort."""


class EffortArgs(Struct, frozen=True):
    """`effort "NAME" AMOUNT [fail]`."""

    race: Annotated[Clock, EFFORT_RACE]
    amount: Annotated[int, arguments.amount_arg("effort", field=Field("dice"))]
    fail: Annotated[bool, arguments.flag_arg(field=Field("choice", ("fail",)))] = False


def _effort(ctx: Context, args: EffortArgs) -> None:
    add_effort(ctx, args.race, not args.fail, args.amount)
    ctx.text = f"{args.amount} effort {'against' if args.fail else 'toward'} {args.race.name}"


def expected_by_pace(tokens: TokenStream) -> tuple[str, dict[str, int]]:
    """Read `4d6`, and return it with the mean number of rolls that such a pool lasts, by pace."""
    count, sides = _read_pool(tokens)
    rolls = {pace: rolls_expected(count, sides, sides - less) for pace, less in PACES.items()}
    return f"{count}d{sides}", rolls


CLOCK_COMMANDS = (
    Command(
        "clock",
        'clock "NAME" DICE [slow|medium|fast] [hidden] | clock "NAME" STEPS [rounds] [hidden] | '
        'clock "NAME" SUCCESSES before FAILURES [hidden] | '
        'clock "NAME" effort TOTAL [group] [difficult] [hidden] | clock "NAME" tick|add [N] | '
        'clock "NAME" success|failure [N] | clock "NAME" roll [natural N,N,...] | '
        'clock "NAME" stop|go|conceal|reveal|off | clock expect DICE',
        "starts, moves or removes a countdown, a dice pool or a race",
        _clock,
        fields={"name": Field("clock"), "which": Field("more", optional=False, asked=True)},
    ),
    declare_command(
        "effort", "adds effort toward a race's total, or against it", EffortArgs, _effort
    ),
)
