"""`Ruleset`: a rule system as the rest of affray sees it, its data and its parts.

A package offers one `Ruleset` under the entry-point group `affray.rulesets`. Start with
`TurnRules`, which is like all other parts, and `Context`, which most of their methods take. A
context has its ruleset in turn, so both are in one module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from affray.core.dice import (
    USUAL_DICE,
    DiceSource,
    Forced,
    SeededDice,
    dice_of,
    dice_sides,
)
from affray.core.engine.advantage import RollAdvantage
from affray.core.engine.events import AnyEvent, NoteAdded, Rolled
from affray.core.engine.evolve import evolve
from affray.core.engine.history import NOWHERE, EarlierEntry, OtherLogs
from affray.core.engine.settings import SETTINGS, Setting
from affray.core.engine.state import Combatant, Effect, Encounter, Slot, Track
from affray.core.formatting.media import IN_WRITING, Notation
from affray.core.parser.errors import Refused, suggest_or_list
from affray.core.parser.prompt_fields import Field
from affray.core.parser.tokens import TokenStream
from affray.core.rules.tables import Tables

if TYPE_CHECKING:
    from affray.core.rules.imported_creature import ImportedCreature, ImportResult


class Unconfirmed(Exception):  # noqa: N818
    """A line that answers a command in place of doing it, until the command is given again."""


class Context:
    """The context of a command: the fight, the tables, the dice.

        ctx.emit(TrackChanged("mira", "ap", -1))    # and `ctx.state` has it ctx.text = "Mira waits"
        # the command's title in the log

    state       the fight with all events so far; `before` is the fight before the command
    ruleset     the rule system of the fight
    tables      its tables, with the campaign's own rows
    dice        the source of dice; `dice_of` is the one for somebody's roll
    previous    the entry before this one; None for none
    by          the id named with `by`; `actor` returns who acts
    forced      the dice of the command's checks if it is decided again; None if its words count
    text        the command's title in the log; empty to use the command itself
    events      the events emitted so far
    rolls       dice for somebody who is just being added, logged after that
    advantages  the reasons for and against each check
    """

    def __init__(
        self,
        state: Encounter,
        ruleset: Ruleset,
        dice: DiceSource,
        previous: EarlierEntry | None = None,
        by: str = "",
        forced: Forced | None = None,
        other_logs: OtherLogs = NOWHERE,
    ) -> None:
        self.before = state
        self.state = state
        self.ruleset = ruleset
        self.tables = ruleset.tables
        self.dice = dice
        self.previous = previous
        self.by = by
        self.forced = forced
        self.looked_elsewhere = False
        self._other_logs = other_logs
        self.rolls: list[Rolled] = []
        self.text = ""
        self.events: list[AnyEvent] = []
        self.advantages: list[RollAdvantage] = []

    def aside(self, state: Encounter) -> Context:
        """Return a context to try things in: nothing that becomes true there becomes true here."""
        return Context(state, self.ruleset, SeededDice(0))

    def emit(self, *events: AnyEvent) -> None:
        """Let events become true: `state` has them at once."""
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)

    def note(self, text: str, combatant_id: str = "") -> None:
        """Emit a note of the rules: a sentence, or the rest of one on a combatant, `is prone
        already`."""
        self.emit(NoteAdded(text, combatant_id, goes_on=bool(combatant_id)))

    @property
    def other_logs(self) -> OtherLogs:
        """The other logs; that they were asked for is kept."""
        self.looked_elsewhere = True
        return self._other_logs

    def confirm(self, text: str) -> None:
        """Answer the command with just a line; do it if that was already the last answer."""
        last = self.previous.entry.events if self.previous is not None else ()
        if last != (NoteAdded(text),):
            raise Unconfirmed(text)

    def changed(self) -> list[Combatant]:
        """The combatants that this command has changed or added."""
        before = frozenset(self.before.combatants)
        return [combatant for combatant in self.state.combatants if combatant not in before]

    def dice_of(self, combatant_id: str, what: str, against: str = "") -> DiceSource:
        """The dice for one roll, so that when the past is amended each die stays with its own."""
        return dice_of(self.dice, (combatant_id, what, against))

    def actor(self) -> Combatant:
        """The acting combatant: the one named with `by`, or the one whose turn it is. Raises
        Refused for nobody."""
        combatant_id = self.by or self.state.turn
        found = self.state.find(combatant_id) if combatant_id else None
        if found is None:
            raise Refused("it is nobody's turn: say who acts with `by NAME`, or `start` the fight")
        self.by = found.id
        return found


class Command(Struct, frozen=True):
    """A command of the game master's. `core.parser.declarations.declare_command` makes one.

    name       its first word
    written    its usage, or a function that returns it
    does       one line on what it does, for help
    run        reads the words and emits events; raises Refused for wrong ones
    acts       True if it may be given `by NAME`
    args_type  the struct that declares its arguments; None if `run` reads words itself
    subcommands  such structs, by the word before them: `react retaliate`
    fields     the fields of its prompt, by name, if it declares no arguments
    """

    name: str
    written: str | Callable[[], str]
    does: str
    run: Callable[[Context, TokenStream], None]
    acts: bool = False
    args_type: type[Struct] | None = None
    subcommands: Mapping[str, type[Struct]] = {}
    fields: Mapping[str, Field] = {}

    def __repr__(self) -> str:
        return f"<Command {self.name}>"

    @property
    def usage(self) -> str:
        """The usage of the command: `damage NAME[,NAME] AMOUNT [TYPE]`."""
        return self.written if isinstance(self.written, str) else self.written()


class AvailableAction(Struct, frozen=True):
    """A technique, a power or a spell as one combatant can use it now.

    technique  its id in the tables; with its name if it is the combatant's own: `power Breath`
    cost       track -> its cost now
    after      track -> the cost of the next use this turn; empty if the same
    reason     why it can't be used, in a few words; empty if it can
    name       its name if it is the combatant's own, and not a row of the tables
    text       the effect of such a one
    brief      the same in a few words: uses, defence
    """

    technique: str
    cost: dict[str, int]
    after: dict[str, int] = {}
    reason: str = ""
    name: str = ""
    text: str = ""
    brief: str = ""

    @property
    def available(self) -> bool:
        """True if it can be used now."""
        return not self.reason

    def called(self, tables: Tables) -> str:
        """Its own name, or that of the technique: `Ash Breath`, `Strike`."""
        row = tables.techniques.get(self.technique)
        return self.name or (row.name if row is not None else self.technique)

    def __repr__(self) -> str:
        return (
            f"<AvailableAction {self.name or self.technique}: {self.reason or self.cost or 'free'}>"
        )


class DecisionOption(Struct, frozen=True):
    """One answer to something pending: its key, its label, and the command that it gives."""

    key: str
    label: str
    command: str


class PendingDecision(Struct, frozen=True):
    """Something at the start or end of a turn that waits for the GM: a death save, a fall.

    who      the id of its owner
    what     its text: "Mira is dying: death save"
    choices  the answers, each a key
    missed   the text if the turn ends without an answer; empty if it may stay open
    holds    True if the turn can't end before it; ending it twice has affray roll
    die      if dice decide it, the command to which `natural N` is added
    dice     the dice that decide it, if not the usual: then `die` takes their result; it ends with
             `natural` for those of a check
    """

    who: str
    what: str
    choices: tuple[DecisionOption, ...]
    missed: str = ""
    holds: bool = False
    die: str = ""
    dice: str = ""

    @property
    def thrown(self) -> str:
        """The dice that decide it, in notation."""
        return self.dice or USUAL_DICE

    @property
    def is_check(self) -> bool:
        """True if the dice of a check decide it, and no amount."""
        return bool(self.die) and (not self.dice or self.die.endswith(" natural"))

    @property
    def most_commas(self) -> int:
        """The most commas between numbers on its dice: of advantage, or of several dice."""
        return max(1, len(dice_sides(self.thrown)) - 1) if self.is_check else 0

    def line_with(self, shown: str) -> str:
        """Return the command that answers it with the numbers on the dice, or their result."""
        return f"{self.die} {'' if self.dice else 'natural '}{shown}"


class NumberPart(Struct, frozen=True):
    """One part of a number, as `why` lists it.

    amount  how much, or a word in place of a number, such as `halved`
    source  where it comes from, in words
    effect  the effect that it comes from, by which `why` finds the entry that brought it
    of      likewise the track or stat that it comes from
    """

    amount: int | str
    source: str
    effect: Effect | None = None
    of: str = ""


class Difficulty(Struct, frozen=True):
    """The difficulty of a fight by the game's own measure.

    worth    the XP that the foes are worth
    budget   grade -> the XP of foes that make a fight of that grade for the party, the lowest
             first; none if the rules have no budget, or nobody in the party has a level
    unknown  names of foes without a worth, and of characters without a level
    """

    worth: int
    budget: Mapping[str, int] = {}
    unknown: tuple[str, ...] = ()

    @property
    def grade(self) -> str:
        """The lowest grade whose budget holds all foes; empty without a budget."""
        holds = (grade for grade, budget in self.budget.items() if self.worth <= budget)
        return next(holds, f"beyond {[*self.budget][-1]}") if self.budget else ""

    @property
    def summary(self) -> str:
        """The grade and the XP: `moderate, 450 XP`."""
        return ", ".join(filter(None, (self.grade, f"{self.worth:,} XP")))

    @property
    def line(self) -> str:
        """The difficulty with its budget: `Foes: moderate, 450 XP (low 200, moderate 450)`."""
        grades = [f"{grade} {budget:,}" for grade, budget in self.budget.items()]
        lacking = f"without {', '.join(self.unknown)}" if self.unknown else ""
        aside = "; ".join(filter(None, (", ".join(grades), lacking)))
        return f"Foes: {self.summary}{f' ({aside})' if aside else ''}"


class TableSchema(Struct, frozen=True):
    """The fields and words that a campaign's rows may have: those that the game applies. affray
    refuses all others. This part is only data; without it, a campaign can add nothing.

    effects  field of an effect's row -> the words in it that mean something: `modifiers` ->
             kinds of roll; `suffers.advantage` -> when. None if the tables list the words (tracks,
             types of damage), or if any word is allowed. It leaves out fields with the same meaning
             in every game: `implies`, `text`
    cost     the tracks that a technique can cost; with `one_action`, 1 of one of them
    marks    the tracks that a technique can mark
    repeat   how often techniques can be used
    techniques  True if a campaign may add techniques (`ActionRules.row_command`)
    ends     the words, besides turns, with which a row can end an effect
    saves    the abilities for saving throws and checks of surroundings; none in a game without
             surroundings
    amounts  the numbers that prompts ask for, besides the tracks: `bond`
    rests    the names of rests in rows that lower a track's level, or have activities
    spends   the party's own tracks that an activity in a rest can spend
    counters True if a campaign may have tracks of its own, counted by hand
    powers   the word of a sheet before a power; empty without powers
    gear     True if sheets refer to rows of armour, weapons and items (`SheetRules.check_gear`)
    """

    effects: Mapping[str, tuple[str, ...] | None] = {}
    cost: tuple[str, ...] = ()
    one_action: bool = False
    marks: tuple[str, ...] = ()
    repeat: tuple[str, ...] = ()
    techniques: bool = False
    ends: tuple[str, ...] = ("rest", "fight")
    saves: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    spends: tuple[str, ...] = ()
    counters: bool = False
    powers: str = ""
    gear: bool = False


def applies_to_kind(whose: str, kind: str) -> bool:
    """True if something for a `pc`, a `monster`, a `hazard` or anybody (empty) is for one of that
    kind. What a monster has is for everybody but characters, so for a hazard as well.
    """
    return whose in ("", kind) or (whose == "monster" and kind != "pc")


class SheetField(Struct, frozen=True):
    """A word of `add`, such as `ac`.

    name     the word
    expects  a description of its value
    again    True if it may come more than once
    alike    other words for it
    of       the only kind it is for, `pc` or `monster` (`applies_to_kind`); empty for anybody
    usual    True if usages show it
    """

    name: str
    expects: str
    again: bool = False
    alike: tuple[str, ...] = ()
    of: str = ""
    usual: bool = True

    @property
    def is_named(self) -> bool:
        """True if a name follows it, which may be any word."""
        return self.expects.startswith("NAME")

    def name_in(self, row: Collection[str]) -> str:
        """The name by which a row has this field, or would have it: its own, or a synonym."""
        return next((name for name in (self.name, *self.alike) if name in row), self.name)


# -------------------------------------------------------------------------------------------------
# The parts of a rule system. A game derives a class of its own from each of those for which it has
# a rule, in its module on that subject, and writes the methods that it needs: what is left out
# means that it has no rule for that. A part keeps nothing from one call to the next.


class Part:
    """The base of all parts: a game's class has no public name but those that are asked for."""

    def __init_subclass__(cls, extends: bool = False) -> None:
        """Raises Refused for a method that nothing calls, which is mostly a slip of one.

        `extends` says that the class adds names, for those to write who derive from it.
        """
        asked = {name for base in cls.__bases__ for name in dir(base) if not name.startswith("_")}
        for name in () if extends else vars(cls):
            if name not in asked and not name.startswith("_"):
                near = suggest_or_list(name, sorted(asked))
                raise Refused(f"{cls.__qualname__}: nothing asks for its {name!r}{near}")


class SheetRules(Part, extends=True):
    """A combatant's own numbers: how `add` reads them, and how they are shown.

    A game with a sheet of declared fields derives from `mechanics.sheet.FieldSheet`, and writes
    `groups` and `complete` alone.
    """

    def fields(self, tables: Tables) -> Sequence[SheetField]:
        """List the words that a sheet may say, for forms and for rows of the bestiary."""
        return ()

    def usage(self, tables: Tables, kind: str) -> Sequence[str]:
        """Show how a line of `add` for a `pc`, `monster` or `hazard` has the usual ones, part by
        part: `["grit N", "[ac N]"]`."""
        return ["NUMBERS..."]

    def read_fields(self, ctx: Context, tokens: TokenStream) -> list[tuple[str, str]]:
        """Split the words of `add` after a name into fields, each with its value.

        `ac 4 swim` is `[("ac", "4"), ("swim", "")]`. Raises Refused as `create` does.
        """
        return []

    def create(
        self, ctx: Context, tokens: TokenStream, kind: str
    ) -> tuple[dict[str, object], dict[str, Track]]:
        """Read the words after a new combatant's name: `grit 12 ac 14`. Returns its stats, which
        the log keeps unchanged, and its tracks with their values, such as
        `({"ac": 14}, {"grit": Track(12, 12)})`. It reads up to an unknown word; affray refuses the
        rest, except words of every game, such as `hidden`. Raises Refused for invalid values.
        """
        return {}, {}

    def labels(
        self, state: Encounter, combatant: Combatant, how: Notation = IN_WRITING
    ) -> Mapping[str, str]:
        """Give the words on stats, by stat, for which a name and a number are not enough: written,
        or for the ear, as `how` says.

        Empty for a stat of which another one's label tells already.
        """
        return {}

    def carried(self, combatant: Combatant, how: Notation = IN_WRITING) -> Sequence[str]:
        """List what somebody carries, in words: `rope`, `potion ×2`; none if the game keeps no
        count."""
        return ()

    def check_gear(self, tables: Tables, more: Tables) -> None:
        """Raises Refused for a campaign's row of armour, weapons or items that can't be played by.

        `tables` are all, and `more` the campaign's own.
        """

    def columns(self, tables: Tables) -> Collection[str]:
        """List the columns of a spreadsheet that have the game's own meaning, where others would
        read `armour` as AC, or `dex` as a score for initiative. `import_creature` gets them in
        `in_words`. Don't list name and health.
        """
        return ()

    def import_creature(self, tables: Tables, creature: ImportedCreature) -> ImportResult:
        """Make the row of the bestiary for a creature of another program (`affray import`)."""
        from affray.core.rules.imported_creature import generic_fields  # here: no fight needs it

        return generic_fields(tables, creature)


class InitiativeRules(Part, extends=True):
    """The turn order: rolling for it, and ties."""

    def dice(self, tables: Tables) -> str:
        """The dice that are rolled for it, as `init NAME natural` takes them."""
        return USUAL_DICE

    def roll(self, ctx: Context, ids: list[str], faces: tuple[int, ...]) -> dict[str, int]:
        """Roll initiative for those combatants, emit the rolls, and give the total of each.

        `faces` are the numbers on the dice at the table, for the only one of them, in place of a
        roll; None to roll for all.
        """
        raise Refused("there is no rule for initiative: give each a number, such as `init mira 15`")

    def words(self, tables: Tables) -> Mapping[str, int]:
        """Give the words by which an initiative may be called in place of a number, each with the
        number that orders it: `{"pass": 2, "fail": 0}`. The order shows the word."""
        return {}

    def score(self, ctx: Context, combatant_id: str) -> int:
        """Return the initiative score in place of a roll, if the game has one:
        `init mira score`."""
        raise Refused("the game has no initiative score: give a number, or `roll`")

    def on_given(self, ctx: Context, combatant_id: str) -> None:
        """Apply the consequences of an initiative, rolled or given."""

    def tie_rank(
        self, ctx: Context, combatant_id: str, total: int, placed: Sequence[Slot]
    ) -> tuple[int, ...]:
        """Give the rank of a newcomer with that total among those who have it, lower first.

        affray asks once, when it decides an initiative, with those who have a place already; the
        log has it from then on, coin and all (`Slot.rank`). Characters before all others: `() if
        ctx.state[combatant_id].kind == "pc" else (1,)`.
        """
        return ()


class TurnRules(Part, extends=True):
    """Hooks at the starts and ends of turns, rounds and fights, and decisions that wait there.

    Members of a group share one turn: affray calls the hooks for each of them; ask
    `state.takes_turn(combatant_id)`, never `state.turn`, if it is somebody's turn.
    """

    def on_turn_start(self, ctx: Context, combatant_id: str) -> None:
        """Apply the start of a turn: actions come back, ongoing damage comes."""

    def roll_deferred(self, ctx: Context, combatant_id: str) -> None:
        """Roll what nobody rolled since the turn's start, as the GM ends that turn: a death save.

        A combatant who gets up by that still has the turn.
        """

    def on_turn_ending(self, ctx: Context, combatant_id: str) -> None:
        """Apply the end of a turn, before effects that last until then end."""

    def on_turn_passed(self, ctx: Context, combatant_id: str) -> None:
        """Apply the passing of a turn whose owner is out of the fight."""

    def on_turn_delayed(self, ctx: Context, combatant_id: str) -> None:
        """Apply a delay, such as ending stances. Raises Refused for somebody who can't."""

    def on_round_end(self, ctx: Context) -> None:
        """Apply the end of a round."""

    def on_fight_end(self, ctx: Context) -> None:
        """Apply the end of the fight: end what turns and rounds would have ended."""

    def pending_decisions(self, tables: Tables, state: Encounter) -> list[PendingDecision]:
        """List the decisions that wait for the GM now: a save to roll, a fall, a bargain."""
        return []

    def has_acted(self, combatant: Combatant) -> bool:
        """True if somebody has done anything in their open turn: then it can't be delayed.

        That is whatever was counted as used in it (`UseCounted`), unless a game looks closer.
        """
        return combatant.has_acted


class NumberRules(Part, extends=True):
    """The numbers that the situation changes, and their parts.

    A game that declares its numbers (`mechanics.stats.StatRules`) can use
    `mechanics.stats.StatNumbers`.
    """

    def totals(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> Mapping[str, int | str]:
        """Give a combatant's numbers as they are now: `{"attack": -2, "ac": 13}`.

        Those with `whole` in the tables (`[totals]`) are the number itself, others a bonus or
        penalty to a roll; a word if there is no number, such as which of two dice counts.
        """
        return {}

    def total(
        self, tables: Tables, state: Encounter, combatant: Combatant, name: str
    ) -> int | str | None:
        """Give one of the `totals`; None for a combatant that has no such number."""
        return self.totals(tables, state, combatant).get(name)

    def explain(
        self, tables: Tables, state: Encounter, combatant: Combatant, total: str
    ) -> list[NumberPart]:
        """List the parts that one of the totals is made of, for `why mira ac`."""
        return []

    def penalty(self, tables: Tables, combatant: Combatant) -> int:
        """Return the penalty of a combatant's marks on all its rolls, 0 or less."""
        return 0

    def difficulty(self, tables: Tables, state: Encounter) -> Difficulty | None:
        """Return how hard a fight is by the game's own measure; None without a measure."""
        return None


class ActionRules(Part, extends=True):
    """Everything that a combatant can do, with its powers, weapons, spells and items.

    A game with a `mechanics.techniques.TechniqueRunner` has `options` and `row_command` in
    `mechanics.techniques.TechniqueActions`.
    """

    def options(
        self, tables: Tables, state: Encounter, combatant: Combatant
    ) -> list[AvailableAction]:
        """List every technique, with its cost now and why it can't be used."""
        return []

    def own_options(
        self,
        tables: Tables,
        state: Encounter,
        combatant: Combatant,
        how: Notation = IN_WRITING,
    ) -> list[AvailableAction]:
        """List a combatant's own powers and spells likewise, which are no rows of the tables; their
        texts are written, or for the ear, as `how` says."""
        return []

    def weapons(self, combatant: Combatant) -> Sequence[str]:
        """List the names of attacks; the first is used unless the command has `with NAME`."""
        return ()

    def spells(self, combatant: Combatant) -> Sequence[str]:
        """List the names of the spells that a combatant is known to cast."""
        return ()

    def items(self, combatant: Combatant, where: str) -> Sequence[str]:
        """List a combatant's items at `hand`, or `stowed`; none if the game keeps no count."""
        return ()

    def row_command(self, tables: Tables, name: str) -> Command:
        """Make the command of a technique that a campaign adds, which is all in its row. Called if
        `TableSchema.techniques` is set.
        """
        raise Refused(f"{name!r} is not a technique of the rules")

    def row_effects(self, tables: Tables) -> list[str]:
        """List the effects that such a technique can leave."""
        return []

    def reacts_despite(self, state: Encounter, combatant: Combatant) -> tuple[str, ...]:
        """List the effects that keep somebody from reacting no longer, though they last."""
        return ()


class CompanionRules(Part, extends=True):
    """Mounts, summons and others that act beside somebody."""

    def owner_of(self, combatant: Combatant) -> str:
        """Return the id of the owner right after whom it acts; empty for most."""
        return ""

    def has_no_turn(self, state: Encounter, combatant: Combatant) -> bool:
        """True if somebody is commanded in its owner's turn, and has none of its own."""
        return False


class StateRules(Part, extends=True):
    """Invariants of the state: facts that always follow from others."""

    def apply_invariants(self, ctx: Context) -> None:
        """Emit consequences of the state: at half health somebody is staggered, the helpless have
        no stance. Called after every command until it emits nothing more, so it must leave alone
        what already holds.
        """

    def on_edited_by_hand(self, ctx: Context, combatant_id: str) -> None:
        """Apply the consequences of a number that the GM set by hand: without health they fall."""

    def can_have(self, combatant: Combatant, condition: str) -> bool:
        """True if somebody can get a condition that another one brings: they are not immune."""
        return True

    def describe_track(self, tables: Tables, combatant: Combatant, track: str) -> str:
        """Describe the effect of a track's value in a few words: "−1 to all checks"."""
        return ""


class Ruleset(Struct, frozen=True, eq=False):
    """One rule system: its data and its parts, compared by identity.

    id        its name in logs and for `--ruleset`: `my-game`
    name      its name for people
    tables    its tables; `replace(ruleset, tables=...)` is the same game with others
    commands  its commands, by first word
    sheet, initiative, turns, numbers, actions, companions, state
              its parts, by subject; a missing part has no rules
    schema    the fields of a campaign's rows
    settings  its own settings: house rules, surroundings
    gm_tracks the GM's own tracks, shown from the beginning, at 0
    usual_attack   the plain attack for simulated fights, such as `strike`; if it takes no `roll`,
                   its whole line: `hew NAME`. Empty for none
    carried_stats  the stats that carry over to the next fight if play has changed them
    delayed_turns_interrupt  True if a delayed turn may interrupt another; else it comes between
                             turns
    swaps_foes     True if anybody tied can go first, and not only allies
    has_countdown_pools  True if the rules have countdowns of dice: then reports say how long each
                         will last
    usual_settings  settings of every game with the value that they have in this one as long as the
              table chooses no other: `{"order": "sides"}`
    only_order     why the rules allow no order but by initiative, in a sentence; empty if they
                   allow others (`setting order`)
    example_foe    a plain foe in the words of `add`; empty if some health is enough
    """

    id: str
    name: str
    tables: Tables
    commands: Mapping[str, Command]
    sheet: SheetRules = SheetRules()
    initiative: InitiativeRules = InitiativeRules()
    turns: TurnRules = TurnRules()
    numbers: NumberRules = NumberRules()
    actions: ActionRules = ActionRules()
    companions: CompanionRules = CompanionRules()
    state: StateRules = StateRules()
    schema: TableSchema = TableSchema()
    settings: tuple[Setting, ...] = ()
    gm_tracks: tuple[str, ...] = ()
    usual_attack: str = ""
    carried_stats: tuple[str, ...] = ()
    delayed_turns_interrupt: bool = True
    swaps_foes: bool = False
    has_countdown_pools: bool = False
    usual_settings: Mapping[str, str] = {}
    only_order: str = ""
    example_foe: str = ""

    def __repr__(self) -> str:
        return f"<Ruleset {self.id}>"

    @property
    def all_settings(self) -> dict[str, Setting]:
        """The settings by name: the game's own, then every game's, each with its usual value
        first."""
        rows = {setting.name: setting for setting in (*self.settings, *SETTINGS)}
        for name, usual in self.usual_settings.items():
            others = (value for value in rows[name].values if value != usual)
            rows[name] = replace(rows[name], values=(usual, *others))
        return rows

    @property
    def usual_foe(self) -> str:
        """A plain foe: the example, or one with some health."""
        return self.example_foe or self.some_health

    @property
    def some_health(self) -> str:
        """Some health as `add` says it: `grit 10`; empty if a sheet has none."""
        health = self.tables.health
        has_any = any(field.name == health for field in self.sheet.fields(self.tables))
        return f"{health} 10" if has_any else ""


@lru_cache(maxsize=16)  # by every pane, prompt and form
def all_options(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> list[AvailableAction]:
    """Every technique for somebody, then their own options."""
    tables, actions = ruleset.tables, ruleset.actions
    return [
        *actions.options(tables, state, combatant),
        *actions.own_options(tables, state, combatant),
    ]
