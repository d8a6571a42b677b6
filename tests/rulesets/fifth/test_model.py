"""Random fights of 5e, held number by number against the model of the rules in `model.py`.

`MODEL_FIGHTS=1000 pytest tests/rulesets/fifth/test_model.py` plays that many.
"""

from __future__ import annotations

import os
from copy import deepcopy
from random import Random

import pytest
from tests.rulesets.fifth.model import (
    CONDITIONS,
    Creature,
    ForbiddenError,
    Model,
    Weapon,
)

from affray import Fight, Refused

FIGHTS = int(os.environ.get("MODEL_FIGHTS", "12"))
STEPS = 60
SETUP = (
    "add pc Brannoc hp 44 ac 18 init 1 str 4 dex 1 con 2 pb 3 saves str,con attacks 2 slots 3,2"
    " attack sword +7 1d8+4 slashing melee sap attack axe +7 1d6+4 slashing melee light vex"
    " attack club +7 1d4+4 bludgeoning melee light slow attack great +7 2d6+4 slashing melee graze"
    " attack bow +4 1d8+1 piercing ranged",
    "add pc Mira hp 24 ac 13 init 3 str -1 dex 3 con 1 pb 2 slots 4,2"
    " attack sling +5 1d4+3 bludgeoning ranged attack whip +5 1d4+3 slashing melee finesse slow",
    "add monster Ogre important hp 40 ac 11 size large str 4"
    " attack fist +6 2d4+4 bludgeoning melee",
    "add monster Ghoul x2 hp 26 ac 12 immune poison,charmed resist slashing vulnerable fire"
    " regeneration 3 unless fire attack claws +4 2d4+2 slashing melee"
    " attack spit +4 1d6+2 poison ranged",
    "init brannoc 17",
    "init mira 12",
    "init ogre 11",
    "init ghoul-1 10",
    "init ghoul-2 9",
)
RESTED = {"life", "hp", "max", "temp_hp", "exhaustion", "slots_1", "slots_2"}
"""What is compared after a rest."""
KINDS = ("fire", "cold", "slashing", "poison", "bludgeoning")


def creatures() -> list[Creature]:
    """Those of `SETUP`, as the model has them."""
    brannoc = {
        "sword": Weapon(7, mastery="sap"), "axe": Weapon(7, light=True, mastery="vex"),
        "club": Weapon(7, light=True, mastery="slow"), "great": Weapon(7, mastery="graze"),
        "bow": Weapon(4, "ranged"),
    }  # fmt: skip
    mira = {"sling": Weapon(5, "ranged"), "whip": Weapon(5, mastery="slow")}
    ghoul = {"claws": Weapon(4), "spit": Weapon(4, "ranged")}
    return [
        Creature("brannoc", "party", 44, 18, 2, brannoc, saves_con=5, most_attacks=2, ability=4,
                 slots=[3, 2]),
        Creature("mira", "party", 24, 13, 1, mira, saves_con=1, ability=3, slots=[4, 2]),
        Creature("ogre", "foes", 40, 11, 0, {"fist": Weapon(6)}, ability=4),
        *(Creature(f"ghoul-{n}", "foes", 26, 12, 0, ghoul, falls=False, resist=("slashing",),
                   vulnerable=("fire",), immune=("poison", "charmed"), regeneration=3)
          for n in (1, 2)),
    ]  # fmt: skip


def do_anything(model: Model, random: Random) -> None:
    """Do something at random. Raises ForbiddenError where the rules forbid it."""
    alive = [c for c in model.all.values() if c.life != "dead"]
    mine = model.all[model.up]
    who = mine if mine.life != "dead" and random.random() < 0.9 else random.choice(alive)
    on = random.choice([c for c in alive if c is not who])
    faces = tuple(random.randint(1, 20) for _ in range(random.choice((1, 1, 1, 2))))
    owing = [c for c in model.all.values() if c.owed]
    if owing and random.random() < 0.5:
        return model.withstand(random.choice(owing), faces)
    if mine.owes_death_save and random.random() < 0.7:
        return model.save_from_death(mine, faces)
    does = random.choices(*zip(*_WEIGHTS.items(), strict=True))[0]
    match does:
        case "next":
            if owing:
                return model.withstand(owing[0], faces[:1])
            return model.save_from_death(mine, faces[:1]) if mine.owes_death_save else model.next()
        case "attack" | "off-hand" | "opportunity-attack":
            if does == "opportunity-attack":
                who, on = random.choice([c for c in alive if c is not mine]), mine
                if mine.life == "dead":
                    raise ForbiddenError
            return _attack(model, random, does, who, on, faces)
        case "dash" | "disengage" | "dodge":
            return model.act(who, does)
        case "help":
            return model.distract(who, on)
        case "wrestle":
            what = random.choice(("grapple", "shove prone", "shove push"))
            return model.wrestle(who, on, what, random.random() < 0.4)
        case "walk":
            return model.walk(who, random.choice((5, 10, 20)), random.random() < 0.3)
        case "stand":
            return model.stand(who)
        case "cast":
            caster = who if who.slots else model.all["mira"]
            if caster.life == "dead":
                raise ForbiddenError
            takes = random.choice(("action", "action", "bonus", "reaction"))
            return model.cast(caster, takes, random.choice((0, 1, 1, 2)), random.random() < 0.6)
        case "damage":
            return model.damage(on, random.randint(1, 30), random.choice(KINDS), faces[0] > 14)
        case "heal":
            return model.heal(on, random.randint(1, 20))
        case "temp":
            return model.give_temp(on, random.randint(1, 12), random.choice(("", "new", "keep")))
        case "inflict":
            what = random.choice(CONDITIONS)
            if on.has(what):
                return model.remove(on, what)
            return model.inflict(on, what, who)
        case _:
            return model.tire(on, random.choice((1, 1, 2, -1)))


_WEIGHTS = {
    "next": 16, "attack": 34, "off-hand": 5, "opportunity-attack": 7, "dash": 2, "disengage": 3,
    "dodge": 4, "help": 3, "wrestle": 6, "walk": 6, "stand": 5, "cast": 9, "damage": 7, "heal": 5,
    "temp": 4, "inflict": 9, "tire": 2,
}  # fmt: skip


def _attack(
    model: Model, random: Random, how: str, who: Creature, on: Creature, faces: tuple[int, ...]
) -> None:
    name = random.choice(list(who.weapons))
    ranged = who.weapons[name].reach == "ranged"
    said = ["adv", "dis", "cover", "three-quarters-cover", "unseen", "target-unseen"]
    said += ["long", "adjacent"] if ranged else ["reach", "knockout"]
    if how == "opportunity-attack":
        said = ["adv", "dis", "cover"]
    words = {random.choice(said) for _ in range(random.choice((0, 0, 1, 2)))}
    amount, kind = random.randint(1, 16), random.choice(KINDS)
    return model.attack(how, who, on, name, faces, amount, kind, words)


def shown(fight: Fight, model: Model) -> dict[str, dict[str, object]]:
    """What affray shows of what the model knows."""
    report = {c["id"]: c for c in fight.report()["combatants"]}
    found: dict[str, dict[str, object]] = {}
    for who, numbers in model.numbers():
        now = report[who]
        names = [e["name"] for e in now["effects"]]
        own: dict[str, object] = {
            "life": now["life"],
            "max": now["tracks"]["hp"]["max"],
            "speed": now["totals"]["speed"],
            "owed": names.count("threatened"),
            "marks": set(names) - {"threatened", "dashing", "halved-maximum"},
        }
        found[who] = {
            key: own[key] if key in own else now["tracks"][key]["value"] for key in numbers
        }
    return found


@pytest.mark.parametrize("seed", range(FIGHTS))
def test_a_fight_comes_to_what_the_model_comes_to(seed: int) -> None:
    """SRD 5.2.1 and 5.1: Combat, Damage and Healing, the conditions, spell slots, rests."""
    random = Random(seed)
    edition = random.choice(("2024", "2014"))
    fight, model = Fight("5e", seed=seed), Model(edition, creatures())
    fight.do(f"setting edition {edition}", *SETUP, "start")
    played: list[str] = []
    for _ in range(STEPS):
        if sum(c.life != "dead" for c in model.all.values()) < 2:
            break
        trial = deepcopy(model)
        trial.line = ""
        try:
            do_anything(trial, random)
        except ForbiddenError:
            if trial.line:
                played.append(f"refused: {trial.line}")
                assert is_refused(fight, trial.line), "\n".join(played)
            continue
        played.append(trial.line)
        trial.settle()
        model = trial
        fight.do(model.line)
        assert shown(fight, model) == dict(model.numbers()), "\n".join(played)
    for owing in [c for c in model.all.values() if c.owed]:
        while owing.owed:
            model.withstand(owing, (10,))
            fight.do(model.line)
    fight.do("end")
    for long in (False, True):
        model.rest(long)
        fight.do(model.line)
        now, wanted = shown(fight, model), dict(model.numbers())
        for who in ("brannoc", "mira"):
            for key in wanted[who].keys() & RESTED:
                assert now[who][key] == wanted[who][key], (who, key, played, model.line)


def is_refused(fight: Fight, line: str) -> bool:
    try:
        fight.do(line)
    except Refused:
        return True
    return False
