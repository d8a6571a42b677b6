"""The shape of a rule system's tables (`Tables`), and how they are read from TOML (`read_tables`).

A campaign's `rules.toml` has the same shape; its rows are added to the game's or replace them.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from affray.core.engine.state import Combatant, Life, Track
from affray.core.parser.errors import Refused, format_signed, join_or, suggest_or_list
from affray.core.parser.prompt_fields import FieldsRow, with_fields
from affray.core.rules.campaign_tables import EnvironmentRow, RandomTable

_HEALTH, _CUSHION = "hp", "temp_hp"
"""The tracks that damage goes to, in games whose rows say nothing else."""

# -------------------------------------------------------------------------------------------------
# Gear, which a sheet need only name: `[weapons.glaive] dice = "1d10", type = "slashing", ...`

Weight = int | Literal["light"]
"""The weight of one: 0 for none, below 0 if it makes carrying easier; of `light` things only
several weigh something."""


class ArmorRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Armour, or a shield: its kind in the game's own words, its AC and its weight."""

    kind: str = ""
    ac: int = 0
    weight: Weight = 0


class WeaponRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon.

    dice      its damage, of a `type`
    tags      its properties in the rules: `agile`, `two-handed`
    kind      the proficiency that covers it
    range     its range in feet; 0 if unknown
    inflicts  effects of its hits
    """

    dice: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    kind: str = ""
    range: int = 0
    inflicts: tuple[str, ...] = ()
    weight: Weight = 0


class ItemRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A carried thing that is neither weapon nor armour.

    ap    the whole cost of using it, if not the usual price
    is_reusable  True if use doesn't use it up; `kept` in files
    text  its effect, in our own words; shown when it is used
    """

    weight: Weight = 0
    ap: int = 0
    is_reusable: bool = field(default=False, name="kept")
    text: str = ""


# -------------------------------------------------------------------------------------------------
# Prompts: what a key asks for, and the outcomes that a roll can have.


class PromptRow(FieldsRow, Struct, frozen=True, forbid_unknown_fields=True):
    """A command with a label on the screen, and the fields of its prompt.

    key      the key that begins it, and further ones; without one, letters of its name do
    was      its keys in earlier releases, which say once what the new one is
    label    its name in the footer and the help
    command  how its line begins: `mark`, `rest short`
    then     the id of the prompt after it. With `takes` it is for those affected by a roll, and
             says how much each outcome takes, `all` or `half`; else it is for the next character
             who can still give its command
    when     the life of the combatant under the cursor for which the key comes first in the footer
    first    True if it comes first in the footer and in lists of techniques
    example  sample words for its `line`; `{foe}` becomes the proposal for an unknown foe
    nobody   the message when there is nobody to choose for a `person`
    text     the rule in our own words
    also     other words by which it is found

    Its fields are as in `FieldsRow`. A row with the id of a technique and without a key is for the
    prompt of that technique; `trigger cast` is for the prompt of `trigger` when it carries out a
    readied `cast`.
    """

    key: str = ""
    was: str = ""
    label: str = ""
    command: str = ""
    then: str = ""
    takes: dict[str, Literal["all", "half"]] = {}
    when: Life | None = None
    first: bool = False
    example: str = ""
    nobody: str = ""
    text: str = ""
    also: str = ""


class OutcomeRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A possible outcome of a roll; its id is the word in commands.

    key    its key in a prompt
    was    its key in earlier releases
    hits   True if the prompt asks on, as after a hit
    label  its name in the prompt, if not the word
    named  True if only fields that name it offer it, such as `outcome:success|failure`
    critical  True if a recap counts it: as a critical if it hits, else as a fumble
    """

    key: str
    hits: bool = True
    was: str = ""
    label: str = ""
    named: bool = False
    critical: bool = False


TrackLook = Literal["bar", "pips", "boxes", "box", "number", "die", "badge"]


Resets = Literal["turn", "round", "fight", "rest", "long-rest"]
"""The moments at which a campaign's track can come back by itself."""


class TrackRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The name and look of a track.

    shown      bar, pips (a row of dots), boxes (a row of squares), box (one square; its letter in
               the order), badge, number or die
    counts     `left` or `marked`: what its value counts
    below      True if it may go below 0
    everybody  True if the order always shows it for everybody
    in_row     True if the order shows it in the row of whoever has it, behind what lasts
    quiet      True if the order has no column for it while nobody has a mark
    spent      True if it pays for a turn: the screen then shows what it was spent on
    grave      True if its marks weigh more than others
    levels     True if it is counted in levels (`TrackLevelRow`)
    least      the least number of dots or squares to leave room for, without a maximum
    when       the life in which it matters; None for every life
    unit       the unit after its number: "ft."
    under      the effect or surroundings under which it matters; empty for always
    passing    True if it is shown only while there is some of it
    carries    True if its value carries over from one fight to the next
    gm         True if the GM, or the party as a whole, can have it
    whose      the owner's name then: GM, or Party for shared tracks
    resets     when it comes back, to its maximum or to no marks: each `turn` of its bearer, each
               `round`, each `fight`, with each `rest`, with each `long-rest`; empty for never
    short      a label of one to four letters for narrow places
    one        the label of a single one, if the label is a plural: "Failure"
    spoken     its word for the ear, if its label is short, or would be misread by a speech program:
               "temporary HP", "A.P."
    recap      its place in a recap. A loss of it is `damage` and a gain healing; a loss of a
               `cushion` is damage as well; `spent` and `earned` count payments, or marks
    text       the rule in our own words
    """

    label: str
    shown: TrackLook = "number"
    counts: Literal["left", "marked"] = "left"
    below: bool = False
    everybody: bool = False
    in_row: bool = False
    quiet: bool = False
    spent: bool = False
    grave: bool = False
    levels: bool = False
    least: int = 0
    when: Life | None = None
    unit: str = ""
    under: str = ""
    passing: bool = False
    carries: bool = True
    gm: bool = False
    whose: str = "GM"
    resets: Literal["", Resets] = ""
    short: str = ""
    one: str = ""
    spoken: str = ""
    recap: Literal["", "damage", "cushion", "spent", "earned"] = ""
    text: str = ""

    @property
    def in_a_sentence(self) -> str:
        """The name within a sentence: "AP", but "fatigue"."""
        return self.label if self.label.isupper() else self.label.lower()

    @property
    def for_the_ear(self) -> str:
        """The name within a sentence for the ear."""
        return self.spoken or self.in_a_sentence

    def counted_aloud(self, number: int) -> str:
        """The name after a number, within a sentence for the ear: `legendary action` behind 1."""
        label = self.label_of(number)
        return self.spoken or (label if label.isupper() else label.lower())

    def label_of(self, number: int) -> str:
        """The label after a number: "Failures", but "Failure" behind 1."""
        return self.one if self.one and abs(number) == 1 else self.label


class EffectRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The consequences of an effect, in a small vocabulary.

    kind          condition, status, or another kind of the ruleset's
    modifiers     kind of roll, or `ac`, or `speed` -> bonus or penalty
    only_with     the tags of attacks with which its modifiers count; empty for everything
    speed         half, double or none
    at_most       number -> its maximum, after all other changes
    halves        kinds of number that are halved: the damage of attacks
    resist        type of damage, or `all` -> the amount resisted
    half_damage   types of damage, or `all`, that are halved
    adds_damage   type of damage -> the type added in the same amount
    ended_by      type of damage that ends it -> the effects that begin in its place
    keeps_off     effects that its bearer can't get, and that end when it gets this one
    advantage     kinds of roll that its bearer makes with advantage; likewise `disadvantage`
    suffers       `advantage` / `disadvantage` -> when rolls against its bearer have it, or the
                  game's own form of it, such as a better defence: always, near (within reach), far,
                  or source (only for the combatant it comes from)
    concerns      `source`: it counts only in rolls against and by the combatant it comes from;
                  `others`: in those against and by everybody else
    implies       effects that apply as long as this one
    needs_source  True if what it implies applies only while its source is in the fight and alive
    brings        effects that begin with this one and last on their own
    forbids       what its bearer can't do: `act`, `react`, `move`, or a word of the ruleset's
    breaks        effects of its source that end it; so does its source's end
    ends_with_source   True if only its source's end breaks it
    at_start      track -> marks (positive) or recovery (negative) at the start of a turn
    until         an end in place of the ruleset's default, as for a technique, or in words: "it
                  stands"
    carries       True if it carries over to the next fight, if it lasts so long; cover, for one,
                  doesn't
    escape        the price of getting free: track -> amount; empty for none. Without it, its bearer
                  can't get free alone
    text          the rule in our own words
    """

    name: str = ""
    kind: str = "condition"
    modifiers: dict[str, int] = {}
    only_with: tuple[str, ...] = ()
    speed: Literal["", "half", "double", "none"] = ""
    at_most: dict[str, int] = {}
    halves: tuple[str, ...] = ()
    resist: dict[str, int] = {}
    half_damage: tuple[str, ...] = ()
    adds_damage: dict[str, str] = {}
    ended_by: dict[str, tuple[str, ...]] = {}
    keeps_off: tuple[str, ...] = ()
    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()
    suffers: dict[str, str] = {}
    concerns: Literal["", "source", "others"] = ""
    implies: tuple[str, ...] = ()
    needs_source: bool = False
    brings: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    ends_with_source: bool = False
    at_start: dict[str, int] = {}
    until: str = ""
    carries: bool = True
    escape: dict[str, int] | None = None
    text: str = ""


class TrackLevelRow(EffectRow, frozen=True, forbid_unknown_fields=True):
    """The consequences of a track's level from `at` on, in the words of an effect.

    All rows up to the felt level are in force. An effect that a row `brings` begins when its level
    is first felt, and stays.

    track  whose levels they are
    goes   the rest that removes a level while this is the highest row that applies, in the game's
           word; empty for none
    """

    track: str = ""
    at: int = 1
    goes: str = ""


class TechniqueEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """The effect of a technique without code, besides its cost.

    inflict   an effect on the technique's targets
    bestow    an effect on its user; without `inflict`, on the technique's targets
    until     when that ends, as `core.engine.durations` reads it: `2 turns` of its bearer's, `start
              of source`, `this turn`, `save`; left out, as in the rules
    lifts     effects of its user that end: getting up lifts `prone`
    recovers  track -> the amount its user gets back
    when      the choice for which it has this effect: `success`
    says      the log's words in place of "uses NAME": "dodges"
    """

    inflict: str = ""
    bestow: str = ""
    until: str = ""
    lifts: tuple[str, ...] = ()
    recovers: dict[str, int] = {}
    when: str = ""
    says: str = ""


ANSWERED = ("struck", "act", "turn")
"""The triggers of reactions besides outcomes and commands: any roll at its user, any act in the
current turn, and an act to come."""


class TechniqueRow(FieldsRow, Struct, frozen=True, forbid_unknown_fields=True):
    """A technique of a combatant: its cost, its limits, and the questions for the GM.

    key      the key that begins it on the screen, and further ones; without one, letters of its
             name do
    was      its keys in earlier releases, which say once what the new one is
    cost     track -> amount, the first time in a turn
    repeat   once (a turn), rising (each further use costs one more), subject (again for another),
             any (as often as it can be paid) or fight (once in a fight)
    marks    track -> amount marked by doing it
    command  how the command line begins, if not with the technique's id
    reaction True if it is used outside its user's turn
    answers  what triggers a reaction, so that its prompt proposes who did it: outcomes of rolls at
             its user that hurt, commands of foes, and words of `ANSWERED`
    targets  those the prompt offers first: foes, allies or anyone
    does     its effect, if the row has it; else the ruleset has a function for it
    also     other words by which it is found

    Its fields are as in `FieldsRow`. In a row with `does`, `target`, `targets`, `ally` and `anyone`
    are its targets, and any other name is a word to type.
    """

    name: str = ""
    key: str = ""
    was: str = ""
    cost: dict[str, int] = {}
    repeat: Literal["once", "rising", "subject", "any", "fight"] = "once"
    marks: dict[str, int] = {}
    command: str = ""
    reaction: bool = False
    answers: tuple[str, ...] = ()
    targets: Literal["foes", "allies", "anyone"] = "foes"
    does: TechniqueEffect | None = None
    text: str = ""
    also: str = ""


Ink = Literal["", "hot", "cold", "wet"]
"""A colour of its own for an effect."""


class EffectKindRow(Struct, frozen=True, forbid_unknown_fields=True):
    """The look of a kind of effect, or of one effect by its name.

    harmful  True if it is drawn as a warning, and before the others
    ink      its colour, for effects that one can see or feel: fire is hot
    mark     the glyph of its first effect in the order; others have letters there
    ends     the text before the turn at which it ends: "waits until"
    timed    True if the timers list it; an effect that only follows from a number isn't listed
    is_named_by_note  True if its note, if any, is its name; `noted` in files
    words    its words with its note at `{}`: "sings {}", "{} zone"
    by_whom  True if it matters who has laid it on its bearer: who holds it, or frightens it
    """

    harmful: bool = False
    ink: Ink = ""
    mark: str = ""
    ends: str = ""
    timed: bool = True
    is_named_by_note: bool = field(default=False, name="noted")
    words: str = ""
    by_whom: bool = False


PROPOSED = "proposed"
"""The word of a row for those of its words that are a reading of another game's numbers."""
LEVEL = "level"
"""The kind of the effects of a track's level, which the track itself shows."""
OWN_BANE, OWN_BOON = "own-bane", "own-boon"
OWN_KINDS = {OWN_BANE: EffectKindRow(harmful=True), OWN_BOON: EffectKindRow()}
"""The kinds of effects that are a GM's own, in every game (`core.engine.custom_effects`)."""


class StatRow(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the numbers that `Ruleset.totals` gives, or of a combatant's own.

    label  its name
    spoken its word for the ear, if its label or id is short: "wisdom", "Fortitude"
    whole  True if it is a number of its own; else it is a bonus or penalty, or a word
    truth  True if it is 1 for yes and 0 for no, shown by the label alone
    usual  the usual word of a total without a number, which isn't shown
    glyphs a word -> the glyph for it beside its reasons
    rates  True if it rates a monster's strength, so that lists show it
    column True if the turn order has a column for it on a wide screen, such as AC
    """

    label: str = ""
    spoken: str = ""
    whole: bool = False
    rates: bool = False
    column: bool = False
    truth: bool = False
    usual: str = ""
    glyphs: dict[str, str] = {}

    def format_value(self, value: int | str, signed: Callable[[int], str] = format_signed) -> str:
        """The total as people read it: `14`, `+2`, `advantage`; nothing of a truth. `signed` writes
        a bonus, or says it."""
        if self.truth:
            return ""
        return str(value) if self.whole or isinstance(value, str) else signed(value)

    def say(self, value: int | str) -> str:
        """The total with its label, as people read it: `AC 14`, `Attacks +2`, `Bloodied`."""
        return f"{self.label} {self.format_value(value)}".rstrip()

    def for_the_ear(self, value: int | str, signed: Callable[[int], str]) -> str:
        """The total with its label, as people hear it: `Attacks plus 2`."""
        return f"{self.spoken or self.label} {self.format_value(value, signed)}".rstrip()

    def tells(self, value: int | str) -> bool:
        """True if there is anything to show: a bonus, or another word than the usual."""
        return self.whole or value not in (0, self.usual)


class DowntimeActivityRow(Struct, frozen=True, forbid_unknown_fields=True):
    """An activity in the hours of a rest; its id is the word of the command.

    rests   the rests that have time for it, in the game's own words
    heals   the HP that come back, in percent of the maximum
    clears  track -> the number of marks cleared
    spends  the party's track -> how much is spent
    note    another result, shown after their name: `reads the signs of the river`
    text    the rule in our own words
    """

    rests: tuple[str, ...] = ()
    heals: int = 0
    clears: dict[str, int] = {}
    spends: dict[str, int] = {}
    note: str = ""
    text: str = ""


class ReferenceText(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule to be read, on a subject without a row of its own, such as light or falling.

    name  how it is called
    text  the rule in our own words
    """

    name: str = ""
    text: str = ""


class Tables(Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """All tables of a ruleset. `economy` holds its plain numbers under names of its own.

    `levels` are rows of effects as well: the effects of levels of a track. `prompts` are the
    commands with a key of their own, besides the techniques. `outcomes` are the possible outcomes
    of a roll, in the order in which prompts offer them; `leans` is True if rolls can have advantage
    or disadvantage, as the better of two dice. `unaffected` names a stat (a list) and an effect (by
    its `type`) that say which effects somebody can't have, implied ones included; empty without
    such rules. `kinds` and `totals` say how kinds of effects and the totals look; see `kind` and
    `total`. `texts` are the rules without a technique, effect, track or command. `environments` are
    the surroundings, with their features and the world's actions. `random` are the random tables.
    `activities` are activities in a rest. `armor`, `weapons` and `items` are gear that sheets name.
    `moments` are words of the game's texts for the moments of `core.engine.reminders`. `played` are
    words in texts for rules that the game plays by stats and tracks. `own_reminders` are moments of
    a power's text that the game itself announces, by a field of the power's row and its value.
    `powers` are powers that sheets name, by id: the words after a power's name there. `counters`
    are the ids of tracks that the campaign has added, which every sheet can have. `bestiary` are
    creatures by id: the words that follow `add monster NAME`. They are compared by identity, so
    that results can be cached for them.
    """

    tracks: dict[str, TrackRow] = {}
    effects: dict[str, EffectRow] = {}
    levels: dict[str, TrackLevelRow] = {}
    techniques: dict[str, TechniqueRow] = {}
    economy: dict[str, Any] = {}
    damage_types: tuple[str, ...] = ()
    prompts: dict[str, PromptRow] = {}
    outcomes: dict[str, OutcomeRow] = {}
    leans: bool = False
    unaffected: str = ""
    kinds: dict[str, EffectKindRow] = {}
    totals: dict[str, StatRow] = {}
    texts: dict[str, ReferenceText] = {}
    environments: dict[str, EnvironmentRow] = {}
    random: dict[str, RandomTable] = {}
    activities: dict[str, DowntimeActivityRow] = {}
    armor: dict[str, ArmorRow] = {}
    weapons: dict[str, WeaponRow] = {}
    items: dict[str, ItemRow] = {}
    moments: dict[str, tuple[str, ...]] = {}
    played: dict[str, str] = {}
    own_reminders: dict[str, dict[str, tuple[str, ...]]] = {}
    powers: dict[str, dict[str, Any]] = {}
    counters: tuple[str, ...] = ()
    bestiary: dict[str, dict[str, Any]] = {}

    def merged(self, more: Tables) -> Tables:
        """These tables with the rows of `more` added, or put in place of rows of the same id."""
        rows = {}
        for table in self.__struct_fields__:
            own = getattr(self, table)
            if isinstance(own, dict):
                rows[table] = own | getattr(more, table)
        rows["economy"] = self.economy | _added(self.economy, more.economy)
        return replace(
            self,
            **rows,
            damage_types=tuple(dict.fromkeys((*self.damage_types, *more.damage_types))),
            leans=self.leans or more.leans,
            unaffected=self.unaffected or more.unaffected,
        )

    @property
    def health(self) -> str:
        """The track that damage goes to, of which the recap counts the damage."""
        return _track_of(self, "damage", _HEALTH)

    @property
    def temporary_health(self) -> str:
        """The track that damage goes to first, as temporary HP."""
        return _track_of(self, "cushion", _CUSHION)

    @property
    def health_label(self) -> str:
        """The health within a sentence: "HP", but "grit"."""
        row = self.tracks.get(self.health)
        return row.in_a_sentence if row is not None else "HP"

    def health_of(self, combatant: Combatant) -> Track | None:
        """Somebody's remaining health, with its maximum; None without health. For marked wounds it
        is the marks still free."""
        name = self.health
        track = combatant.tracks.get(name)
        if track is None or self.track(name).counts == "left":
            return track
        return None if track.max is None else Track(track.max - track.value, track.max)

    @property
    def spoken(self) -> dict[str, str]:
        """Words for the ear, by the ids and labels of tracks and numbers that are short for them:
        `wis` is `wisdom`."""
        rows: dict[str, StatRow | TrackRow] = {**self.totals, **self.tracks}
        return {
            word: row.spoken
            for key, row in rows.items()
            if row.spoken
            for word in filter(None, (key, row.label))
        }

    @property
    def party(self) -> dict[str, dict[str, Any]]:
        """The rows of the campaign's characters, by id."""
        return {key: row for key, row in self.bestiary.items() if row.get("kind") == "pc"}

    def name_of(self, key: str) -> str:
        """The name of a creature of the bestiary: its row's, or else its id in capitals.

        >>> Tables(bestiary={"bog ghoul": {}}).name_of("bog ghoul")
        'Bog Ghoul'
        """
        return str(self.bestiary[key].get("name", key.title()))

    def track(self, name: str) -> TrackRow:
        """The row of a track; one that the tables don't have goes by the words of its id."""
        return self.tracks.get(name) or TrackRow(name.replace("_", " "))

    def kind(self, name: str) -> EffectKindRow:
        """The look of a kind of effect; a plain one when the table has none."""
        return self.kinds.get(name) or OWN_KINDS.get(name, _PLAIN_KIND)

    def look(self, name: str, kind: str) -> EffectKindRow:
        """The look of an effect: by its own row, else by its kind."""
        return self.kinds.get(name) or self.kind(kind)

    def total(self, name: str) -> StatRow:
        """The look of a total; a bonus or penalty by its own name when the table has none."""
        rule = self.totals.get(name, _PLAIN_TOTAL)
        if rule.label:
            return rule
        return replace(rule, label=name.replace("_", " ").capitalize())

    @property
    def column_total(self) -> str:
        """The total with a column in the turn order; empty for none."""
        return next((name for name, rule in self.totals.items() if rule.column), "")


@lru_cache(maxsize=32)  # asked at each loss of health
def _track_of(tables: Tables, recap: str, usual: str) -> str:
    """The first track with this `recap`; by default the usual one."""
    return next((name for name, row in tables.tracks.items() if row.recap == recap), usual)


_PLAIN_KIND, _PLAIN_TOTAL = EffectKindRow(), StatRow()
USUAL_TABLES = Tables()
"""Those of a game that says nothing: its health is HP."""


def _added(own: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Put `more` over `own`: a number replaces a number, a table adds its rows."""
    return {n: own[n] | v if isinstance(own.get(n), dict) else v for n, v in more.items()}


# -------------------------------------------------------------------------------------------------
# Reading tables, from a rule system's folder or a campaign's rules.toml. A fault is told in one
# line, with the table, the row and the field.

_Row = TypeVar("_Row", RandomTable, EffectRow, TrackLevelRow, TechniqueRow, ReferenceText)


def read_tables(*parts: dict[str, Any]) -> Tables:
    """Tables from parsed TOML documents, one after the other.

    Rows without a name take their id. Raises Refused, in one line with the path of what is wrong.
    """
    tables = Tables()
    for part in map(_upcast, parts):
        if "counters" in part:
            raise Refused("`counters`: affray lists these: each [tracks.NAME] of your own is one")
        try:
            tables = tables.merged(msgspec.convert(part, Tables))
        except msgspec.ValidationError as error:
            raise (_fault(part) or Refused(f"rules: {error}")) from error
    levels = {key: replace(row, kind=LEVEL) for key, row in _named(tables.levels).items()}
    return replace(
        tables,
        effects=_named(tables.effects) | levels,
        levels=levels,
        techniques=_named(tables.techniques),
        texts=_named(tables.texts),
        random=_named(tables.random),
    )


def _upcast(part: dict[str, Any]) -> dict[str, Any]:
    """A document of an earlier release in today's form."""
    return _upcast_ends(_with_fields(part))


def _with_fields(part: dict[str, Any]) -> dict[str, Any]:
    """A document whose rows have their fields in today's form."""
    rows = {table: part[table] for table in ("techniques", "prompts") if table in part}
    return part | {
        table: {key: with_fields(row) for key, row in row_by_key.items()}
        for table, row_by_key in rows.items()
        if isinstance(row_by_key, dict)
    }


_ENDS_WERE = {"turn": "this turn", "start": "start of source", "end": "end of source"}


def _upcast_ends(part: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the ends of effects in today's form, in place of older ones: `does = {
    turns = 2 }` or `{ ends = "start" }`, and `until = "start"` of surroundings."""
    part = part | {n: deepcopy(part[n]) for n in ("techniques", "environments") if n in part}
    for technique in _dicts(part.get("techniques")):
        for does in _dicts({"does": technique.get("does")}):
            if len({"turns", "ends", "until"} & does.keys()) == 1 and "until" not in does:
                was = str(does.pop("ends", "")) or f"{does.pop('turns')} turns"
                does["until"] = _ENDS_WERE.get(was, was)
    for environment in _dicts(part.get("environments")):
        for table in ("features", "actions"):
            for row in _dicts(environment.get(table)):
                if row.get("until") in ("start", "end"):
                    row["until"] += " of bearer"
    return part


def _dicts(rows: Any) -> list[dict[str, Any]]:
    """The rows of a table that are tables themselves."""
    return [row for row in rows.values() if isinstance(row, dict)] if isinstance(rows, dict) else []


def _named(rows: dict[str, _Row]) -> dict[str, _Row]:
    """The rows, each with a name: by default its id."""
    return {key: row if row.name else replace(row, name=key) for key, row in rows.items()}


def _fault(part: dict[str, Any]) -> Refused | None:
    """The fault of a document, with its row and field; None when it can't be located."""
    names = Tables.__struct_fields__
    for table, rows in part.items():
        if table not in names:
            there = suggest_or_list(table, names)
            return Refused(f"there is no table [{table}]{there}", row=table)
        fault = _fault_of_rows(table, rows, _rows_of(Tables, table))
        if fault:
            return fault
    return None


def _fault_of_rows(path: str, rows: Any, row_type: type[Struct] | None) -> Refused | None:
    """The fault of the first wrong row of a table, as `[environments.cave.features.ice] ...`.

    A row may hold tables of its own, as surroundings hold their features: these come before it.
    """
    if row_type is None or not isinstance(rows, dict):
        return None
    for key, row in rows.items():
        where = f"{path}.{key}"
        for name, within in row.items() if isinstance(row, dict) else ():
            fault = _fault_of_rows(f"{where}.{name}", within, _rows_of(row_type, name))
            if fault:
                return fault
        text, wrong = _fault_of_row(row, row_type)
        if text:
            return Refused(f"[{where}]{text}", row=where, field=wrong)
    return None


def _rows_of(row_type: type[Struct], field: str) -> type[Struct] | None:
    """The type of the rows of a field that is a table; None for any other field."""
    hint = get_type_hints(row_type).get(field)
    row = get_args(hint)[-1] if get_origin(hint) is dict else None
    return row if hasattr(row, "__struct_fields__") else None


def _fault_of_row(row: Any, row_type: type[Struct]) -> tuple[str, str]:
    """The fault of a row, and the field that has it; empty for none."""
    fields = row_type.__struct_encode_fields__
    for name in row if isinstance(row, dict) else ():
        if name not in fields:
            return f" has no field {name!r}{suggest_or_list(name, fields)}", name
    try:
        msgspec.convert(row, row_type)
    except msgspec.ValidationError as error:
        text, _, where = str(error).partition(" - at ")
        place = where.strip("`").removeprefix("$").removeprefix(".")
        choices = _choices(row_type, place)
        text = f"must be {join_or(choices)}" if choices else text[:1].lower() + text[1:]
        return f"{f' {place}' if place else ''}: {text}", place.partition(".")[0].partition("[")[0]
    return "", ""


def _choices(row_type: type[Struct], place: str) -> list[str]:
    """The words between which the field at a place chooses; empty for one that is free."""
    hint: Any = row_type
    for name in place.split("."):
        within = next((h for h in (hint, *get_args(hint)) if hasattr(h, "__struct_fields__")), None)
        hint = get_type_hints(within).get(name) if within is not None else None
    found = get_args(hint) if get_origin(hint) is Literal else ()
    return [repr(word) for word in found if word]
