"""`affray check --repair` of hurt logs: what is whole is in the new one, and nothing else is."""

from __future__ import annotations

from tests.torture.damaged_bytes import Hurt, hurt_logs, mixed, older, taken_out, twice, zeros
from tests.torture.fights import Content, log_of, read
from tests.torture.table import Tally, fault

from affray.store import LogError
from affray.store.entry_toml import SEPARATOR
from affray.store.log_recovery import Damaged, build_history, parse_log
from affray.store.log_repair import repaired, survey

HURTS: dict[str, Hurt] = {
    "zeroed": zeros,
    "older": older,
    "twice": twice,
    "missing": taken_out,
    "interleaved": mixed,
}


@fault("a damaged log is repaired")
def repair(tally: Tally) -> None:
    """After each of the blocks that were hurt, and one bit in so many."""
    for kind, hurt in HURTS.items():
        for number, (where, whole, broken) in enumerate(hurt_logs(tally, hurt)):
            if number % tally.times(1, 20) == 0:
                _repair(tally, whole, broken, f"{kind}, {where}", in_order=hurt is not mixed)
    whole = log_of(20)
    for bit in range(tally.rng.randrange(7), len(whole) * 8, tally.times(7, 1999)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        _repair(tally, whole, bytes(flipped), f"bit {bit}", in_order=True)


def _repair(tally: Tally, whole: bytes, broken: bytes, where: str, *, in_order: bool) -> None:
    """The repair of what is damaged; what the reader takes for a log needs none."""
    try:
        parse_log(broken, "fight.toml")
        return
    except Damaged:
        pass
    except LogError as error:  # no log, perhaps, but with whole entries in it
        tally.say(error)
    tally.tries += 1
    try:
        made = repaired(survey(broken, "fight.toml"))
    except LogError as error:
        tally.say(error)
        return
    except Exception as error:
        tally.breaks(where, error)
        return
    _compare(tally, read(whole), made, where)
    if in_order:
        _nothing_left_out(tally, whole, broken, made, where)


def _compare(tally: Tally, saved: Content, made: bytes, where: str) -> None:
    try:
        text = parse_log(made, "fight.repaired.toml")
        build_history(text)
    except LogError as error:
        tally.fails(f"{where}: the new log can't be read: {error}")
        return
    known = dict(saved)
    strange = [
        block.seq
        for block in text.blocks
        if not (block.edited or known.get(block.seq) == block.table or _is_note(block.table))
    ]
    if strange:
        tally.misreads(f"{where}: entry {strange[0]} of the new log is another")
    tally.say(made.split(b"\n")[1].decode().removeprefix("# "), best="lost")


def _is_note(data: dict[str, object]) -> bool:
    return str(data.get("text", "")).endswith(" lost")


def _nothing_left_out(tally: Tally, whole: bytes, broken: bytes, made: bytes, where: str) -> None:
    blocks = [SEPARATOR + part for part in whole.split(SEPARATOR)[1:]]
    gone = [block for block in blocks if block in broken and block not in made]
    if gone:
        tally.lose(f"{where}: {gone[0][:60]!r}", len(gone))
