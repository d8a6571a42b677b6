"""`esc` leaves every screen and prompt, in a bare terminal and in tmux (reports.md W1).

Behind each way out stands a note, by its key: it is the only new entry when all was left before.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.tui.conftest import play
from tests.tui.ghouls import FIGHT

from affray.store.inbox import Inbox, Proposal
from affray.store.phones import Phones

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals", allow_module_level=True)

from tests.torture.fights import saved_commands
from tests.torture.resident import Resident
from tests.torture.screens import LEAST_WAIT, Screen

SECONDS = 20.0
CTRL = {name: chr(ord(name) - 96) for name in "abdeflnptuwy"}
PROMPTS = {
    "strike, filled": "s1s8",
    "strike, at its target": "s",
    "a past roll, changed": CTRL["e"] + "d5",
    "note": "yabc",
    "damage, at its targets": "-",
    "damage, filled": "-17",
    "add": "a",
    "condition": "c3",
    "command bar": ":damage mira 3",
    "whom to take out": "X",
    "a name": "-'gho",
}
SCREENS = {
    "help": "?",
    "rules": "/",
    "creatures and rules, found": "/ghoul\x1b",
    "why": "w",
    "builder": CTRL["l"],
    "palette": CTRL["p"],
    "odds": CTRL["f"],
    "players' view": CTRL["d"],
    "story": CTRL["t"],
    "phones": CTRL["b"],
    "undo list": CTRL["u"],
    "read aloud": CTRL["y"],
    "a proposal, changed": "\x13",
    "a proposal, declined": CTRL["w"],
}
QUICK = {"\x1b\r": "y", "\x1b ": "y", "\x1b\r\x1b ": "y", "\x1by": ""}
"""What comes in one packet, and the key of a note, unless it was in that."""
OF_HOME = {
    "help": "?",
    "party": "p",
    "bestiary": "b",
    "campaign form": "c",
    "title": "nabc",
    "copy": "d",
    "name": "R",
    "path to import": "i",
    "find": "/",
    "story": "s",
    "palette": CTRL["p"],
    "party, a row of it left": "pe\x1b\r",
}


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("campaigns")


@pytest.fixture(scope="module")
def resident(campaigns: Path) -> Iterator[Resident]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFFRAY_CAMPAIGNS", str(campaigns))
        patch.setenv("AFFRAY_DATA", str(campaigns.parent / "data"))
        with Resident("affray.tui.app") as found:
            yield found


@pytest.fixture
def log(campaigns: Path, resident: Resident) -> Path:
    """A fight with a strike in it, and a proposal that waits, in the only campaign."""
    vale = campaigns / "vale"
    shutil.rmtree(vale, ignore_errors=True)
    path = vale / "encounters" / "fight.toml"
    path.parent.mkdir(parents=True)
    (vale / "campaign.toml").write_text('ruleset = "monsters-and-magic"\n', "utf-8")
    (vale / "party.toml").write_text('[mira]\nname = "Mira"\nhp = 20\n', "utf-8")
    play(path, f"{FIGHT}setting players-act ask\nstrike ghoul-1 natural 12 5 slashing").close()
    Phones(path).grant("c0ffee", "mira")
    Inbox(path).write(Proposal("0001", "c0ffee", "mira", "note hm", "2026-11-20T19:30:01Z"))
    return path


@pytest.fixture
def screen(resident: Resident, log: Path) -> Iterator[Screen]:
    found = Screen(resident, log)
    found.read(LEAST_WAIT, until=b"saved")
    yield found
    found.press("\x11")
    assert found.ended() == 0
    found.close()


def come(log: Path, before: int, look: Callable[[], object]) -> list[str]:
    """The commands behind those that were there, as soon as there is one."""
    end = time.monotonic() + SECONDS
    while len(found := saved_commands(log)) == before and time.monotonic() < end:
        look()
    return found[before:]


def settle(screen: Screen) -> None:
    """Read until nothing is painted for a moment."""
    while screen.read_some(0.15):
        pass


@pytest.mark.parametrize("opened", [*PROMPTS, *SCREENS])
def test_esc_leaves_and_of_what_is_in_its_packet_only_a_letter_acts_afterwards(
    opened: str, screen: Screen, log: Path
) -> None:
    before = len(saved_commands(log))
    for number, (quick, note) in enumerate(QUICK.items()):
        screen.press({**PROMPTS, **SCREENS}[opened])
        settle(screen)
        screen.press(quick)
        settle(screen)
        screen.press(f"{note}{number}\r")
        found = come(log, before + number, lambda: screen.read(0.05))
        assert found == [f'note "{number}"'], quick


@pytest.mark.parametrize("gap", [0.0, 0.03])
@pytest.mark.parametrize("second", ["\r", " "])
def test_esc_leaves_when_the_key_behind_it_has_a_packet_of_its_own(
    gap: float, second: str, screen: Screen, log: Path
) -> None:
    before = len(saved_commands(log))
    screen.press("s1s8")
    settle(screen)
    screen.press("\x1b")
    time.sleep(gap)
    screen.press(second)
    settle(screen)
    screen.press("yleft\r")
    assert come(log, before, lambda: screen.read(0.05)) == ['note "left"']


def test_arrows_that_are_cut_into_bytes_are_arrows(screen: Screen, log: Path) -> None:
    """In the command bar, where up brings back what was given: nothing is left by them."""
    before = len(saved_commands(log))
    screen.press(":note 'one'\r")
    assert come(log, before, lambda: screen.read(0.05)) == ["note 'one'"]
    screen.press(":")
    settle(screen)
    for byte in "\x1b[A":
        screen.press(byte)
        time.sleep(0.03)
    screen.press("\r")
    assert come(log, before + 1, lambda: screen.read(0.05)) == ["note 'one'"]


@pytest.mark.parametrize("opened", OF_HOME)
def test_esc_leaves_what_is_open_over_the_list_of_fights(
    opened: str, resident: Resident, log: Path
) -> None:
    """There `q` ends it at once; in a question it is a letter."""
    files = contents(log)
    home = Screen(resident, log)
    home.read(LEAST_WAIT, until=b"saved")
    home.press("\x0f")
    home.read(LEAST_WAIT, until=b"vale")
    home.press("j")
    for quick in ("\x1b\r", "\x1b ", "\x1bq"):
        settle(home)
        home.press(OF_HOME[opened])
        settle(home)
        home.press(quick)
    assert home.ended() == 0
    home.close()
    assert contents(log) == files


def test_esc_on_the_list_of_fights_asks_and_an_enter_in_its_packet_is_no_answer(
    resident: Resident, log: Path
) -> None:
    home = Screen(resident, log)
    home.read(LEAST_WAIT, until=b"saved")
    home.press("\x0f")
    home.read(LEAST_WAIT, until=b"vale")
    settle(home)
    home.press("\x1b\r")
    assert home.read(0.5, until=b"leave affray?")
    home.press("\x1b")
    settle(home)
    home.press("q")
    assert home.ended() == 0
    home.close()


def contents(log: Path) -> dict[Path, bytes]:
    """All files of the campaign but what phones are told, and what is in them."""
    files = (path for path in log.parents[1].rglob("*.toml") if "answers" not in path.parts)
    return {path: path.read_bytes() for path in files}


# -- in tmux ---------------------------------------------------------------------------------------


class Tmux:
    """affray in a tmux that nobody has configured: it keeps an esc for half a second."""

    def __init__(self, log: Path) -> None:
        self.fd, inner = os.openpty()
        termios.tcsetwinsize(inner, (40, 120))
        self._client = subprocess.Popen(
            [
                *self._tmux("-f", "/dev/null", "new-session"),
                f"{shlex.quote(sys.executable)} -m affray {shlex.quote(str(log))}",
            ],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TMUX": ""},
            start_new_session=True,
        )
        os.close(inner)
        os.set_blocking(self.fd, False)

    def _tmux(self, *words: str) -> list[str]:
        return ["tmux", "-L", f"affray-tests-{os.getpid()}", *words]

    def read(self, seconds: float) -> None:
        """Let the client paint for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                os.read(self.fd, 1 << 16)

    def press(self, keys: str, wait: float = 0.8) -> None:
        """Type on the client's keyboard, and wait until tmux has let go of an esc."""
        os.write(self.fd, keys.encode())
        self.read(wait)

    def shows(self, words: str) -> bool:
        told = subprocess.run(
            self._tmux("capture-pane", "-p"), capture_output=True, text=True, check=False
        )
        self.read(0.05)
        return words in told.stdout

    def end(self) -> None:
        subprocess.run(self._tmux("kill-server"), check=False)
        self._client.wait(LEAST_WAIT)
        os.close(self.fd)


@pytest.fixture
def tmux(log: Path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    found = Tmux(log)
    end = time.monotonic() + SECONDS
    while not found.shows("saved") and time.monotonic() < end:
        pass
    yield found
    found.end()


SIBLINGS = {
    "s1s8": "\r",
    CTRL["e"] + "d5": "\r",
    "yabc": "y",
    "-": "y",
    "-17": " ",
    "a": "y",
    "1s1s8": "\x1b[B",
}
"""What is open, and the key behind esc, as the report has them, and an arrow."""


def test_in_tmux_a_key_within_half_a_second_of_esc_is_not_taken_with_it(
    tmux: Tmux, log: Path
) -> None:
    before = len(saved_commands(log))
    for number, (opened, second) in enumerate(SIBLINGS.items()):
        tmux.press(opened, 0.3)
        tmux.press("\x1b", 0.15)
        tmux.press(second)
        tmux.press(f"{'' if second == 'y' else 'y'}{number}\r", 0.1)
        found = come(log, before + number, lambda: tmux.read(0.05))
        assert found == [f'note "{number}"'], (opened, second)
