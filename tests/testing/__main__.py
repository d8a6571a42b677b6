"""How many of the rule cases' commands keys give, game by game: `make by-keys`."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from statistics import median

from tests.testing.lines import (
    CASES,
    Given,
    exceptions,
    faults,
    faults_of_cases,
    given,
    refused_words,
)
from tests.testing.offered import never_decided

from affray.core.parser.prompt_fields import IN_FULL

MOST_KINDS = 10


def main() -> int:
    """Measure all, tell of it, and give the exit status: 0 where nothing has changed."""
    with ProcessPoolExecutor(cpu_count()) as pool:
        found = [each for row in pool.map(given, CASES) for each in row]
    by_game: dict[str, list[Given]] = defaultdict(list)
    for each in found:
        by_game[each.game].append(each)
    print(*(_told(game, row) for game, row in by_game.items()), sep="\n")
    wrong = faults(found, exceptions(), of_all=True)
    print(*wrong, sep="\n", flush=True)
    allowed = refused_words()
    games = {path: tomllib.loads(path.read_text("utf-8"))["ruleset"] for path in CASES}
    rows = [[path for path in CASES if games[path] == game] for game in by_game]
    with ProcessPoolExecutor(cpu_count()) as pool:
        refused = {word: why for row in pool.map(never_decided, rows) for word, why in row.items()}
    never = [
        f"{word.game}: {word.key}, {word.field} offers {word.word}: {why}"
        for word, why in refused.items()
        if (word.game, word.key, word.word) not in allowed
    ]
    print(*never, sep="\n", flush=True)
    with ProcessPoolExecutor(cpu_count()) as pool:
        broken = [fault for row in pool.map(faults_of_cases, CASES) for fault in row]
    print(*broken, sep="\n")
    return 1 if wrong or never or broken else 0


def _told(game: str, row: Sequence[Given]) -> str:
    pressed = [each.pressed for each in row if each.by_keys]
    share = 100 * len(pressed) / len(row)
    lines = [f"{game}: {len(row)} lines, {share:.1f}% by keys, median {median(pressed):g} keys"]
    left = [each for each in row if not each.by_keys]
    typed = {each.line: len(each.typed) for each in left if each.typed is not None}
    if typed:
        characters = f"median {median(typed.values()):g}, at most {max(typed.values())}"
        lines.append(f"  {len(typed)} more go on behind `:`, with so many characters: {characters}")
    kinds = Counter(map(kind, left))
    for name, many in kinds.most_common(MOST_KINDS):
        example = next(each for each in left if kind(each) == name)
        lines.append(f"  {many:4} {name}: {example.line}")
    return "\n".join(lines)


def kind(lacks: Given) -> str:
    """What keys lack for a line, by the first word that the nearest line has not."""
    verb, *words = lacks.line.replace(",", " ").split()
    if "none among" not in lacks.shown:
        return lacks.shown
    left = Counter(lacks.nearest.replace(",", " ").split())
    for word in words:
        if left[word] or left[IN_FULL.get(word, word)]:
            left[word] -= 1
        elif word.strip('+-"')[:1].isdecimal():
            return f"{verb}: a number"
        else:
            return f"{verb}: {word}"
    return f"{verb}: other events"


if __name__ == "__main__":
    sys.exit(main())
