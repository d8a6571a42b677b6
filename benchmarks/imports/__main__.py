"""`make imports COLLECTIONS="PATH ..."`: how many fields of each kind come over right."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.imports.readers import read
from benchmarks.imports.sentences import Attack, Creature, Feature, key, letters

SKILLS = {
    "athletics": "str", "acrobatics": "dex", "sleight of hand": "dex", "stealth": "dex",
    "arcana": "int", "history": "int", "investigation": "int", "nature": "int", "religion": "int",
    "animal handling": "wis", "insight": "wis", "medicine": "wis", "perception": "wis",
    "survival": "wis", "deception": "cha", "intimidation": "cha", "performance": "cha",
    "persuasion": "cha",
}  # fmt: skip
Row = dict[str, Any]
KINDS = {"hp": "HP", "ac": "AC", "speed": "speeds", "fly": "speeds", "swim": "speeds",
         "climb": "speeds", "burrow": "speeds", "darkvision": "senses", "blindsight": "senses",
         "tremorsense": "senses", "truesight": "senses"}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument(
        "--wrong", type=int, default=0, help="how many wrong fields of a kind to tell"
    )
    parser.add_argument("--report", action="store_true", help="print the reports of the imports")
    given = parser.parse_args()
    right: Counter[tuple[str, str]] = Counter()
    whole: Counter[tuple[str, str]] = Counter()
    wrong: dict[tuple[str, str], list[str]] = {}
    for path in given.paths:
        rows, report = imported(path)
        if given.report:
            print(report)
        found = [each for each in creatures_of(path) if each[1].numbers.get("hp", 0) > 0]
        times = Counter(letters(made.name) for _, made in found)
        for format_name, made in found:
            name = letters(made.name)
            if times[name] > 1:  # of which another may have come over
                continue
            row = rows.get(name) or next(
                (r for k, r in rows.items() if len(k) > 25 and name.startswith(k)), None
            )
            for kind, is_right, what in compared(made, row):
                whole[format_name, kind] += 1
                right[format_name, kind] += is_right
                if not is_right:
                    wrong.setdefault((format_name, kind), []).append(f"{made.name}: {what}")
    print_table(right, whole)
    for (format_name, kind), lines in wrong.items():
        for line in lines[: given.wrong]:
            print(f"{format_name}, {kind}: {line[:400]}")


def creatures_of(path: Path) -> Iterator[tuple[str, Creature]]:
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            yield from read(file)


def imported(path: Path) -> tuple[dict[str, Row], str]:
    """The rows that an import makes in a new campaign, by the letters of their names."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = Path(folder, "c")
        campaign.mkdir()
        (campaign / "campaign.toml").write_text('name = "C"\nruleset = "5e"\n', "utf-8")
        run = subprocess.run(
            [sys.executable, "-m", "affray", "import", str(path), "--into", str(campaign)],
            capture_output=True,
            text=True,
            check=False,
        )
        rows: dict[str, Row] = {}
        for name in ("party.toml", "bestiary.toml"):
            if (campaign / name).exists():
                found = tomllib.loads((campaign / name).read_text("utf-8"))
                rows |= {letters(row["name"]): row for row in found.values()}
        return rows, run.stdout + run.stderr


def compared(made: Creature, row: Row | None) -> Iterator[tuple[str, bool, str]]:
    """For each field its kind, whether it is right, and what stands there."""
    yield "creatures", row is not None, "did not come over"
    if row is None:
        return
    for name, n in made.numbers.items():
        there = row.get(name)
        there = int(str(there).split("/")[-1]) if name == "hp" and there is not None else there
        yield KINDS.get(name, "abilities"), there == n, f"{name} {n}, there {there}"
    if made.cr:
        yield "CR", row.get("cr") == made.cr, f"{made.cr}, there {row.get('cr')}"
    yield from trained(
        made.saves, row, "saves", {a: a for a in (["str", "dex", "con", "int", "wis", "cha"])}
    )
    yield from trained(made.skills, row, "skills", SKILLS)
    for name, kinds in made.kinds.items():
        there = {w.strip() for w in str(row.get(name, "")).split(",") if w.strip()}
        for kind in sorted(kinds | there):
            yield name, kind in kinds and kind in there, f"{kind} in {kinds}, there {there}"
    listed = {key(re.findall(r'"([^"]*)"', line)[0]) for line in row.get("spells", [])}
    for spell in sorted(made.spells):
        yield "spells", any(t.startswith(spell[:30]) or spell.startswith(t) for t in listed), spell
    yield from features(made, row)


def trained(
    bonuses: dict[str, int], row: Row, field: str, abilities: dict[str, str]
) -> Iterator[tuple[str, bool, str]]:
    """Saves or skills, which the row has as what they have beyond the ability."""
    words = dict.fromkeys(row.get(field, "").split(",")) if row.get(field) else {}
    there: dict[str, int] = {}
    for word in words:
        found = re.fullmatch(r"(.*?)([+-]\d+)?", word)
        assert found
        name = found[1].replace("-", " ")
        beyond = int(found[2]) if found[2] else int(row.get("pb", 0))
        there[name] = beyond + int(row.get(abilities.get(name, ""), 0))
    for name, bonus in bonuses.items():
        if name in abilities:
            n = there.get(name, row.get(abilities[name]) if field == "saves" else None)
            yield field, n == bonus, f"{name} {bonus:+d}, there {n}"


def features(made: Creature, row: Row) -> Iterator[tuple[str, bool, str]]:
    """Attacks and powers."""
    lines: dict[str, str] = {}
    for line in [*row.get("attack", []), *row.get("power", [])]:
        lines.setdefault(key(line.split('"')[1]), line)
        lines[letters(line.split('"')[1])] = line
    attacks = {
        of(line.split('"')[1]): line for of in (key, letters) for line in row.get("attack", [])
    }
    texts = " ".join(row.get("power", []))
    for each in made.features:
        name = key(each.name)
        is_heading = re.search(r"one of the following breath", each.text, re.IGNORECASE)
        if "legendary action" in each.name.lower() or is_heading:
            continue  # of which each stands by itself
        own = attacks if each.attack else {}
        short = letters(each.name.partition(":")[0])
        words = (letters(each.name), name, short)
        known = (found.get(word) for found in (own, lines) for word in words)
        line = next(filter(None, known), None) or next(
            (text for k, text in lines.items() if name and (k.startswith(name) or
             (len(k) > 25 and name.startswith(k)))), None,
        )  # fmt: skip
        if line is None:
            offered = f"One of {each.name.split(' (')[0]}." in texts
            kind = "attacks" if each.attack else "powers"
            yield kind, offered and not each.attack, f"{each.name} is lost: {each.text[:300]!r}"
            continue
        yield ("attacks" if each.attack else "powers"), True, ""
        yield from one_feature(each, line.partition(' text "')[0])


def one_feature(each: Feature, words: str) -> Iterator[tuple[str, bool, str]]:
    if each.recharge:
        yield "recharge", f"recharge {each.recharge}" in words, f"{each.name}: {words}"
    if each.uses and "spellcasting" not in each.name.lower():
        yield "uses", f"uses {each.uses} per day" in words, f"{each.name}: {words}"
    if each.save and each.sort != "trait":
        ability, dc = each.save
        is_right = f"save {ability} dc {dc}" in words
        yield "saves of powers", is_right, f"{each.name}: {words} | {each.text[:250]!r}"
    if each.attack:
        yield from one_attack(each, each.attack, words)


def one_attack(each: Feature, attack: Attack, words: str) -> Iterator[tuple[str, bool, str]]:
    rest = words.partition('" ')[2]
    bonus = re.search(r"(?:^| )([+-]\d+)(?: |$)", rest)
    there = int(bonus[1]) if bonus else None
    yield "to hit", there == attack.bonus, f"{each.name} {attack.bonus:+d}, there {words}"
    before = re.split(r" (?:save|inflicts) ", rest)[0]
    first = re.search(r"[+-]\d+ (\d+(?:d\d+)?(?:[+-]\d+)?(?: [a-z]+)?)", before)
    parts = [first[1]] if first else []
    parts += re.findall(r"plus (\d+(?:d\d+)?(?:[+-]\d+)?(?: [a-z]+)?)", rest)
    if attack.damage:
        what = f"{each.name}: {attack.damage}, there {words} | {each.text[:250]!r}"
        typed = tuple(part for part in parts if " " in part)
        yield "damage", attack.damage in (tuple(parts), typed), what
    if attack.reach:
        is_right = f"reach {attack.reach}" in rest or (attack.near > 0 and "range" in rest)
        yield "reach", is_right, f"{each.name}: {attack.reach}, there {words} | {each.text[:200]!r}"
    if attack.near:
        far = f"range {attack.near}/{attack.far}" if attack.far else f"range {attack.near}"
        yield "range", far in rest, f"{each.name}: {far}, there {words}"


def print_table(right: Counter[tuple[str, str]], whole: Counter[tuple[str, str]]) -> None:
    formats = sorted({name for name, _ in whole})
    kinds = list(dict.fromkeys(kind for _, kind in whole))
    print(f"{'':16}" + "".join(f"{name[:20]:>22}" for name in formats))
    for kind in kinds:
        cells = []
        for name in formats:
            n, of = right[name, kind], whole[name, kind]
            cells.append(f"{n}/{of} {100 * n / of:.1f}" if of else "-")
        print(f"{kind:16}" + "".join(f"{cell:>22}" for cell in cells))
    print(f"{sum(right.values())} of {sum(whole.values())} fields")


if __name__ == "__main__":
    main()
