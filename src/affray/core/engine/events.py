"""Events: what became true, each complete in itself, so that replay needs no rule and no die.

Events are named in the past tense and carry what a person would want to know later: the dice as
they fell, the amounts as they really were after limits, and why.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from affray.core.engine.state import Clock, Effect, Kind, Life, Side, Slot, Track


class Event(
    Struct,
    frozen=True,
    gc=False,  # events hold no cycles, and a long log holds many of them
    omit_defaults=True,
    tag_field="event",
    forbid_unknown_fields=True,
):
    """Something that became true. The tag `event` names the kind in the log."""


class Added(Event, frozen=True, tag="added"):
    """A combatant joined; its slot stands at the end of the order until initiative is known.

    `number` is what is typed for it. Logs from before it was kept have none: there the first turn
    gives numbers in the order of initiative, and whoever joins later the next one.
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
    """Somebody waits for a wave: `adds` is what `add` is told when it comes, such as `ghoul x3`.

    An empty text tells that the wave has come, and nobody waits for it any more.
    """

    wave: int
    adds: str = ""


class Left(Event, frozen=True, tag="left"):
    """A combatant left the fight. Its slot stays, and goes on being counted."""

    who: str
    why: str = ""


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
    """`who`'s turn ended. `passed`: it had none, being gone or dead, and was only counted."""

    who: str
    passed: bool = False


class Delayed(Event, frozen=True, tag="delayed"):
    """`who` holds back; the turn stays open until they come back in."""

    who: str


class Rolled(Event, frozen=True, tag="rolled"):
    """Dice fell: `faces` of `dice`, giving `total`.

    `natural` is the die that counts when one does; `outcome` what the ruleset made of it, moved
    along by `step` places. `lean` is 1 for a roll with advantage, −1 for one with disadvantage.
    `by_hand` tells dice that were read off the table from those that the program rolled.
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

    @property
    def is_save(self) -> bool:
        """Whether it is a saving throw, by what the game calls it."""
        return bool(_A_SAVE.search(self.for_))


_A_SAVE = re.compile(r"\bsav(e|ing)\b", re.IGNORECASE)


class CostPaid(Event, frozen=True, tag="spent"):
    """`who` paid `by` from a track for something."""

    who: str
    track: str
    by: int
    for_: str = field(default="", name="for")


class TrackChanged(Event, frozen=True, tag="changed"):
    """A track moved by `by`, which is what it really moved after every limit.

    `who` is empty for a track of the GM's. `max` gives the track a new maximum. A track that is
    not there yet begins at 0. `routine` marks what comes every time, and is no news to anybody.
    `unfelt` is how many more of its levels are not felt yet, or how many fewer; `lowered` by how
    much more its maximum is lowered than before, or by how much less.
    """

    who: str
    track: str
    by: int = 0
    max: int | None = None
    why: str = ""
    routine: bool = False
    unfelt: int = 0
    lowered: int = 0


class StatChanged(Event, frozen=True, tag="adjusted"):
    """One of a combatant's own numbers or words became `value`. `stat` may be `name` or `side`."""

    who: str
    stat: str
    value: Any


class UseCounted(Event, frozen=True, tag="used"):
    """`who` did `what` once more within the span (`turn`, `fight`, `rest`, ...)."""

    who: str
    what: str
    span: str = "turn"


class UsesReset(Event, frozen=True, tag="forgot"):
    """The counts of a span began anew for `who`."""

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
    """The effect of that id on `who` is from now on as given: longer, stronger, re-sourced."""

    who: str
    effect: Effect
    why: str = ""


class LifeChanged(Event, frozen=True, tag="became"):
    """`who` is now up, dying, stable, unconscious, defeated or dead."""

    who: str
    life: Life
    why: str = ""


class NoteAdded(Event, frozen=True, tag="noted"):
    """The GM wrote something down, about `who` or about the fight; or the rules say something.

    `read_aloud` tells that it is for the players, to be read to them.
    """

    text: str
    who: str = ""
    read_aloud: bool = field(default=False, name="aloud")


class ClockChanged(Event, frozen=True, tag="counted"):
    """A clock was started or moved; `clock` is what it is now, None when it was put away."""

    name: str
    clock: Clock | None = None
    why: str = ""


class SettingChanged(Event, frozen=True, tag="chose"):
    """A setting of the fight became `value`; empty text puts it back to its default."""

    setting: str
    value: str


class LedgerImported(Event, frozen=True, tag="carried"):
    """The other events of this entry come from another log of the campaign.

    log    its file, as the campaign's folder has it: `ledger.toml`, `encounters/ford.toml`
    entry  the one after which it was there as it came here; `why` goes on from it
    title  what people call that log
    sum    a checksum of its file, by which a change is noticed; empty where nobody asks
    fight  which fight it is, whatever its file is called (`carrying.fight_id`); empty of a ledger,
           and in entries from before it was kept
    """

    log: str
    entry: int
    title: str
    sum: str = ""
    fight: str = ""


class SheetWritten(Event, frozen=True, tag="written"):
    """The campaign's party has `who` with this sheet by now: whatever is otherwise in their numbers
    and maxima has come of play. It is told where that is not as they joined, or as told last."""

    who: str
    stats: dict[str, Any] = {}
    tracks: dict[str, Track] = {}


class Revealed(Event, frozen=True, tag="revealed"):
    """Whether the players know of `who`."""

    who: str
    hidden: bool = False


AnyEvent = (
    Added
    | WavePlanned
    | Left
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
