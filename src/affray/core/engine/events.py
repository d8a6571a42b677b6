"""Events: what became true, each complete in itself, so that replay needs no rule and no die.

Events have names in the past tense, and keep what people want to know later: the dice rolled, the
amounts after all limits, and the reason.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from affray.core.engine.state import Clock, Effect, Kind, Life, Side, Slot, Track
from affray.core.late_pattern import late_pattern


class Event(
    Struct,
    frozen=True,
    gc=False,  # events hold no cycles, and a long log holds many of them
    omit_defaults=True,
    repr_omit_defaults=True,
    tag_field="event",
    forbid_unknown_fields=True,
):
    """Something that became true. The tag `event` names the kind in the log."""


class Added(Event, frozen=True, tag="added"):
    """A combatant joined; its slot stands at the end of the order until initiative is known.

    `number` can be typed for it. Older logs have none: there the first turn gives numbers in the
    order of initiative, and those who join later get the next one.
    """

    who: str
    name: str
    side: Side
    kind: Kind
    stats: dict[str, Any] = {}
    tracks: dict[str, Track] = {}
    hidden: bool = False
    number: int = 0


class WavePlanned(Event, frozen=True, tag="planned"):
    """Somebody waits for a wave: `adds` is what follows `add` in a command, such as `ghoul x3`.

    Empty once the wave has come and nobody waits for it.
    """

    wave: int
    adds: str = ""


class Left(Event, frozen=True, tag="left"):
    """A combatant left the fight. Its slot stays, and goes on being counted."""

    who: str
    why: str = ""


class Returned(Event, frozen=True, tag="returned"):
    """A combatant who had left came back with everything it had then, in its old slot."""

    who: str
    hidden: bool = False


class InitiativeSet(Event, frozen=True, tag="ordered"):
    """Initiative became known: `slots` is the whole order from now on."""

    slots: tuple[Slot, ...]


class Began(Event, frozen=True, tag="began"):
    """The fight began; the first round is `round`."""

    round: int = 1


class Ended(Event, frozen=True, tag="ended"):
    """The fight is over."""


class RoundStarted(Event, frozen=True, tag="round"):
    """A new round began."""

    round: int


class TurnStarted(Event, frozen=True, tag="turn"):
    """The turn of `who` began; `resumed` when it had begun before and was only waiting."""

    who: str
    resumed: bool = False


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    """The turn of `who` ended; `passed` if it was only counted, since they were gone or dead."""

    who: str
    passed: bool = False


class Delayed(Event, frozen=True, tag="delayed"):
    """`who` holds back; the turn stays open until they come back in."""

    who: str


class Step(
    Struct,
    frozen=True,
    gc=False,
    omit_defaults=True,
    repr_omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A part of a number: a bonus to a roll, or a step of damage.

    what    its name: a sword, a type of damage, `halved`
    amount  the amount it begins with: `8 slashing`
    by      the amount added or subtracted: `+5 sword`; for damage `AC 2`
    to      the rest after it: `halved 4`
    """

    what: str = ""
    amount: int | None = None
    by: int | None = None
    to: int | None = None


class Rolled(Event, frozen=True, tag="rolled"):
    """Dice fell: `faces` of `dice`, giving `total`.

    `parts` are what the dice are raised or lowered by, which `dice` has as one number. Older logs
    have them in `why`.

    `natural` is the single die that counts, if one does; `outcome` is the result by the rules,
    after a move by `step` places. `lean` is 1 for advantage, −1 for disadvantage.
    `by_hand` marks dice that were read off the table, and not rolled by affray.
    """

    who: str
    dice: str
    faces: tuple[int, ...] = ()
    total: int | None = None
    natural: int | None = None
    for_: str = field(default="", name="for")
    against: str = ""
    dc: int | None = None
    outcome: str = ""
    why: str = ""
    by_hand: bool = False
    step: int = 0
    lean: int = 0
    parts: tuple[Step, ...] = ()

    @property
    def is_check(self) -> bool:
        """True if it is rolled for an outcome, not for an amount."""
        return self.natural is not None or bool(self.outcome) or self.for_ == "initiative"

    @property
    def is_save(self) -> bool:
        """True if it is a saving throw, by its name."""
        return bool(_A_SAVE.search(self.for_))


_A_SAVE = late_pattern(r"\bsav(e|ing)\b", re.IGNORECASE)


class CostPaid(Event, frozen=True, tag="spent"):
    """`who` paid `by` from a track for something."""

    who: str
    track: str
    by: int
    for_: str = field(default="", name="for")


class TrackChanged(Event, frozen=True, tag="changed"):
    """A track moved by `by`, after every limit.

    `who` is empty for a track of the GM's. A missing track begins at 0. `max` is its new maximum,
    if that changes. `unfelt` and `lowered` are changes of these numbers of a `Track`. `routine`
    marks a change that comes every time, and is no news. `parts` are the steps of damage, which
    older logs have in `why`.
    """

    who: str
    track: str
    by: int = 0
    max: int | None = None
    why: str = ""
    routine: bool = False
    unfelt: int = 0
    lowered: int = 0
    parts: tuple[Step, ...] = ()


class StatChanged(Event, frozen=True, tag="adjusted"):
    """One of a combatant's own numbers or words became `value`. `stat` may be `name` or `side`."""

    who: str
    stat: str
    value: Any


class UseCounted(Event, frozen=True, tag="used"):
    """`who` did `what` once more within a span: `turn`, `fight`, `rest`."""

    who: str
    what: str
    span: str = "turn"


class UsesReset(Event, frozen=True, tag="forgot"):
    """The counts of a span were reset for `who`."""

    who: str
    span: str


class EffectGained(Event, frozen=True, tag="gained"):
    """An effect began on `who`."""

    who: str
    effect: Effect


class EffectLost(Event, frozen=True, tag="lost"):
    """The effect of that id ended on `who`."""

    who: str
    effect: str
    why: str = ""


class EffectChanged(Event, frozen=True, tag="altered"):
    """The effect of the same id on `who` was replaced: it is longer, stronger, from another."""

    who: str
    effect: Effect
    why: str = ""


class LifeChanged(Event, frozen=True, tag="became"):
    """`who` is now up, dying, stable, unconscious, defeated or dead."""

    who: str
    life: Life
    why: str = ""


class NoteAdded(Event, frozen=True, tag="noted"):
    """The GM or the rules noted something, about `who` or about the fight.

    `read_aloud` marks a text to be read to the players. The rules' own notes contain no name and
    aren't kept on anybody. One that `goes_on` continues the name of `who`, such as `had no fatigue
    to clear`; an `aside` follows that name and a colon.
    """

    text: str
    who: str = ""
    read_aloud: bool = field(default=False, name="aloud")
    goes_on: bool = field(default=False, name="on")
    aside: bool = False


class ClockChanged(Event, frozen=True, tag="counted"):
    """A clock was started or moved; `clock` is its new state, None if it was removed."""

    name: str
    clock: Clock | None = None
    why: str = ""


class SettingChanged(Event, frozen=True, tag="chose"):
    """A setting of the fight became `value`; empty text puts it back to its default."""

    setting: str
    value: str


class LedgerImported(Event, frozen=True, tag="carried"):
    """The other events of this entry come from another log of the campaign.

    log    its file in the campaign's folder: `ledger.toml`, `encounters/ford.toml`
    entry  the head of that log at the time, from which `why` goes on
    title  the title of that log
    sum    a checksum of its file, to notice a change; empty if it isn't needed
    fight  the fight's id (`ledger.fight_id`); empty for a ledger, and in older entries
    """

    log: str
    entry: int
    title: str
    sum: str = ""
    fight: str = ""


class SheetWritten(Event, frozen=True, tag="written"):
    """The sheet of `who` in the campaign's party has changed since it was last in the log.

    Where their numbers and maxima differ from it, play has changed them.
    """

    who: str
    stats: dict[str, Any] = {}
    tracks: dict[str, Track] = {}


class Revealed(Event, frozen=True, tag="revealed"):
    """The players learned of `who`, or with `hidden` no longer know of them."""

    who: str
    hidden: bool = False


AnyEvent = (
    Added
    | WavePlanned
    | Left
    | Returned
    | InitiativeSet
    | Began
    | Ended
    | RoundStarted
    | TurnStarted
    | TurnEnded
    | Delayed
    | Rolled
    | CostPaid
    | TrackChanged
    | StatChanged
    | UseCounted
    | UsesReset
    | EffectGained
    | EffectLost
    | EffectChanged
    | LifeChanged
    | NoteAdded
    | ClockChanged
    | SettingChanged
    | Revealed
    | LedgerImported
    | SheetWritten
)
