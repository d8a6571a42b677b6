"""A season in figures: what each of the party did in all fights of a campaign.

python season.py campaigns/kiln-road
python season.py campaigns/kiln-road --svg season.svg
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path

import affray

Season = dict[str, list[Counter[str]]]
"""Who -> their figures in each fight."""

FIGURES = {
    "dealt": "dealt",
    "taken": "taken",
    "gave": "healed",
    "criticals": "criticals",
    "fell": "fell",
    "turns": "turns",
}
"""Figure -> its heading."""


def recaps_of(campaign: affray.Campaign) -> list[affray.Recap]:
    """The recaps of all fights in which a round was played, in the order of play."""
    encounters = sorted(campaign.encounters, key=lambda encounter: encounter.played)
    recaps = [affray.view(encounter.path).recap() for encounter in encounters]
    return [recap for recap in recaps if recap.rounds]


def season_of(recaps: list[affray.Recap]) -> Season:
    """The figures of everybody who has been in the party, fight by fight."""
    season: Season = {}
    for number, recap in enumerate(recaps):
        fell = Counter(falls(recap))
        for person in recap.people:
            if person.side == "party":
                figures = season.setdefault(person.name, [Counter() for _ in recaps])[number]
                figures["fell"] = fell[person.id]
                for figure in FIGURES:
                    figures[figure] += getattr(person, figure, 0)
    return season


def falls(recap: affray.Recap) -> Iterator[str]:
    """The id of each who fell, as often as that happened."""
    for chapter in recap.chapters:
        for deed in chapter.deeds:
            for outcome in deed.outcomes:
                if outcome.kind == "life" and outcome.life not in ("up", "stable"):
                    yield outcome.who


def table(season: Season) -> Iterator[str]:
    """The sums over all fights, as lines."""
    wide = max(map(len, season))
    yield f"{'':{wide}}" + "".join(f"{heading:>11}" for heading in FIGURES.values())
    for name, fights in season.items():
        sums = [sum(figures[figure] for figures in fights) for figure in FIGURES]
        yield f"{name:{wide}}" + "".join(f"{number or '–':>11}" for number in sums)


# -- the picture -----------------------------------------------------------------------------------

INKS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
WIDTH, NAMES, ROW = 640, 130, 26


def text(x: float, y: float, words: str, look: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(words)}</text>'


def bars(title: str, rows: dict[str, list[int]], top: int) -> Iterator[str]:
    """A bar for each row, with a part in its own ink for each fight, from `top` on."""
    yield text(0, top + 16, title, 'font-weight="bold"')
    scale = (WIDTH - NAMES - 50) / max(1, *map(sum, rows.values()))
    for number, (name, parts) in enumerate(rows.items()):
        x, y = float(NAMES), top + 28 + ROW * number
        yield text(0, y + 14, name)
        for ink, part in zip(INKS, parts, strict=False):
            yield f'<rect x="{x:.1f}" y="{y}" width="{part * scale:.1f}" height="18" fill="{ink}"/>'
            x += part * scale
        yield text(x + 6, y + 14, str(sum(parts)))


def picture(season: Season, fights: list[str]) -> str:
    """Damage dealt and taken over the season as an SVG picture."""
    drawn: list[str] = []
    top = 10
    for title, figure in (("Damage dealt", "dealt"), ("Damage taken", "taken")):
        rows = {name: [each[figure] for each in row] for name, row in season.items()}
        drawn += bars(title, rows, top)
        top += 46 + ROW * len(rows)
    for ink, fight in zip(INKS, fights, strict=False):
        drawn.append(f'<rect x="{NAMES}" y="{top}" width="12" height="12" fill="{ink}"/>')
        drawn.append(text(NAMES + 20, top + 11, fight))
        top += 20
    inside = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 0 {WIDTH + 32} {top + 10}" '
        'font-family="sans-serif" font-size="14">\n'
        f'<rect x="-16" width="100%" height="100%" fill="white"/>\n{inside}\n</svg>\n'
    )


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Sum up all fights of a campaign.")
    parser.add_argument("campaign", help="the campaign's folder, or its name")
    parser.add_argument("--svg", type=Path, help="draw a picture into this file")
    options = parser.parse_args(words)
    try:
        campaign = affray.load_campaign(options.campaign)
        recaps = recaps_of(campaign)
    except (affray.LogError, affray.Refused) as error:
        parser.error(str(error))
    season = season_of(recaps)
    if not season:
        parser.exit(1, f"{campaign.name}: no fight has begun yet\n")
    print(
        f"{campaign.name}: {len(recaps)} fights, {sum(recap.rounds for recap in recaps)} rounds\n"
    )
    print(*table(season), sep="\n")
    if options.svg:
        options.svg.write_text(picture(season, [recap.title for recap in recaps]), "utf-8")


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it, such as `head`, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
