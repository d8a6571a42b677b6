"""A process that has affray loaded, and forks one more for every try: no try pays for the imports.

The parent asks over a socket, and sends along what shall be the child's input and output. Each
child is affray's own command line, as `python -m affray` would run it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

MOST_BYTES = 1 << 16
MOST_SECONDS = 20.0
"""So long an end is waited for; then it is made."""


class Resident:
    """The parent's side: `start` gives the number of a new process that runs affray."""

    def __init__(self, module: str) -> None:
        self._ours, theirs = socket.socketpair()
        source = Path(__file__).parents[2] / "src"
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno()), module],
            env={**os.environ, "PYTHONPATH": str(source), "TERM": "xterm-256color"},
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # it ends its children when its parent is killed with its group
        )
        theirs.close()

    def start(
        self, arguments: list[str], stdin: int, stdout: int, stderr: int, **more: object
    ) -> int:
        """Run affray with these arguments; `terminal` makes its input its controlling terminal."""
        request = json.dumps({"arguments": arguments, **more}).encode()
        socket.send_fds(self._ours, [request], [stdin, stdout, stderr])
        return int(self._ours.recv(64))

    def ended(self, pid: int) -> int:
        """Wait for a process to end; gives its exit status, below zero for a signal.

        One that does not end is killed.
        """
        socket.send_fds(self._ours, [json.dumps({"wait": pid}).encode()], [])
        return int(self._ours.recv(64))

    def __enter__(self) -> Resident:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ours.close()
        self._process.wait()


def _serve(connection: socket.socket) -> None:
    running: set[int] = set()
    while True:
        request, fds, _, _ = socket.recv_fds(connection, MOST_BYTES, 3)
        if not request:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            return
        asked = json.loads(request)
        if "wait" in asked:
            running.discard(asked["wait"])
            connection.send(str(_status(asked["wait"])).encode())
            continue
        pid = os.fork()
        if pid == 0:
            connection.close()
            os._exit(_child(asked, fds))
        for fd in fds:
            os.close(fd)
        running.add(pid)
        connection.send(str(pid).encode())


def _status(pid: int) -> int:
    end = time.monotonic() + MOST_SECONDS
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.0005)


def _child(asked: dict[str, object], fds: list[int]) -> int:
    from affray.cli import main

    os.setsid()
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
    for fd in {*fds} - {0, 1, 2}:
        os.close(fd)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, encoding="utf-8")  # noqa: SIM115
    if asked.get("terminal"):
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    if asked.get("ignore_hangup"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        return main([str(word) for word in asked["arguments"]])  # type: ignore[attr-defined]
    except SystemExit as exit_now:
        return int(exit_now.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        return 70
    finally:
        with suppress(OSError):  # its terminal may be gone
            sys.stdout.flush()
            sys.stderr.flush()


if __name__ == "__main__":
    __import__(sys.argv[2])
    from affray.rulesets import load_ruleset

    load_ruleset("monsters-and-magic")
    _serve(socket.socket(fileno=int(sys.argv[1])))
