"""Files as a bad disk or a bad copy leaves them: only what is read of them is at stake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
from tests.torture.fights import BEGUN, FORMS, judged, kept, log_of, read, saved_commands
from tests.torture.table import Tally, fault

from affray.core.engine import events
from affray.core.engine.state import Clock, Duration, Effect, Slot, Track
from affray.store.entries import to_body
from affray.store.entry_toml import SEPARATOR, format_entry
from affray.store.log_recovery import parse_log
from affray.store.open_encounter import OpenEncounter

SECTOR, PAGE = 512, 4096
WEAK = Effect("weak-1", "weakened", "condition", Duration("turn", "mira", "end", 3), "ghoul-1")
EVENTS: tuple[events.AnyEvent, ...] = (
    events.Added("rat", "Rat “Ö” ☠", "foes", "monster", {"cr": 39}, {"hp": Track(39, 39)}),
    events.WavePlanned(2, 'rat x3 "seq = 99"'),
    events.Left("rat", "through the door"),
    events.Returned("rat", hidden=True),
    events.InitiativeSet((Slot("mira", 12), Slot("ghoul-1", 9))),
    events.Began(),
    events.Ended(),
    events.RoundStarted(12),
    events.TurnStarted("mira", resumed=True),
    events.TurnEnded("mira", passed=True),
    events.Delayed("mira"),
    events.Rolled("mira", "2d20kh1+3", (14, 19), 22, 19, "strike", "ghoul-1", 15, "strong"),
    events.CostPaid("mira", "ap", 12, "strike"),
    events.TrackChanged("ghoul-1", "hp", -139, 150, "seq = 99", routine=True),
    events.StatChanged("ghoul-1", "speed", 30),
    events.UseCounted("mira", "strike", "fight"),
    events.UsesReset("mira", "turn"),
    events.EffectGained("ghoul-1", WEAK),
    events.EffectLost("ghoul-1", "weak-1", "it wore off"),
    events.EffectChanged("ghoul-1", WEAK, "extended"),
    events.LifeChanged("ghoul-1", "dead", "−139 HP"),
    events.NoteAdded('she said: "[[entry]]"\nseq = 99\n', "mira"),
    events.ClockChanged("the bridge falls", Clock("the bridge falls", 14, sides=6), "4d6"),
    events.SettingChanged("houserule", "on"),
    events.Revealed("ghoul-1", hidden=True),
    events.LedgerImported("encounters/ford.toml", 31, "The Ford", "9f1c22ab"),
    events.SheetWritten("mira", {"ac": 15, "attack": ["axe 1d8"]}, {"hp": Track(20, 30)}),
)
"""One of every kind, with what could be cut short unseen: numbers, lists, words, a false end."""


def _body(event: events.AnyEvent, seq: int) -> dict[str, Any]:
    from affray.core.engine.history import Entry

    return to_body(Entry(seq, "by hand", text="as it was", events=(event,), at=BEGUN))


@fault("the last entry is cut at every byte")
def cut(tally: Tally) -> None:
    """Every kind of event, every kind of line end; some of them on the disk, and played on."""
    before = log_of(4)
    start = read(before)
    if {type(event) for event in EVENTS} != set(get_args(events.AnyEvent)):
        tally.fails("not every kind of event is among those that are cut")
    for number, event in enumerate(EVENTS):
        kind = msgspec.to_builtins(event)["event"]
        raw = before + format_entry(_body(event, 5), 5)
        for form, shape in FORMS.items():
            whole, begin = shape(raw), len(shape(before))
            saved = read(whole)
            step = 1 if not tally.short else 29
            for at in range(begin + number % step, len(whole), step):
                tally.tries += 1
                where = f"{kind}, {form}, cut at {at - begin} of {len(whole) - begin}"
                expected = saved if at >= len(whole.rstrip()) else start
                text = judged(tally, whole[:at], start, where) if expected is start else None
                if text is not None and text.last_seq != 4:
                    tally.lose(f"{where}: {text.last_seq} entries read")
            _played_on(tally, whole, begin, f"{kind}, {form}")


def _played_on(tally: Tally, whole: bytes, begin: int, where: str) -> None:
    """Cut somewhere, opened by a player: the tail is kept beside, and the fight goes on."""
    path = tally.folder / "fight.toml"
    for _ in range(tally.times(10, 1)):
        at = tally.rng.randrange(begin, len(whole.rstrip()))
        for file in tally.folder.iterdir():
            file.unlink()
        path.write_bytes(whole[:at])
        tally.tries += 1

        def play() -> None:
            with OpenEncounter.open(path) as fight:
                fight.do("note 'we play on'")

        if not tally.attempt(where, play):
            tally.fails(f"{where}, cut at {at}: it can't be played on")
        elif len(saved_commands(path)) != 5:
            tally.lose(f"{where}, cut at {at}, after it was mended")
        elif whole[begin:at].strip() not in kept(path):
            tally.lose(f"{where}, cut at {at}: the tail is not kept")


@fault("any one bit flips, in a small log")
def flip(tally: Tally) -> None:
    """Every single bit, of the header too."""
    raw = log_of(tally.times(9, 4))
    saved, header = read(raw), parse_log(raw, "fight.toml").header
    for bit in range(0 if not tally.short else 3, len(raw) * 8, tally.times(1, 11)):
        broken = bytearray(raw)
        broken[bit // 8] ^= 1 << bit % 8
        tally.tries += 1
        text = judged(tally, bytes(broken), saved, f"bit {bit}")
        if text is not None and not text.notes and text.header != header:
            tally.misreads(f"bit {bit}: the header is another, and not marked")


def _blocks(raw: bytes) -> list[tuple[str, int, int]]:
    """Where the blocks of a file are that can be lost: sectors, pages, and whole entries."""
    found = [
        (f"{size} bytes", at, min(at + size, len(raw)))
        for size in (SECTOR, PAGE)
        for at in range(0, len(raw), size)
    ]
    ends = [at for at in range(len(raw)) if raw.startswith(SEPARATOR, at)]
    return [*found, *(("entry", a, b) for a, b in zip(ends, [*ends[1:], len(raw)], strict=True))]


Hurt = Callable[[bytes, int, int], list[bytes]]
"""A log and where a block of it begins and ends, to what becomes of it, in one way or several."""


def zeros(raw: bytes, a: int, b: int) -> list[bytes]:
    """Zeros in its place."""
    return [raw[:a] + bytes(b - a) + raw[b:]]


def older(raw: bytes, a: int, b: int) -> list[bytes]:
    """What stands before it in its place."""
    return [raw[:a] + raw[max(0, 2 * a - b) : a] + raw[b:]]


def twice(raw: bytes, a: int, b: int) -> list[bytes]:
    """At once, and once more at the end."""
    return [raw[:b] + raw[a:], raw + raw[a:b]]


def taken_out(raw: bytes, a: int, b: int) -> list[bytes]:
    """Gone. That a last entry once was there nobody can see when all of it is gone."""
    is_last_entry = b == len(raw) and raw.startswith(SEPARATOR, a)
    return [] if is_last_entry else [raw[:a] + raw[b:]]


def mixed(raw: bytes, a: int, b: int) -> list[bytes]:
    """Two neighbours change places, or are mixed line by line."""
    c = min(2 * b - a, len(raw))
    ours, theirs = raw[a:b].split(b"\n"), raw[b:c].split(b"\n")
    rows = [row for pair in zip(ours, theirs, strict=False) for row in pair]
    rest = ours[len(theirs) :] + theirs[len(ours) :]
    return [
        raw[:a] + raw[b:c] + raw[a:b] + raw[c:],
        raw[:a] + b"\n".join(rows + rest) + raw[c:],
    ]


@fault("a block is zeroed")
def zeroed(tally: Tally) -> None:
    """In the tail and in the middle."""
    _each_block(tally, zeros)


@fault("a block is stale: an older one, or another log's")
def stale(tally: Tally) -> None:
    """What stood before it, and what stood there in another fight with the same numbers.

    Of another fight's block only the edges tell that it is one: its whole entries have their seals.
    """
    other = log_of(200, seed=5)
    _each_block(tally, older)
    _each_block(tally, lambda raw, a, b: [raw[:a] + other[a:b] + raw[b:]], marked=False)


@fault("a block is there twice")
def doubled(tally: Tally) -> None:
    """At once, and once more at the end."""
    _each_block(tally, twice)


@fault("a block is missing")
def missing(tally: Tally) -> None:
    """Taken out."""
    _each_block(tally, taken_out)


@fault("blocks are interleaved")
def interleaved(tally: Tally) -> None:
    """Two neighbours change places, or are mixed line by line."""
    _each_block(tally, mixed)


def _each_block(tally: Tally, hurt: Hurt, *, marked: bool = True) -> None:
    for where, whole, broken in hurt_logs(tally, hurt):
        tally.tries += 1
        judged(tally, broken, read(whole), where, marked=marked)


def hurt_logs(tally: Tally, hurt: Hurt) -> Iterator[tuple[str, bytes, bytes]]:
    """Hurt every block of a long log, and the last of logs that end after each of their entries.

    Gives where, the log as it was, and the hurt one.
    """
    for entries in (200, *range(5, 60, 5)) if not tally.short else (30,):
        raw = log_of(200)
        if entries < 200:
            raw = raw[: [b for kind, _, b in _blocks(raw) if kind == "entry"][entries]]
        blocks = _blocks(raw)
        for size, a, b in blocks if entries == 200 or tally.short else blocks[-12:]:
            for which, broken in enumerate(hurt(raw, a, b)):
                if broken != raw:
                    yield f"{entries} entries, {size} at {a} to {b}, way {which + 1}", raw, broken
