"""What a combatant can do now: the price of a technique, why it can't be used, paying and doing it.

A game hands in an `ActionEconomy`; its sequence of refusals is its own, made of the questions
below:

    def _why_not(now: ActorSituation, name: str, cost: Cost) -> str:
        row = now.tables.techniques[name]
        return why_forbidden(now, row) or why_unaffordable(now, cost)

    ECONOMY = ActionEconomy(_why_not)
    pay(ECONOMY, ctx, "mira", "strike")               # emits `spent 1 AP`; or raises Refused

A `TechniqueRunner` does techniques, by the game's functions or as their rows say:

    TECHNIQUES = TechniqueRunner(
        ECONOMY, apply=_apply_condition, mark=_mark,
        acts={"strike": DeclaredTechnique(StrikeArgs, strike)},
    )
    ACTIONS = TechniqueActions(TECHNIQUES)            # a part of the `Ruleset`
    ACTIONS.options(tables, state, mira)              # all that Mira could do, for the screen
    technique_commands(TECHNIQUES, tables)            # `strike`, and `dodge`, which is all row
    use_technique(TECHNIQUES, ctx, TechniqueUse("strike", StrikeArgs(ogre)))    # what `strike` does
    ready_commands(TECHNIQUES, READY, ...)            # `ready` and `trigger`
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property, partial
from typing import Annotated, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from affray.core.engine.durations import parse_row_until
from affray.core.engine.effects import (
    EffectSpec,
    active_effects,
    effect_name,
    effect_row,
    end_effects_named,
    remove_effect,
    why_forbidden as effects_why_forbidden,
)
from affray.core.engine.events import CostPaid, TrackChanged, UseCounted
from affray.core.engine.state import Combatant, Effect, Encounter, Track
from affray.core.engine.turn_order import why_not_their_turn as turn_order_why_not_their_turn
from affray.core.parser import arguments
from affray.core.parser.clauses import join_names, require_alive, who_has
from affray.core.parser.declarations import (
    Argument,
    ParseState,
    Said,
    arguments_usage,
    declare_command,
    fields_of,
    parse_arguments,
    read_last,
)
from affray.core.parser.errors import Refused, join_or
from affray.core.parser.prompt_fields import HEARD, NOTED, ONE, SEVERAL, Field, fields_of_row
from affray.core.parser.targets import is_called, present_combatants, resolve
from affray.core.parser.tokens import TokenStream
from affray.core.rules.ruleset import ActionRules, AvailableAction, Command, Context
from affray.core.rules.tables import Tables, TechniqueEffect, TechniqueRow
from affray.mechanics.conditions import (
    DurationRules,
    apply_condition,
    begin_effect,
)

Cost = dict[str, int]
"""A price: track -> how much of it."""


class PayFunction(Protocol):
    """Pays for a technique, or has seen to that before; raises Refused when it can't be used.

    Left out, the price is the usual one. `subject` is what it is of, where it is once a turn for
    each: the spell.
    """

    def __call__(self, cost: Cost | None = None, subject: str = "") -> None: ...


Question = Callable[[Tables, Encounter, Combatant, str], str]
"""What is asked of somebody about something, such as `core.engine.effects.forbidden`."""


class ActorSituation:
    """Somebody at one moment: what many techniques ask of it is found out once.

    `Now(tables, state, mira).forbids("act")` is "stunned" as long as that keeps Mira from acting.
    """

    def __init__(self, tables: Tables, state: Encounter, combatant: Combatant) -> None:
        self.tables = tables
        self.state = state
        self.who = combatant
        self._answers: dict[tuple[Question, str], str] = {}

    def asked(self, question: Question, about: str) -> str:
        """The answer to a question: `now.asked(why_no_action, "standard")`."""
        key = (question, about)
        if key not in self._answers:
            self._answers[key] = question(self.tables, self.state, self.who, about)
        return self._answers[key]

    @cached_property
    def in_force(self) -> Mapping[str, Effect]:
        """Every effect in force on it, by name."""
        return active_effects(self.tables, self.state, self.who)

    def forbids(self, what: str) -> str:
        """The effect that forbids an action such as `act`, `react` or `move`; empty for none."""
        barred = self.asked(effects_why_forbidden, what)
        return effect_name(self.tables, barred) if barred else ""

    @cached_property
    def not_up(self) -> str:
        """That it is somebody else's turn: "it is Mira's turn"."""
        is_up = self.state.phase != "combat" or self.state.takes_turn(self.who.id)
        return "" if is_up else turn_order_why_not_their_turn(self.state)


def cost_now(now: ActorSituation, name: str) -> Cost:
    """The cost of a technique now: `{ap: 1}` in the table, and `{ap: 2}` for a `rising` one used
    once this turn."""
    row = now.tables.techniques[name]
    again = now.who.used(name) if row.repeat == "rising" else 0
    return {track: amount + again for track, amount in row.cost.items()}


def cost_next(now: ActorSituation, name: str, cost: Cost) -> Cost:
    """The cost of using a technique once more, where that is different: 1 more for a `rising`
    one."""
    rises = now.tables.techniques[name].repeat == "rising"
    return {track: amount + 1 for track, amount in cost.items()} if rises else {}


def pay_tracks(ctx: Context, combatant_id: str, name: str, cost: Cost) -> None:
    """Take a price from the tracks that it names."""
    for track, amount in cost.items():
        if amount > 0:
            ctx.emit(CostPaid(combatant_id, track, amount, name))


def reset_turn_track(
    ctx: Context,
    combatant_id: str,
    track: str,
    value: int,
    top: int | None = None,
    why: str = "",
    routine: bool = True,
) -> None:
    """Set what a turn is paid with, and its maximum where `top` says it; nothing where it is so
    already. What is no `routine` is told in any case, with why it is so."""
    old = ctx.state[combatant_id].tracks.get(track, Track(0))
    new_top = top if top is not None and top != old.max else None
    if value != old.value or new_top is not None or not routine:
        ctx.emit(
            TrackChanged(combatant_id, track, value - old.value, new_top, why=why, routine=routine)
        )


class ActionEconomy(Struct, frozen=True):
    """The rules by which a game's techniques are paid for.

    why_not  why a technique can't be used now at that cost, in a few words; empty when it can
    price    what it costs now
    after    given that, what the next one this turn would cost, where it is something else: an
             attack {action: 1}, the attacks that follow {attacks: 1}
    spend    takes a price in a fight; outside of one nothing is paid
    needs    the track without which somebody can do none of them, as a hazard; empty for none
    """

    why_not: Callable[[ActorSituation, str, Cost], str]
    price: Callable[[ActorSituation, str], Cost] = cost_now
    after: Callable[[ActorSituation, str, Cost], Cost] = cost_next
    spend: Callable[[Context, str, str, Cost], None] = pay_tracks
    needs: str = ""


# -- why not ---------------------------------------------------------------------------------------


def why_forbidden(now: ActorSituation, row: TechniqueRow, act: str = "act") -> str:
    """Whose life or which effect forbids it: "dying", "stunned: can't act".

    `act` words what can't be done, where it is no reaction: "spend AP".
    """
    barred = now.forbids("react" if row.reaction else "act")
    if not barred or barred == now.who.life:
        return barred
    return f"{barred}: can't {'react' if row.reaction else act}"


def why_not_their_turn(now: ActorSituation, row: TechniqueRow) -> str:
    """That it is somebody else's turn, for what is no reaction."""
    return "" if row.reaction else now.not_up


def why_used_up(now: ActorSituation, name: str, subject: str = "") -> str:
    """That it was used already: "once a turn", "once an encounter", "once a turn for fog"."""
    if now.state.phase != "combat":
        return ""
    repeat = now.tables.techniques[name].repeat
    if repeat == "once" and now.who.used(name):
        return "once a turn"
    if repeat == "fight" and now.who.used(name, "fight"):
        return "once an encounter"
    return f"once a turn for {subject}" if subject and now.who.used(f"{name} {subject}") else ""


def why_unaffordable(now: ActorSituation, cost: Cost) -> str:
    """That a track doesn't hold as much: "2 AP left, needs 3"; "reaction used" if it holds one."""
    for track, amount in cost.items():
        left = now.who.track(track)
        if left < amount:
            rule = now.tables.track(track)
            if amount == 1 and track in now.who.tracks and now.who.tracks[track].max == 1:
                return f"{rule.in_a_sentence} used"
            return f"{left} {rule.label} left, needs {amount}"
    return ""


# -- what there is, and paying for it --------------------------------------------------------------


def available_action(economy: ActionEconomy, now: ActorSituation, name: str) -> AvailableAction:
    """One technique for somebody."""
    marks = now.tables.techniques[name].marks
    cost = economy.price(now, name)
    after = economy.after(now, name, cost)
    reason = economy.why_not(now, name, cost)
    return AvailableAction(name, cost | marks, after | marks if after else {}, reason)


def pay(
    economy: ActionEconomy,
    ctx: Context,
    combatant_id: str,
    name: str,
    cost: Cost | None = None,
    subject: str = "",
) -> None:
    """Pay for a technique in a fight, and count its use for the turn, or for the fight if it is
    once in one; a reaction that can be taken any number of times is part of no turn.

    `PayFunction` has `cost` and `subject`. Raises Refused with the reason.
    """
    now = ActorSituation(ctx.tables, ctx.state, ctx.state[combatant_id])
    row = ctx.tables.techniques[name]
    if cost is None:
        cost = economy.price(now, name)
    reason = economy.why_not(now, name, cost) or why_used_up(now, name, subject)
    if reason:
        raise Refused(f"{now.who.name} can't use {row.name}: {reason}")
    if ctx.state.phase != "combat":
        return
    economy.spend(ctx, combatant_id, name, cost)
    if not (row.reaction and row.repeat == "any"):
        ctx.emit(UseCounted(combatant_id, name, "fight" if row.repeat == "fight" else "turn"))
    if subject:
        ctx.emit(UseCounted(combatant_id, f"{name} {subject}"))


def require_other_target(combatant: Combatant, other: Combatant, done: str) -> None:
    """Raises Refused for what is done to oneself, or to the dead: "Mira can't aid themself"."""
    if other.id == combatant.id:
        raise Refused(f"{combatant.name} can't {done} themself: it takes another creature")
    if other.life == "dead":
        raise Refused(f"{other.name} is dead")


# -------------------------------------------------------------------------------------------------
# Techniques done, at once or readied. A row with `does` needs no function: it is paid, marks
# tracks, leaves its effects on its targets and says so. Campaigns' techniques are of this kind.


class DeclaredTechnique(Struct, frozen=True):
    """A technique whose arguments a struct declares (`core.parser.declarations`), and its function,
    which is given what was said, who does it and how it is paid."""

    args_type: type[Struct]
    run: Callable[[Context, Any, Combatant, PayFunction], None]


class TechniqueRunner(Struct, frozen=True):
    """A game's techniques: how they are paid, and what they are done with.

    apply      lays an effect that a row leaves on somebody: context, id, effect, and what is said
               of one that is there already, if anything is. Gives a sentence, or none for "Mira is
               shaken"
    acts       id -> what it says and does, for the actions that are not all in their rows
    reactions  likewise, for what stands behind `react`
    mark       marks a track of somebody, or clears marks below 0, with what for: "Whirl"
    again      what can be said of an effect that is there already, as a usage has it: ("extend",
               "detonate AMOUNT"); nothing where it is another instance
    read_again reads what is said of it, for `apply`
    lasting    how long effects last, and until the start of whose next turn what is readied
    replaces   whether an effect of that kind takes the place of one that is there
    """

    economy: ActionEconomy
    apply: Callable[..., object]
    acts: Mapping[str, DeclaredTechnique] = {}
    reactions: Mapping[str, DeclaredTechnique] = {}
    mark: Callable[[Context, str, str, int, str], None] = (
        lambda ctx, combatant_id, track, by, what: None
    )
    again: Callable[[Tables, str], tuple[str, ...]] = lambda tables, effect: ()
    read_again: Callable[[ParseState], Any] = lambda reading: None
    lasting: DurationRules = DurationRules()
    replaces: Callable[[str], bool] = lambda kind: kind == "trace"


def _apply_to_each(
    game: TechniqueRunner, ctx: Context, people: tuple[str, ...], spec: EffectSpec, again: Any
) -> str:
    """Lay an effect that a row leaves on each, and say what was done: "Ghoul 1 is shaken"."""
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


# -- by name ---------------------------------------------------------------------------------------


def action_techniques(tables: Tables) -> list[str]:
    """The techniques that are commands, and can be readied: all but the reactions."""
    return [name for name, row in tables.techniques.items() if not row.reaction]


def reaction_techniques(tables: Tables) -> list[str]:
    """The techniques that stand behind `react`."""
    return [name for name, row in tables.techniques.items() if row.reaction]


class TechniqueUse(Struct, frozen=True):
    """A technique that is used, and what is said of it."""

    name: str
    args: Any


def read_technique(game: TechniqueRunner, name: str, reading: ParseState) -> TechniqueUse:
    """Read what is said of a technique that is declared, or all in its row."""
    act = game.acts.get(name) or game.reactions.get(name)
    args = read_last(act.args_type, reading) if act else _read_row(game, name, reading)
    return TechniqueUse(name, args)


def use_technique(
    game: TechniqueRunner, ctx: Context, use: TechniqueUse, payment: PayFunction | None = None
) -> None:
    """Whoever acts does a technique that has been read, and pays its own price unless there is
    another `payment`."""
    combatant = ctx.actor()
    payment = payment or partial(pay, game.economy, ctx, combatant.id, use.name)
    if isinstance(use.args, RowArgs):
        _run_row(game, use.name, ctx, use.args, combatant, payment)
    else:
        act = game.acts.get(use.name) or game.reactions[use.name]
        act.run(ctx, use.args, combatant, payment)


def technique_commands(
    game: TechniqueRunner, tables: Tables, but: Collection[str] = ()
) -> tuple[Command, ...]:
    """The commands of the actions in the tables, `but` for some, each by its id."""
    return tuple(
        technique_command(game, tables, name)
        for name in action_techniques(tables)
        if name not in but
    )


def technique_command(game: TechniqueRunner, tables: Tables, name: str) -> Command:
    """The command of one technique, as it is declared, or as its row has it."""
    act, does = game.acts.get(name), f"the technique {name}"

    def run(ctx: Context, args: Any) -> None:
        use_technique(game, ctx, TechniqueUse(name, args))

    def run_words(ctx: Context, tokens: TokenStream) -> None:
        args = _read_row(game, name, ParseState(ctx, tokens))
        tokens.finish()
        run(ctx, args)

    if act is not None:
        return declare_command(name, does, act.args_type, run, True)
    return Command(name, f"{_usage(game, tables, name)} [by NAME]", does, run_words, True)


class TechniqueActions(ActionRules):
    """The actions of a game that has a `TechniqueRunner`: `TechniqueActions(TECHNIQUES)`.

    A game with powers, weapons or rows of techniques in campaigns derives from it.
    """

    def __init__(self, techniques: TechniqueRunner) -> None:
        self.techniques = techniques

    def options(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> list[AvailableAction]:
        economy = self.techniques.economy
        if economy.needs and economy.needs not in combatant.tracks:
            return []
        now = ActorSituation(tables, state, combatant)
        return [available_action(economy, now, name) for name in tables.techniques]

    def row_command(self, tables: Tables, name: str) -> Command:
        return technique_command(self.techniques, tables, name)


def reaction_arg(game: TechniqueRunner, what: str = "a reaction") -> Argument:
    """Declare the reaction that stands behind `react`, with what is said of it, as a
    `TechniqueUse`."""

    def read(reading: ParseState) -> TechniqueUse:
        name = reading.words.choice(what, reaction_techniques(reading.ctx.tables))
        return read_technique(game, name, reading)

    usages = (f"{name} {arguments_usage(act.args_type)}" for name, act in game.reactions.items())
    return Argument(read, " | ".join(usage.strip() for usage in usages))


def react_command(
    game: TechniqueRunner, does: str, args_type: type[Said], run: Callable[[Context, Said], None]
) -> Command:
    """The command `react`, behind which each reaction stands by its id (`reaction_arg`)."""
    declared = {name: act.args_type for name, act in game.reactions.items()}
    return replace(declare_command("react", does, args_type, run, True), subcommands=declared)


def asks_for_nothing(game: TechniqueRunner, tables: Tables, name: str) -> bool:
    """Whether a technique can be done with no word behind its name."""
    act, row = game.acts.get(name), tables.techniques[name]
    fields = fields_of(act.args_type) if act is not None else fields_of_row(row)
    return all(field.optional or field.kind in HEARD for field in fields)


def _usage(game: TechniqueRunner, tables: Tables, name: str) -> str:
    """A row's command as it is written: `whirl TARGET [extend]`."""
    row = tables.techniques[name]
    again = _again(game, tables, row.does or TechniqueEffect())
    asked = map(_usage_of, fields_of_row(row))
    return " ".join((name, *asked, *([f"[{' | '.join(again)}]"] if again else [])))


def _again(game: TechniqueRunner, tables: Tables, does: TechniqueEffect) -> list[str]:
    """What can be said of effects that are there already, of all that a row leaves."""
    left = [effect for effect in (does.inflict, does.bestow) if effect]
    return list(dict.fromkeys(how for effect in left for how in game.again(tables, effect)))


def _usage_of(field: Field) -> str:
    """A field as a usage has it: TARGET, [ALLY], `this|that`, "WHAT"."""
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
    """The arguments of a technique that is all in its row.

    people      those it is done to
    answers     the words that it asks for
    effects_on  each effect that it leaves, the ids of its bearers, and what is said of it where it
                is there already
    """

    people: list[Combatant]
    answers: list[str]
    effects_on: list[tuple[str, tuple[str, ...], Any]]


def _read_row(game: TechniqueRunner, name: str, reading: ParseState) -> RowArgs:
    """Read what a row asks for of whoever acts.

    What it inflicts goes to those it asks for. What it bestows goes to whoever does it, or to those
    it asks for where it inflicts nothing.
    """
    combatant = reading.ctx.actor()
    row = reading.ctx.tables.techniques[name]
    does = row.does or TechniqueEffect()
    again = {how.split()[0] for how in _again(game, reading.ctx.tables, does)}
    people, answers = _read_fields(reading.words, row, combatant, again)
    asked, own = tuple(person.id for person in people), (combatant.id,)
    bestowed = own if does.inflict or not asked else asked
    effects_on = [
        (effect, on, game.read_again(reading) if again else None)
        for effect, on in ((does.inflict, asked), (does.bestow, bestowed))
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
    """Do what a technique's row says. Raises Refused for the dead, and for what can't be paid."""
    row = ctx.tables.techniques[name]
    does = row.does or TechniqueEffect()
    require_alive(args.people)
    pay()
    for track, amount in row.marks.items():
        game.mark(ctx, combatant.id, track, amount, row.name)
    for track, amount in does.recovers.items():
        game.mark(ctx, combatant.id, track, -amount, row.name)
    for effect in does.lifts:
        end_effects_named(ctx, combatant.id, effect, does.says or row.name)
    results = [
        _apply_to_each(game, ctx, on, _spec_of(ctx, does, effect, combatant.id, on), rule)
        for effect, on, rule in args.effects_on
    ]
    ctx.text = _log_text(row, combatant, args.people, args.answers, results)


def _log_text(
    row: TechniqueRow,
    combatant: Combatant,
    people: list[Combatant],
    answers: list[str],
    results: list[str],
) -> str:
    """What the log says: "Mira uses Whirl on Odo (loud): Odo is shaken", or as its row has it."""
    whom, how, outcome = join_names(people), ", ".join(answers), ", ".join(results)
    if row.does is not None and row.does.says:
        text = f"{combatant.name} {row.does.says} {whom}".strip()
        return f"{text}: {how}" if how else text
    on, aside = f" on {whom}" if whom else "", f" ({how})" if how else ""
    text = f"{combatant.name} uses {row.name}{on}{aside}"
    return f"{text}: {outcome}" if outcome else text


def _spec_of(
    ctx: Context, does: TechniqueEffect, effect: str, combatant_id: str, on: tuple[str, ...]
) -> EffectSpec:
    """Until when, and from whom: on oneself from nobody, unless the effect's row looks at that."""
    row = effect_row(ctx.tables, effect)
    looks_at_it = row.breaks or row.ends_with_source or row.needs_source
    source = combatant_id if looks_at_it or on != (combatant_id,) else ""
    return EffectSpec(effect, until=parse_row_until(does.until), source=source)


def _read_fields(
    tokens: TokenStream, row: TechniqueRow, combatant: Combatant, again: Collection[str]
) -> tuple[list[Combatant], list[str]]:
    """Read what the row asks for, in that order: whom it is done to, and what is said of it.

    A text that may be left out is none of the words with which it may go on (`again`); where there
    are none, what is asked for last is the rest of the line.
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
            first = str(tokens.next((field.options or ("what it is",))[0]))
            is_last = field is fields[-1] and not (again or field.after)
            answers.append(f"{first} {tokens.rest()}".strip() if is_last else first)
        for word in field.after.split():
            tokens.take(word)
    return people, answers


def _read_people(
    tokens: TokenStream, field: Field, row: TechniqueRow, combatant: Combatant
) -> list[Combatant]:
    """Read whom it is done to: `all` and the like leave its user out, unless it is for allies.
    Raises Refused for oneself, and for the dead, where it is for others."""
    what = {SEVERAL: "the targets", "anyone": "whom it is for"}.get(field.kind, f"the {field.kind}")
    if field.optional and not tokens.is_people():
        return []
    if field.kind == SEVERAL:
        among = present_combatants(tokens.state, "" if row.targets == "allies" else combatant.id)
        return tokens.combatants(what, among)
    person = tokens.combatant(what)
    if field.kind != "anyone" and not field.optional:
        require_other_target(combatant, person, f"use {row.name} on")
    return [person]


# -- ready and trigger -----------------------------------------------------------------------------

READIED = "readied"
"""The effect of whoever waits with something, and its kind: it is `because` of the technique's id,
its `note` has all of it in words, its `amount` how much was paid."""


class ReadiedAction(Struct, frozen=True):
    """An action that is readied, with the words for it.

    name       the technique's id, or what else it is kept under
    called     how it is called: "Cast a Spell"
    of         what it is of, such as a spell, which is the effect's `type`
    subject    the same as paying has it (`acts.PayFunction`)
    cost       its price with these terms; None for its usual one
    modifiers  numbers that are said, which the effect keeps
    says       all of it in words
    """

    name: str = ""
    called: str = ""
    of: str = ""
    subject: str = ""
    cost: Cost | None = None
    modifiers: dict[str, int] = {}
    says: str = ""

    def __str__(self) -> str:
        """In words: "Cast a Spell (spark, 2 AP)"."""
        return f"{self.called} ({self.says})" if self.says else self.called


class ReadyRules(Struct, frozen=True):
    """The rules by which a game lets actions be readied.

    args_type  the arguments of `ready`; the last is the `trigger`
    terms      what is kept of what is readied, by these; empty terms where that is said when it is
               done
    pay        pays for it, and gives how much that was, for the effect to keep
    take       pays for doing it, when its trigger has come; raises Refused for who can't
    act        reads what is left to say, and does it (`perform_readied`); the effect is what was
               readied
    fields     what a prompt asks for when the trigger has come, beside what the technique asks for
    """

    args_type: type[Struct]
    terms: Callable[[Context, Any], ReadiedAction]
    pay: Callable[[Context, Combatant, ReadiedAction], int]
    take: Callable[[Context, Combatant], None]
    act: Callable[[ParseState, Combatant, Effect], None]
    fields: Mapping[str, Field] = {}


WAITED_FOR = Field("text", ("trigger",), asked=True)
TRIGGER = Annotated[str, arguments.rest_arg('"TRIGGER"', WAITED_FOR)]
"""What is waited for: the rest of what `ready` says."""


def ready_commands(
    game: TechniqueRunner, readying: ReadyRules, pays: str, takes: str
) -> tuple[Command, Command]:
    """`ready` and `trigger`; the texts say what both come to."""
    usage_of_trigger = "trigger [what the technique asks for] [by NAME]"
    return (
        declare_command("ready", pays, readying.args_type, partial(_ready, game, readying), True),
        Command(
            "trigger",
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
    """Do a readied technique, with what was said of it when it was readied, and what is said now;
    what it is of may be said again. Where words are missing, only that it goes off is said.

    name         the technique, where that was not said when it was readied
    args_type    what can be said now, where that is not what the technique's command says
    preset       the first of its arguments, as they were said then
    unless_said  others, which may be said otherwise now
    """
    ctx, tokens, name = reading.ctx, reading.words, name or readied.because
    combatant = ctx.actor()
    if name not in action_techniques(ctx.tables):
        raise Refused(f"{combatant.name} has readied {name!r}, which is no technique")
    if preset:
        _take_again(ctx, tokens, readied.type)
    elif tokens.done and not asks_for_nothing(game, ctx.tables, name):
        tokens.offered.extend(c.id for c in ctx.state.combatants)
        ctx.text = f"{combatant.name}'s readied {ctx.tables.techniques[name].name} goes off"
        return
    if name in game.acts:
        args_type = args_type or game.acts[name].args_type
        args: Any = parse_arguments(args_type, ctx, tokens, **preset)
        left = {name: value for name, value in unless_said.items() if getattr(args, name) is None}
        args = replace(args, **left) if left else args
    else:
        args = _read_row(game, name, reading)
    tokens.finish()
    use_technique(game, ctx, TechniqueUse(name, args), payment)
    ctx.text += ", as readied"


def _take_again(ctx: Context, tokens: TokenStream, of: str) -> None:
    """Take what is readied, where it is said again. Raises Refused for another in quotes."""
    word = tokens.upcoming
    named = resolve(ctx.state, word).id if word and is_called(ctx.state, word) else ""
    if word.casefold() == of.casefold() or (named and named == of):
        tokens.next("what is readied")
    elif word.quoted and not named:
        raise tokens.refuse(f"what is readied is {of}, not {word}")


def _ready(game: TechniqueRunner, readying: ReadyRules, ctx: Context, args: Any) -> None:
    terms, trigger = readying.terms(ctx, args), args.trigger.strip()
    combatant = ctx.actor()
    if ctx.state.phase != "combat":
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
    """Do what is readied; its name may be said again."""
    combatant = who_has(ctx, READIED, "an action readied", "readied")
    effect = combatant.named(READIED)
    if effect is None:
        raise Refused(f"{combatant.name} has nothing readied")
    tokens.take(effect.because)
    ctx.by = combatant.id
    readying.take(ctx, combatant)
    remove_effect(ctx, combatant.id, effect.id, "triggered")
    readying.act(ParseState(ctx, tokens), ctx.state[combatant.id], effect)
