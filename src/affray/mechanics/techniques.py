"""Techniques: those with functions, those that are only a row, and readied actions.

A row with `does` needs no function: its technique is paid for, marks tracks, applies its effects
and writes its title. Campaigns' techniques are of this kind.

    TECHNIQUES = TechniqueRunner(
        ECONOMY, apply=_apply_condition, mark=_mark,
        acts={"strike": DeclaredTechnique(StrikeArgs, strike)},
    ) ACTIONS = TechniqueActions(TECHNIQUES)            # a part of the `Ruleset`
    ACTIONS.options(tables, state, mira)              # Mira's options, for the screen
    technique_commands(TECHNIQUES, tables)            # `strike`, and `dodge`, which is only a row
    use_technique(TECHNIQUES, ctx, TechniqueUse("strike", StrikeArgs(ogre)))    # what `strike` does
    ready_commands(TECHNIQUES, READY, ...)            # `ready` and `trigger`
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.durations import parse_row_until
from affray.core.engine.effects import EffectSpec, effect_row, end_effects_named, remove_effect
from affray.core.engine.events import TrackChanged
from affray.core.engine.evolve import clamp_event
from affray.core.engine.state import Combatant, Effect, Encounter
from affray.core.parser import arguments, declarations
from affray.core.parser.clauses import join_names, require_alive, who_has
from affray.core.parser.declarations import Argument, ParseState, Said, declare_command
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import (
    ANY_MORE,
    HEARD,
    NOTED,
    ONE,
    SEVERAL,
    Field,
    fields_of_row,
)
from affray.core.parser.targets import is_called, present_combatants, resolve
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import ActionRules, AvailableAction, Command, Context
from affray.core.rules.tables import Tables, TechniqueEffect, TechniqueRow
from affray.mechanics import actions
from affray.mechanics.actions import ActionEconomy, Cost, DeclaredTechnique, PayFunction
from affray.mechanics.conditions import DurationRules, apply_condition, begin_effect


def mark_track(ctx: Context, combatant_id: str, track: str, by: int, what: str) -> None:
    """Mark a track that somebody has, within its bounds; a track that counts what is left loses as
    much. `what` is the reason in the log."""
    if track in ctx.state[combatant_id].tracks:
        by = by if ctx.tables.track(track).counts == "marked" else -by
        event = clamp_event(ctx.tables, ctx.state, TrackChanged(combatant_id, track, by, why=what))
        ctx.emit(*([event] if event.by else []))


class TechniqueRunner(Struct, frozen=True):
    """A game's techniques: how they are paid for and done.

    Attributes:
        economy: The prices, and why a technique can't be used now.
        apply: Applies an effect of a row. It takes the context, a combatant's id, the effect, and
            the result of `read_again` if the command says how to join an effect that is there
            already. It returns a sentence for the log; by default "Mira is shaken".
        acts: Id -> arguments and function, for techniques that need more than their row.
        reactions: The same for reactions, after `react`.
        mark: Marks a track (negative: clears marks): context, id, track, by, what for ("Whirl");
            by default it does no more than that.
        again: The words by which an effect joins one of its name, as in usages: ("extend",
            "detonate AMOUNT"). Empty if each is its own instance.
        read_again: Reads these words, for `apply`.
        lasting: The rules for durations.
        replaces: True for the kinds of effects that replace one of their name.
    """

    economy: ActionEconomy
    apply: Callable[..., object]
    acts: Mapping[str, DeclaredTechnique] = {}
    reactions: Mapping[str, DeclaredTechnique] = {}
    mark: Callable[[Context, str, str, int, str], None] = mark_track
    again: Callable[[Tables, str], tuple[str, ...]] = lambda tables, effect: ()
    read_again: Callable[[ParseState], Any] = lambda reading: None
    lasting: DurationRules = DurationRules()
    replaces: Callable[[str], bool] = lambda kind: kind == "trace"


def _apply_to_each(
    game: TechniqueRunner, ctx: Context, people: tuple[str, ...], spec: EffectSpec, again: Any
) -> str:
    """Apply an effect to each, and return the result in words: "Ghoul 1 is shaken"."""
    results = []
    for combatant_id in people:
        text: object = None
        if game.replaces(effect_row(ctx.tables, spec.name).kind):
            apply_condition(game.lasting, ctx, combatant_id, spec, is_only_one=True)
        else:
            text = game.apply(ctx, combatant_id, spec, *([again] if again is not None else []))
        name = ctx.state.name(combatant_id)
        results.append(text if isinstance(text, str) else f"{name} is {spec.name}")
    return ", ".join(results)


# -- the commands ----------------------------------------------------------------------------------


def action_techniques(tables: Tables) -> list[str]:
    """List the techniques that are commands and can be readied: all but the reactions."""
    return [name for name, row in tables.techniques.items() if not row.reaction]


def reaction_techniques(tables: Tables) -> list[str]:
    """List the techniques that follow `react`."""
    return [name for name, row in tables.techniques.items() if row.reaction]


class TechniqueUse(Struct, frozen=True):
    """A technique by its id, with its arguments."""

    name: str
    args: Any


def read_technique(game: TechniqueRunner, name: str, reading: ParseState) -> TechniqueUse:
    """Read the arguments of a technique, by their declaration or by its row."""
    act = game.acts.get(name) or game.reactions.get(name)
    args = declarations.read_last(act.args_type, reading) if act else _read_row(game, name, reading)
    return TechniqueUse(name, args)


def use_technique(
    game: TechniqueRunner, ctx: Context, use: TechniqueUse, payment: PayFunction | None = None
) -> None:
    """Let the acting combatant do a technique; `payment` replaces paying its usual price."""
    combatant = ctx.actor()
    payment = payment or partial(actions.pay, game.economy, ctx, combatant.id, use.name)
    if isinstance(use.args, RowArgs):
        _run_row(game, use.name, ctx, use.args, combatant, payment)
    else:
        act = game.acts.get(use.name) or game.reactions[use.name]
        act.run(ctx, use.args, combatant, payment)


def technique_commands(
    game: TechniqueRunner, tables: Tables, but: Collection[str] = ()
) -> tuple[Command, ...]:
    """Make a command for each action in the tables, `but` for some."""
    return tuple(
        technique_command(game, tables, name)
        for name in action_techniques(tables)
        if name not in but
    )


def technique_command(game: TechniqueRunner, tables: Tables, name: str) -> Command:
    """Make the command of one technique, by its declaration or by its row."""
    act, does = game.acts.get(name), f"the technique {name}"

    def run(ctx: Context, args: Any) -> None:
        use_technique(game, ctx, TechniqueUse(name, args))

    def run_words(ctx: Context, tokens: TokenStream) -> None:
        args = _read_row(game, name, ParseState(ctx, tokens))
        tokens.finish()
        run(ctx, args)

    if act is not None:
        return declare_command(name, does, act.args_type, run, True)
    row = tables.techniques[name]
    again = _again(game, tables, row.does or TechniqueEffect())
    asked = map(_usage_of, fields_of_row(row))
    usage = " ".join((name, *asked, *([f"[{' | '.join(again)}]"] if again else []), "[by NAME]"))
    return Command(name, usage, does, run_words, True)


class TechniqueActions(ActionRules):
    """The actions of a game with a `TechniqueRunner`; games with powers derive from it."""

    def __init__(self, techniques: TechniqueRunner) -> None:
        self.techniques = techniques

    def options(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> list[AvailableAction]:
        economy = self.techniques.economy
        if economy.needs and economy.needs not in combatant.tracks:
            return []
        now = actions.ActorSituation(tables, state, combatant)
        return [actions.available_action(economy, now, name) for name in tables.techniques]

    def row_command(self, tables: Tables, name: str) -> Command:
        return technique_command(self.techniques, tables, name)

    def row_effects(self, tables: Tables) -> list[str]:
        """List the effects of the kinds that the game's tables name."""
        return [name for name, row in tables.effects.items() if row.kind in tables.kinds]


def reaction_arg(game: TechniqueRunner, what: str = "a reaction") -> Argument:
    """Declare the argument of `react`: a reaction with its arguments, read as a `TechniqueUse`."""

    def read(reading: ParseState) -> TechniqueUse:
        name = reading.words.choice(what, reaction_techniques(reading.ctx.tables))
        return read_technique(game, name, reading)

    usages = (
        f"{name} {declarations.arguments_usage(act.args_type)}"
        for name, act in game.reactions.items()
    )
    return Argument(read, " | ".join(usage.strip() for usage in usages), field=ANY_MORE)


def react_command(
    game: TechniqueRunner, does: str, args_type: type[Said], run: Callable[[Context, Said], None]
) -> Command:
    """Make the command `react`, with each declared reaction as a subcommand (`reaction_arg`)."""
    declared = {name: act.args_type for name, act in game.reactions.items()}
    return replace(declare_command("react", does, args_type, run, True), subcommands=declared)


def asks_for_nothing(game: TechniqueRunner, tables: Tables, name: str) -> bool:
    """True if a technique can be done with no word after its name."""
    act, row = game.acts.get(name), tables.techniques[name]
    fields = declarations.fields_of(act.args_type) if act is not None else fields_of_row(row)
    return all(field.optional or field.kind in HEARD for field in fields)


def _again(game: TechniqueRunner, tables: Tables, does: TechniqueEffect) -> list[str]:
    effects = [effect for effect in (does.inflict, does.bestow) if effect]
    return list(dict.fromkeys(how for effect in effects for how in game.again(tables, effect)))


def _usage_of(field: Field) -> str:
    """Return a field as in usages: TARGET, [ALLY], `this|that`, "WHAT"."""
    if field.kind == "choice":
        text = "|".join(field.options)
    elif field.kind == "text":
        text = f'"{(field.options or ("text",))[0].upper()}"'
    else:
        text = {SEVERAL: "TARGET[,TARGET]", "anyone": "NAME"}.get(field.kind, field.kind.upper())
    text = " ".join(part for part in (field.before, text, field.after) if part)
    return f"[{text}]" if field.optional else text


# -- as the row says it ----------------------------------------------------------------------------


class RowArgs(Struct, frozen=True):
    """The arguments of a technique that is only a row.

    Attributes:
        people: Its targets.
        answers: The answers in words.
        effects_on: Each effect with the ids of those who get it, and the result of `read_again`.
    """

    people: list[Combatant]
    answers: list[str]
    effects_on: list[tuple[str, tuple[str, ...], Any]]


def _read_row(game: TechniqueRunner, name: str, reading: ParseState) -> RowArgs:
    """Read the answers that a row asks for. It inflicts on its targets, and bestows on its user; on
    its targets if it inflicts nothing.
    """
    combatant = reading.ctx.actor()
    row = reading.ctx.tables.techniques[name]
    does = row.does or TechniqueEffect()
    again = {how.split()[0] for how in _again(game, reading.ctx.tables, does)}
    people, answers = _read_fields(reading.words, row, combatant, again)
    targets, user = tuple(person.id for person in people), (combatant.id,)
    bestowed = user if does.inflict or not targets else targets
    effects_on = [
        (effect, on, game.read_again(reading) if again else None)
        for effect, on in ((does.inflict, targets), (does.bestow, bestowed))
        if effect and on and does.when in ("", *answers)
    ]
    return RowArgs(people, answers, effects_on)


def _run_row(
    game: TechniqueRunner,
    name: str,
    ctx: Context,
    args: RowArgs,
    combatant: Combatant,
    pay: PayFunction,
) -> None:
    row = ctx.tables.techniques[name]
    does = row.does or TechniqueEffect()
    require_alive(args.people)
    _require_not_held(ctx, args, combatant, does)
    pay()
    for track, amount in row.marks.items():
        game.mark(ctx, combatant.id, track, amount, row.name)
    for track, amount in does.recovers.items():
        game.mark(ctx, combatant.id, track, -amount, row.name)
    for effect in does.lifts:
        end_effects_named(ctx, combatant.id, effect, does.says or row.name)
    results = []
    for effect, people, again in args.effects_on:
        rule = effect_row(ctx.tables, effect)
        needs_source = rule.breaks or rule.ends_with_source or rule.needs_source
        source = combatant.id if needs_source or people != (combatant.id,) else ""
        spec = EffectSpec(effect, until=parse_row_until(does.until), source=source)
        results.append(_apply_to_each(game, ctx, people, spec, again))
    ctx.text = _log_text(row, combatant, args.people, args.answers, results)


def _require_not_held(
    ctx: Context, args: RowArgs, combatant: Combatant, does: TechniqueEffect
) -> None:
    """Raises Refused for a hold without an end on somebody whom the user already holds by it."""
    for effect, people, again in args.effects_on:
        if again is not None or does.until or not effect_row(ctx.tables, effect).breaks:
            continue
        for held in (ctx.state[each] for each in people):
            if any(each.source == combatant.id for each in held.all_named(effect)):
                raise Refused(f"{held.name} is {effect} already, by {combatant.name}")


def _log_text(
    row: TechniqueRow,
    combatant: Combatant,
    people: list[Combatant],
    answers: list[str],
    results: list[str],
) -> str:
    """Word it as "Mira uses Whirl on Odo (loud): Odo is shaken", or by the row's `says`."""
    whom, how, outcome = join_names(people), ", ".join(answers), ", ".join(results)
    if row.does is not None and row.does.says:
        text = f"{combatant.name} {row.does.says} {whom}".strip()
        return f"{text}: {how}" if how else text
    on, aside = f" on {whom}" if whom else "", f" ({how})" if how else ""
    text = f"{combatant.name} uses {row.name}{on}{aside}"
    return f"{text}: {outcome}" if outcome else text


def _read_fields(
    tokens: TokenStream, row: TechniqueRow, combatant: Combatant, again: Collection[str]
) -> tuple[list[Combatant], list[str]]:
    """Read a row's fields in their order, as people and as answers.

    An optional text is none of the words `again`. Without such words the last text is the rest of
    the line.
    """
    people: list[Combatant] = []
    answers: list[str] = []
    fields = fields_of_row(row)
    for field in fields:
        for word in field.before.split():
            tokens.take(word)
        if field.kind in (*ONE, SEVERAL):
            people += _read_people(tokens, field, row, combatant)
        elif field.kind == "choice":
            read = partial(
                tokens.choice, join_or(field.options) if tokens.done else "a word to choose"
            )
            taken = tokens.take(*field.options) if field.optional else read(field.options)
            answers += [taken] if taken else []
        elif not (field.optional and (tokens.done or tokens.peek() in again)):
            first = str(tokens.next((field.options or ("a description",))[0]))
            is_last = field is fields[-1] and not (again or field.after)
            answers.append(f"{first} {tokens.rest()}".strip() if is_last else first)
        for word in field.after.split():
            tokens.take(word)
    return people, answers


def _read_people(
    tokens: TokenStream, field: Field, row: TechniqueRow, combatant: Combatant
) -> list[Combatant]:
    """Read the people of one field: `all` leaves the user out, unless the row is for allies."""
    what = {SEVERAL: "the targets", "anyone": "the combatant it is for"}.get(
        field.kind, f"the {field.kind}"
    )
    if field.optional and not tokens.is_people():
        return []
    if field.kind == SEVERAL:
        among = present_combatants(tokens.state, "" if row.targets == "allies" else combatant.id)
        return tokens.combatants(what, among)
    person = tokens.combatant(what)
    if field.kind != "anyone" and not field.optional:
        actions.require_other_target(combatant, person, f"use {row.name} on")
    return [person]


# -- ready and trigger -----------------------------------------------------------------------------

READY, TRIGGER_COMMAND = "ready", "trigger"
"""The commands that ready an action, and that do it."""
READIED = "readied"
"""The effect of somebody who has readied an action, and its kind. Its `because` is the technique's
id, its `note` the action in words, its `amount` how much was paid."""


class ReadiedAction(Struct, frozen=True):
    """An action that is readied, with the words for it.

    Attributes:
        name: The technique's id, or another word that the effect keeps it under.
        called: Its name for people: "Cast a Spell".
        of: Its object, such as a spell; the effect keeps that as its `type`.
        subject: The object as paying counts it (`actions.PayFunction`).
        cost: Its price with these terms; None for the usual one.
        modifiers: Numbers that the command says, which the effect keeps.
        says: Its terms in words.
    """

    name: str = ""
    called: str = ""
    of: str = ""
    subject: str = ""
    cost: Cost | None = None
    modifiers: dict[str, int] = {}
    says: str = ""

    def __str__(self) -> str:
        """The readied action in words: "Cast a Spell (spark, 2 AP)"."""
        return f"{self.called} ({self.says})" if self.says else self.called


class ReadyRules(Struct, frozen=True):
    """The rules by which a game lets actions be readied.

    Attributes:
        args_type: The arguments of `ready`; the last is the `trigger`.
        terms: Makes the readied action from these arguments; an empty one if `trigger` names it.
        pay: Pays for readying, and returns the amount, which the effect keeps.
        take: Pays when the trigger comes; raises Refused for somebody who can't act then.
        act: Reads the rest of `trigger`, and does the action (`perform_readied`).
        fields: The fields of a prompt for `trigger`, besides the technique's own.
    """

    args_type: type[Struct]
    terms: Callable[[Context, Any], ReadiedAction]
    pay: Callable[[Context, Combatant, ReadiedAction], int]
    take: Callable[[Context, Combatant], None]
    act: Callable[[ParseState, Combatant, Effect], None]
    fields: Mapping[str, Field] = {}


WAITED_FOR = Field("text", ("trigger",), asked=True)
TRIGGER = Annotated[str, arguments.rest_arg('"TRIGGER"', WAITED_FOR)]
"""The last argument of `ready`: the event that the combatant waits for."""


def ready_commands(
    game: TechniqueRunner, readying: ReadyRules, pays: str, takes: str
) -> tuple[Command, Command]:
    """Make the commands `ready` and `trigger`, whose help lines are `pays` and `takes`."""
    usage_of_trigger = "trigger [the technique's arguments] [by NAME]"
    return (
        declare_command(READY, pays, readying.args_type, partial(_ready, game, readying), True),
        Command(
            TRIGGER_COMMAND,
            usage_of_trigger,
            takes,
            partial(_trigger, readying),
            True,
            fields={
                "who": Field("person", (READIED,), before="by"),
                **readying.fields,
                NOTED: Field(NOTED),
            },
        ),
    )


def perform_readied(
    game: TechniqueRunner,
    reading: ParseState,
    readied: Effect,
    payment: PayFunction,
    name: str = "",
    args_type: type[Struct] | None = None,
    preset: Mapping[str, Any] = {},
    unless_said: Mapping[str, Any] = {},
) -> None:
    """Do a readied technique, with the arguments of `ready` and those of `trigger`.

    Without words after `trigger` the log only says that it goes off, unless it needs none.

    Args:
        readied: The effect that held the action.
        name: The technique, if `ready` didn't say it.
        args_type: The arguments of `trigger`, if they aren't those of the technique's command.
        preset: The first arguments, as `ready` said them; `trigger` may repeat their object.
        unless_said: Arguments that `ready` said, and that `trigger` may change.
    """
    ctx, tokens, name = reading.ctx, reading.words, name or readied.because
    combatant = ctx.actor()
    if name not in action_techniques(ctx.tables):
        raise Refused(f"{combatant.name} has readied {name!r}, which is not a technique")
    if preset:
        take_readied_again(ctx, tokens, readied.type)
    elif tokens.done and not asks_for_nothing(game, ctx.tables, name):
        tokens.offered.extend(c.id for c in ctx.state.combatants)
        ctx.text = f"{combatant.name}'s readied {ctx.tables.techniques[name].name} goes off"
        return
    if name in game.acts:
        args_type = args_type or game.acts[name].args_type
        args: Any = declarations.parse_arguments(args_type, ctx, tokens, **preset)
        left = {name: value for name, value in unless_said.items() if getattr(args, name) is None}
        args = replace(args, **left) if left else args
    else:
        args = _read_row(game, name, reading)
    tokens.finish()
    use_technique(game, ctx, TechniqueUse(name, args), payment)
    ctx.text += ", as readied"


def take_readied_again(ctx: Context, tokens: TokenStream, of: str) -> None:
    """Take the readied object, if it is repeated. Raises Refused for another one in quotes."""
    word = tokens.upcoming
    named = resolve(ctx.state, word).id if word and is_called(ctx.state, word) else ""
    if word.casefold() == of.casefold() or (named and named == of):
        tokens.next("the readied action")
    elif word.quoted and not named:
        raise tokens.refuse(f"the readied action is {of}, not {word}")


def _ready(game: TechniqueRunner, readying: ReadyRules, ctx: Context, args: Any) -> None:
    terms, trigger = readying.terms(ctx, args), args.trigger.strip()
    combatant = ctx.actor()
    if not ctx.state.in_combat:
        raise Refused("an action can be readied only in a fight")
    if combatant.named(READIED) is not None:
        raise Refused(f"{combatant.name} has an action readied already")
    paid = readying.pay(ctx, combatant, terms)
    note = ": ".join(filter(None, (str(terms), trigger)))
    until = game.lasting.next_turn(ctx.state, combatant.id, "start", 1)
    fields: dict[str, Any] = {
        "source": combatant.id,
        "because": terms.name,
        "amount": paid,
        "type": terms.of,
        "modifiers": terms.modifiers,
    }
    begin_effect(ctx, combatant.id, READIED, until, kind=READIED, note=note, **fields)
    ctx.text = (
        f"{combatant.name} readies {str(terms) or 'an action'}{f': {trigger}' if trigger else ''}"
    )


def _trigger(readying: ReadyRules, ctx: Context, tokens: TokenStream) -> None:
    combatant = who_has(ctx, READIED, "an action readied", "readied")
    effect = combatant.named(READIED)
    if effect is None:
        raise Refused(f"{combatant.name} has nothing readied")
    tokens.take(effect.because)
    ctx.by = combatant.id
    readying.take(ctx, combatant)
    remove_effect(ctx, combatant.id, effect.id, "triggered")
    readying.act(ParseState(ctx, tokens), ctx.state[combatant.id], effect)
