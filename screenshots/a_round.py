"""A round of the sample fight, played with real keys on the real app, frame by frame.

A step says which command its keys are to save. When they save another, the keys have changed, and
the pictures are not made: what is said below them would be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

from screenshots.drawing import Frame
from screenshots.stage import Stage, stage

FIGHT = "drowned-vale/the-sluice-gate"
SIZE = (120, 40)
PER_KEY, GLANCE, LOOK = 0.5, 1.2, 2.4
"""Seconds that a key stands; that an end of a turn does; and what came of a step."""
CAPS = {"enter": "↵", "plus": "+", "escape": "esc"}


@dataclass(frozen=True)
class Step:
    """Keys that belong together, what they are in words, and the command that they save."""

    keys: str
    says: str
    saves: str = ""
    look: float = LOOK


ROUND = (
    Step("", "Round 3 at the sluice gate. Ilse is up, with 2 action points left.", look=4),
    Step(
        "s 5 s 8 enter",
        "Ilse's player calls “strong hit, eight” on the ogre.",
        "strike weir-ogre strong 8",
    ),
    Step("space", "Silt Hound 2 is up.", "next", GLANCE),
    Step("s 4 s 6 enter", "It bites Ilse: strong, six.", "strike ilse strong 6"),
    Step("u", "“Wait, I was behind the wheel!” It is taken back.", "undo 1"),
    Step("s 4 m", "A miss, then.", "strike ilse miss"),
    Step("m", "It slinks away, past Tamsin.", "move", GLANCE),
    Step(
        "1 o 9 s 6 enter",
        "Her opportunity attack, out of turn. The turn goes on.",
        "react opportunity-attack silt-hound-2 strong 6 by tamsin",
    ),
    Step("space", "The Weir Ogre is up.", "next", GLANCE),
    Step("s 2 s 1 4 enter", "It strikes Oswin: strong, fourteen.", "strike oswin strong 14"),
    Step("space", "Its turn ends, and what frightened it ends with it.", "next"),
    Step(
        "c 1 0 s l enter escape",
        "Oswin is held, but his bell slows the strangler.",
        "inflict reed-strangler slowed",
    ),
    Step("space", "The Reed Strangler is up.", "next", GLANCE),
    Step("s 2 enter", "affray rolls for it, to hit and for damage.", "strike oswin roll"),
    Step("space", "Tithe Taker 1 is up.", "next", GLANCE),
    Step("s 2 enter", "So it does for the tithe taker.", "strike oswin roll"),
    Step("space", "Silt Hound 1 is up.", "next", GLANCE),
    Step("s 4 enter", "And for the second hound.", "strike ilse roll"),
    Step("space", "Round 4. Pell is dying: what waits is asked for.", "next"),
    Step("enter w", "His player rolls the death roll: a weak hit.", "death pell weak"),
    Step("space", "Tamsin is up.", "next", GLANCE),
    Step("plus 3 5 enter", "A flask of something from Nethermere: Pell wakes.", "heal pell 5"),
    Step(
        "s 6 s 7 enter",
        "Then the boat spear: strong, seven.",
        "strike tithe-taker-1 strong 7",
    ),
    Step("space", "Tithe Taker 2 is up.", "next", GLANCE),
    Step("s 1 enter", "affray rolls.", "strike tamsin roll"),
    Step("space", "Ilse is up again: a round, with every key that it took.", "next", look=4),
)


async def play() -> list[Frame]:
    """The frames: one for each key, and a longer one for what came of a step."""
    frames: list[Frame] = []
    async with stage(FIGHT, SIZE) as shown:
        for step in ROUND:
            frames += await _frames(shown, step)
    return frames


async def _frames(shown: Stage, step: Step) -> list[Frame]:
    log = shown.encounter.history
    before, keys, frames = log.last, step.keys.split(), []
    for number, key in enumerate(keys, start=1):
        await shown.pilot.press(key)
        caps = tuple(CAPS.get(pressed, pressed) for pressed in keys[:number])
        frames.append(Frame(shown.screen(), caps, step.says, PER_KEY))
    saved = [log.entries[seq].command for seq in range(before + 1, log.last + 1)]
    if saved != ([step.saves] if step.saves else []):
        raise SystemExit(f"{step.keys!r} saved {saved}, and should have saved {step.saves!r}")
    caps = frames[-1].keys if frames else ()
    return [*frames[:-1], Frame(shown.screen(), caps, step.says, step.look)]
