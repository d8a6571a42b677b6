"""All rule systems that affray comes with, as they are played here."""

from __future__ import annotations

from tests.invariants import adventure_school, fifth, level_up, monsters_and_magic, orcus, plain

GAMES = (
    monsters_and_magic.GAME,
    orcus.GAME,
    level_up.GAME,
    fifth.GAME,
    adventure_school.GAME,
    plain.GAME,
)
