"""`Ruleset`: what a rule system is to the rest of the program, its tables, commands and functions.

A ruleset package offers one `Ruleset` under the entry-point group `affray.rulesets`. The core, the
store and the screen know rule systems only through it. Its functions are given a `Context`, which
knows the ruleset in turn: therefore both are here, below the commands and what decides them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from affray.core.dice import DiceSource, RecordedDice, SeededDice
from affray.core.engine.advantage import RollAdvantage
from affray.core.engine.events import AnyEvent, NoteAdded, Rolled
from affray.core.engine.evolve import evolve
from affray.core.engine.history import NOWHERE, EarlierEntry, OtherLogs
from affray.core.engine.state import Combatant, Effect, Encounter, Slot, Track
from affray.core.parser.errors import Refused
from affray.core.parser.tokens import TokenStream
from affray.core.rules.imported_creature import ImportedCreature, ImportResult, generic_fields
from affray.core.rules.tables import Tables


class Reminder(Exception):  # noqa: N818
    """A reminder that answers a command in place of doing it, until the command is given again."""


class Context:
    """The context in which a command's function runs. Events that it emits show at once in `state`.

    `tables` are the ruleset's, with the campaign's own rows. `text`, where it is not empty, is how
    the check that the command makes came out, whatever its words say, and `weak,miss` how each of
    several did: a ruleset decides a command anew with it when something has changed a check, and
    whoever has read one of several takes it away. `faces` are likewise the d20s of its first roll,
    as they lie when that is made again; whoever has read them takes them away. `fell` are dice
    that fell for somebody while they were read, and are told once they are here. `other_logs` has
    the other logs of the campaign. `advantages` gathers what spoke for and against each d20.
    """

    def __init__(
        self,
        state: Encounter,
        ruleset: Ruleset,
        dice: DiceSource,
        previous: EarlierEntry | None = None,
        by: str = "",
        text: str = "",
        faces: tuple[int, ...] = (),
        other_logs: OtherLogs = NOWHERE,
    ) -> None:
        self.before = state
        self.state = state
        self.ruleset = ruleset
        self.tables = ruleset.tables
        self.dice = dice
        self.previous = previous
        self.by = by
        self.outcome = text
        self.faces = faces
        self.looked_elsewhere = False
        self._other_logs = other_logs
        self.rolls: list[Rolled] = []
        self.text = ""
        self.events: list[AnyEvent] = []
        self.advantages: list[RollAdvantage] = []

    def aside(self, state: Encounter) -> Context:
        """A context to try things in, such as `add` for a wave that comes later.

        Nothing that becomes true there becomes true here.
        """
        return Context(state, self.ruleset, SeededDice(0))

    def emit(self, *events: AnyEvent) -> None:
        """Let events become true."""
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)

    @property
    def other_logs(self) -> OtherLogs:
        """The other logs; that they were asked for is kept."""
        self.looked_elsewhere = True
        return self._other_logs

    def remind(self, text: str) -> None:
        """Answer the command with a reminder alone, and do it where that was the last answer."""
        last = self.previous.entry.events if self.previous is not None else ()
        if last != (NoteAdded(text),):
            raise Reminder(text)

    def changed(self) -> list[Combatant]:
        """The combatants that this command has changed or added."""
        before = frozenset(self.before.combatants)
        return [combatant for combatant in self.state.combatants if combatant not in before]

    def dice_of(self, combatant_id: str, what: str, against: str = "") -> DiceSource:
        """The dice for one roll, so that when the past is amended each die stays with its own."""
        dice = self.dice
        return dice.of((combatant_id, what, against)) if isinstance(dice, RecordedDice) else dice

    def actor(self) -> Combatant:
        """The acting combatant: the one named with `by`, else whose turn it is. Raises Refused for
        nobody."""
        combatant_id = self.by or self.state.turn
        found = self.state.find(combatant_id) if combatant_id else None
        if found is None:
            raise Refused("it is nobody's turn: say who acts with `by NAME`, or `start` the fight")
        self.by = found.id
        return found


class Command(Struct, frozen=True):
    """A command: its first word, its usage, one line on what it does, and the function for it.

    `run` reads the words, raises Refused for what is wrong, and gives its events to the context.
    `acts` tells that it may be given `by NAME`. Where its arguments are declared, `args_type` is
    the struct that declares them, and `written` works the usage out from it
    (`core.parser.declarations.declare_command`). `subcommands` are such structs by the word behind
    which they stand.
    """

    name: str
    written: str | Callable[[], str]
    does: str
    run: Callable[[Context, TokenStream], None]
    acts: bool = False
    args_type: type[Struct] | None = None
    subcommands: Mapping[str, type[Struct]] = {}

    @property
    def usage(self) -> str:
        """The usage of the command: `damage NAME[,NAME] AMOUNT [TYPE]`."""
        return self.written if isinstance(self.written, str) else self.written()


class AvailableAction(Struct, frozen=True):
    """A technique as it stands for one combatant now.

    `cost` is what it costs now, `after` what the next one this turn would cost (empty if none can
    follow); `reason` says why it can't be used, and is empty when it can. One that is the
    combatant's own, and no row of the tables, has its `name` and its `text` here, and in `brief`
    what is said of it where there is no room for the text: how often, against what.
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
        """Whether it can be used now."""
        return not self.reason

    def __repr__(self) -> str:
        return f"<Option {self.name or self.technique}: {self.reason or self.cost or 'free'}>"


class DecisionOption(Struct, frozen=True):
    """One answer to something pending: its key, its label, and the command that it gives."""

    key: str
    label: str
    command: str


class PendingDecision(Struct, frozen=True):
    """Something at the turn's edge that waits for the GM: whose it is, what, and the answers.

    `missed` is what is said when the turn ends without it; empty when it may be left. What `holds`
    is asked for before the turn ends: whoever ends it a second time has it rolled. Where a d20
    decides it, `die` is the command that takes it as it lies, with `natural N` behind it; where
    other `dice` do, such as 2d6, with what they show together behind it.
    """

    who: str
    what: str
    choices: tuple[DecisionOption, ...]
    missed: str = ""
    holds: bool = False
    die: str = ""
    dice: str = ""


class NumberPart(Struct, frozen=True):
    """One part of a number: how much, and where it comes from. What `why` lists.

    `effect` is the one that it is of; `of` the track, or the number of the sheet, that it is read
    from. By them `why` finds the entry with which it began.
    """

    amount: int | str
    source: str
    effect: Effect | None = None
    of: str = ""


class SupportedFields(Struct, frozen=True):
    """The fields of tables' rows that a game plays by: a campaign's row that says more is refused.

    effects  field of an effect's row -> the words in it that mean something: `modifiers` ->
             kinds of roll; `suffers.advantage` -> when. None where the tables say which (tracks,
             types of damage), or where it may be any. What means the same in every game is not
             named: `implies`, `text`
    cost     the tracks that a technique can cost; where it is `one_action`, 1 of one of them
    marks    the tracks that doing a technique can mark
    repeat   how often techniques can be used
    saves    the abilities of saving throws and checks that surroundings ask for; none in a game
             without surroundings
    amounts  what prompts ask for as a number, beside the tracks: `bond`
    rests    the rests, as the rows call them with which a track's levels can go, or what is done
    spends   the party's own tracks that an activity in a rest can spend
    counters whether a campaign may name tracks of its own, which are counted by hand
    powers   the word of a sheet behind which a power stands; empty where there are none
    gear     refuses rows of gear that can't be played by, given all tables and the campaign's own;
             None in a game whose sheets are not made of such rows
    """

    effects: Mapping[str, tuple[str, ...] | None] = {}
    cost: tuple[str, ...] = ()
    one_action: bool = False
    marks: tuple[str, ...] = ()
    repeat: tuple[str, ...] = ()
    saves: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    spends: tuple[str, ...] = ()
    counters: bool = False
    powers: str = ""
    gear: Callable[[Tables, Tables], None] | None = None


class RowTechniques(Struct, frozen=True):
    """The way a game does a technique of which the row says everything (`TechniqueRow.does`).

    verb   the command of a technique of the tables, which may be one of a campaign's
    lays   the effects that such a technique can leave
    ends   what may end one that it leaves, beside turns
    """

    verb: Callable[[Tables, str], Command]
    lays: Callable[[Tables], list[str]]
    ends: tuple[str, ...] = ()


def applies_to_kind(whose: str, kind: str) -> bool:
    """Whether what is a `pc`'s, a `monster`'s, a `hazard`'s or anybody's (empty) is for one of that
    kind. Whoever is no character has what a monster has, such as a hazard.
    """
    return whose in ("", kind) or (whose == "monster" and kind != "pc")


class SheetField(Struct, frozen=True):
    """A word of `add`: what stands behind it, whether it may be said `again`, what means the same
    (`alike`), the kind whose alone it is (`of`: as `applies_to_kind` has it), and whether usages
    have it
    (`usual`)."""

    name: str
    expects: str
    again: bool = False
    alike: tuple[str, ...] = ()
    of: str = ""
    usual: bool = True

    @property
    def is_named(self) -> bool:
        """Whether a name stands right behind it, which may be any word."""
        return self.expects.startswith("NAME")

    def name_in(self, row: Collection[str]) -> str:
        """By which name a row has it, or would have it: its own, or one that means the same."""
        return next((name for name in (self.name, *self.alike) if name in row), self.name)


class SheetForm(Struct, frozen=True):
    """The fields of a combatant's sheet, as a form shows them.

    words  the words of the sheet
    usage  how a line of `add` for one of a kind has those that are usual, part by part: `hp N`
    spelt  what a line of `add` says behind the name, each word with what stands behind it: `ac 4
           swim` is [("ac", "4"), ("swim", "")]; raises Refused as `create` does
    """

    words: Callable[[Tables], Sequence[SheetField]] = lambda tables: ()
    usage: Callable[[Tables, str], Sequence[str]] = lambda tables, kind: ["NUMBERS..."]
    spelt: Callable[[Context, TokenStream], list[tuple[str, str]]] = lambda ctx, tokens: []


Options = Callable[[Tables, Encounter, Combatant], list[AvailableAction]]
"""What somebody can do as things stand, and what can't be done now, with why."""


class Ruleset(Struct, frozen=True, eq=False):
    """One rule system, compared by identity. What it leaves out, it has no rule for.

    tables        its data
    verbs         its commands, by first word
    settings      house rule or environment -> its values, the default first
    gm_tracks     the GM's own tracks that are told of from the beginning, at 0
    sheet         what `create` understands, as a form
    create        stats and tracks of a new combatant, from the words behind its name
    initiative    rolls initiative for those ids, emits the rolls, gives their totals; with faces
                  of dice that lie there for one of them, which count in place of a roll
    initiative_given   what an initiative brings whoever gets it, rolled or said
    tie_rank      for somebody who gets that initiative, among slots that are placed already: the
                  rank among those who tie, lower first
    turn_started, turn_ending, round_ended, fight_ended   what the rules do then
    turn_passed   what the rules do when the turn of somebody who is out of the fight passes
    owed          rolls what the turn's start has left to be rolled, before the turn may end
    set_by_hand   sets right what follows when the GM wrote a number by hand
    totals        the situation's modifiers, and whole numbers for `ac` and `speed`; a word where
                  it is no number, such as which of two dice counts
    shares        the parts that one of the totals is made of
    options       every technique, with its cost now and why it can't be used
    own           likewise what somebody can do besides, of its own: powers, spells
    pending       what waits for the GM now
    remark        a few words on what a track's value means now: "−1 to all checks"
    penalty       what a combatant's marks take from every roll of its own, 0 or less
    acted         whether the combatant has already done something in its open turn
    settled       what always follows from how things stand, after every command
    delayed       what delaying a turn brings with it
    master        whose turn its own comes right behind: a companion's; empty for most
    passive       whether somebody has no turns of its own: it is commanded in its owner's
    allowing      the effects that keep somebody from reacting no longer, though they last
    takes         whether somebody can have a condition that another one brings: not who is immune
    sheet_lines          words for a combatant's own numbers where the rules have a way of saying
                  them: stat -> all that is said of it, empty where another stat says it already
    weapons       the names of a combatant's attacks, the one first that is used unless another is
                  said (`with NAME`)
    spells        the names of the spells that a combatant is known to cast
    things        what a combatant has at `hand`, or `stowed`; none where nobody keeps count of it
    carries       the stats that go along from fight to fight where play has changed them
    attack        the command of the usual attack, `strike`; empty where affray rolls none
    interrupts    whether a delayed turn may be taken in the middle of somebody else's
    reads         what is played of the tables' rows
    pools         whether countdowns of dice are among its rules: the report then says of each how
                  long it still lasts
    doing         how a technique is done that is all in its row; None where there can be none
    imports       the row of the bestiary that it makes of another program's creature
    stranger      what is proposed of a foe of whom nothing is known, as `add` says it
    """

    id: str
    name: str
    tables: Tables
    verbs: Mapping[str, Command]
    create: Callable[[Context, TokenStream, str], tuple[dict[str, object], dict[str, Track]]]
    initiative: Callable[[Context, list[str], tuple[int, ...]], dict[str, int]]
    tie_rank: Callable[[Context, str, int, Sequence[Slot]], tuple[int, ...]] = (
        lambda ctx, combatant_id, total, placed: ()
    )
    turn_started: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    fight_ended: Callable[[Context], None] = lambda ctx: None
    set_by_hand: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    totals: Callable[[Tables, Encounter, Combatant], Mapping[str, int | str]] = (
        lambda tables, state, combatant: {}
    )
    shares: Callable[[Tables, Encounter, Combatant, str], list[NumberPart]] = (
        lambda tables, state, combatant, total: []
    )
    options: Options = lambda tables, state, combatant: []
    pending: Callable[[Tables, Encounter], list[PendingDecision]] = lambda tables, state: []
    remark: Callable[[Tables, Combatant, str], str] = lambda tables, combatant, track: ""
    acted: Callable[[Combatant], bool] = lambda combatant: False
    own: Options = lambda tables, state, combatant: []
    settings: Mapping[str, tuple[str, ...]] = {}
    gm_tracks: tuple[str, ...] = ()
    turn_ending: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    turn_passed: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    owed: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    initiative_given: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    round_ended: Callable[[Context], None] = lambda ctx: None
    settled: Callable[[Context], None] = lambda ctx: None
    delayed: Callable[[Context, str], None] = lambda ctx, combatant_id: None
    master: Callable[[Combatant], str] = lambda combatant: ""
    penalty: Callable[[Tables, Combatant], int] = lambda tables, combatant: 0
    passive: Callable[[Encounter, Combatant], bool] = lambda state, combatant: False
    allowing: Callable[[Encounter, Combatant], tuple[str, ...]] = lambda state, combatant: ()
    takes: Callable[[Combatant, str], bool] = lambda combatant, condition: True
    sheet_lines: Callable[[Encounter, Combatant], Mapping[str, str]] = lambda state, combatant: {}
    weapons: Callable[[Combatant], Sequence[str]] = lambda combatant: ()
    spells: Callable[[Combatant], Sequence[str]] = lambda combatant: ()
    things: Callable[[Combatant, str], Sequence[str]] = lambda combatant, where: ()
    carries: tuple[str, ...] = ()
    attack: str = ""
    interrupts: bool = True
    reads: SupportedFields = SupportedFields()
    pools: bool = False
    doing: RowTechniques | None = None
    sheet: SheetForm = SheetForm()
    imports: Callable[[Tables, ImportedCreature], ImportResult] = generic_fields
    stranger: str = "hp 10"


def all_options(ruleset: Ruleset, state: Encounter, combatant: Combatant) -> list[AvailableAction]:
    """Every technique for somebody, then what is their own."""
    tables = ruleset.tables
    return [*ruleset.options(tables, state, combatant), *ruleset.own(tables, state, combatant)]
