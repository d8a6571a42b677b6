"""What stops between a fight's end and the campaign's ledger: a kill, and a disk that fails."""

from __future__ import annotations

import errno
import shutil
from itertools import count

from tests.store.evenings import Evening
from tests.torture.calls import watched
from tests.torture.failing_calls import MOST_CALLS, Refuses
from tests.torture.killed import stream
from tests.torture.resident import Resident
from tests.torture.table import Tally, fault

from affray.core.parser.errors import Refused
from affray.store import LogError

END = ("damage mira 3", "end")
LEFT = 18 - 3
"""The HP that the fight leaves Mira with."""
AT_MOST = 0.02
"""Seconds after the blow within which a kill comes: the end and the carry are within them."""


def _evening(tally: Tally) -> Evening:
    """A campaign anew, with a fight that goes on."""
    folder = tally.folder / "vale"
    shutil.rmtree(folder, ignore_errors=True)
    evening = Evening(folder, party='[mira]\nname = "Mira"\nhp = 30\n')
    evening.play("ford", "add party", "init mira 9", "start", "damage mira 12")
    return evening


def _verify(tally: Tally, evening: Evening, where: str) -> bool:
    """The ledger has what the fight's end has left, or says that it hasn't and takes it in, once.

    Gives whether it was to be said.
    """
    is_over = evening.play("ford").phase == "ended"
    told = evening.told
    ledger = evening.play("ledger")
    missing = not ledger.combatants
    if not is_over and not missing:
        tally.misreads(f"{where}: what has not ended is carried")
    if not is_over:
        return False
    if missing and not (told and evening.told):
        tally.lose(f"{where}: nothing says that the end is not carried over")
    for line in (*told, *evening.told) if missing else ():
        tally.say(line)
    if missing:
        ledger = evening.play("ledger", "carry from ford")
    if ledger["mira"].track("hp") != LEFT:
        tally.misreads(f"{where}: Mira has {ledger['mira'].track('hp')} HP")
    try:
        evening.play("ledger", "carry from ford")
        tally.misreads(f"{where}: it is carried twice")
    except Refused:
        pass
    return missing


@fault("SIGKILL between a fight's end and the ledger")
def carry_killed(tally: Tally) -> None:
    """Whatever was acknowledged of the fight is there, and what was not carried is said."""
    missed = 0
    with Resident("affray.cli_commands") as resident:
        for number in range(tally.times(300, 6)):
            tally.tries += 1
            evening, where = _evening(tally), f"kill {number}"
            path, delay = evening.path("ford"), tally.rng.uniform(0, AT_MOST)
            answers, errors = stream(resident, path, list(END), tally.rng.randint(1, 2), delay)
            if b"Traceback" in errors:
                tally.breaks(f"{where}: {errors.decode(errors='replace')[-300:]}")
            try:
                missed += _verify(tally, evening, where)
                if len(answers) == 2 and evening.play("ford").phase != "ended":
                    tally.lose(f"{where}: the end was told, and is not there")
            except Exception as error:
                tally.breaks(where, error)
    tally.say(f"(nobody is there to be told; {missed} ends were to be carried afterwards)")


@fault("an I/O error at every system call while a fight's end is carried")
def carry_refused(tally: Tally) -> None:
    """The end is saved all the same if it was acknowledged, and the ledger stays whole."""
    for number in count(1, tally.times(1, 5)):
        tally.tries += 1
        evening, hook = _evening(tally), Refuses(number, errno.EIO, for_good=False)
        where = f"call {number}"
        fight = evening.opened("ford")
        try:
            with watched(hook), fight:
                for line in END:
                    fight.do(line)
            told = [*fight.notes]
        except (LogError, Refused) as error:
            told = [str(error)]
        except Exception as error:
            tally.breaks(f"{where} ({hook.name})", error)
            told = []
        for line in told:
            tally.say(line, best="was not carried")
        if not hook.happened:
            tally.tries -= 1
            return
        try:
            if evening.play("ford").phase == "ended":
                _verify(tally, evening, f"{where} ({hook.name})")
        except Exception as error:
            tally.breaks(f"{where} ({hook.name})", error)
        if number > MOST_CALLS:
            tally.fails(f"{where}: it never ends")
            return
