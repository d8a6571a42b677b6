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
PER_KEY, LOOK = 0.6, 2.2
"""Seconds that a key stands, and what came of them all."""
CAPS = {"space": "space", "enter": "↵", "minus": "-", "plus": "+"}


@dataclass(frozen=True)
class Step:
    """Keys that belong together, what they are in words, and the command that they save."""

    keys: str
    says: str
    saves: str = ""
    look: float = LOOK


ROUND = (
    Step("", "The Sluice Gate, round 3. It is Ilse's turn, with 2 of her 3 action points.", look=4),
    Step(
        "s 6 s 8 enter",
        "Ilse's player calls “strong hit, eight” on the ogre.",
        "strike weir-ogre strong 8",
    ),
    Step("space", "Next: Silt Hound 2.", "next"),
    Step("s 4 enter", "It bites Ilse: affray rolls for the monsters.", "strike ilse roll"),
    Step("u", "“Wait, I had cover!” It is taken back.", "undo 1"),
    Step("s 4 m enter", "A miss, then.", "strike ilse miss"),
    Step("space", "Next: the Weir Ogre, still frightened.", "next"),
    Step("s 7 enter", "It strikes at Oswin.", "strike oswin roll"),
    Step("space", "Its turn ends, and with it the fright.", "next"),
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
