"""Writes the golden files anew: `make golden`."""

from tests.golden.decisions import GAMES, outcomes
from tests.golden.transcripts import path_of, written

for game in GAMES:
    path_of(game).write_text(written(outcomes(game)), "utf-8", newline="\n")
