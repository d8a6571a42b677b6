"""How many are too many? A campaign's party against ever more of a creature of its bestiary.

python difficulty.py campaigns/salt-stair wrecker --most 8 --fights 200
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

import affray
from affray.odds import odds_of


def sweep(campaign: affray.Campaign, creature: str, most: int, fights: int) -> Iterator[str]:
    """A line on the odds for each number of creatures, from 1 to `most`."""
    yield f"{'foes':>4}  {'party stands':>12}  {'rounds':>6}  {'of the party down':>17}"
    for count in range(1, most + 1):
        fight = campaign.new_fight()
        fight.add("party")
        fight.add(creature, count=count)
        odds = odds_of(fight, fights)
        stands, length = odds.wins("party"), odds.length
        down = sum(odds.down(who.id).value for who in fight if who.side == "party")
        chance = f"{stands.value:.0%} ±{100 * stands.margin:.0f}"
        yield f"{count:>4}  {chance:>12}  {length.value:>6.1f}  {down:>17.1f}"


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Tell how a party fares against more and more.")
    parser.add_argument("campaign", help="the campaign's folder, or its name")
    parser.add_argument("creature", help="the id of a creature of the bestiary")
    parser.add_argument("--most", type=int, default=8, help="the most of them at once (8)")
    parser.add_argument("--fights", type=int, default=200, help="how often each is played (200)")
    options = parser.parse_args(words)
    try:
        campaign = affray.load_campaign(options.campaign)
        for line in sweep(campaign, options.creature, options.most, options.fights):
            print(line, flush=True)
    except affray.Refused as refusal:
        parser.error(str(refusal))


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it, such as `head`, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
