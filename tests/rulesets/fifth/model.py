"""A small model of 5e, written from the two SRDs alone, to hold affray's numbers against.

A `Model` holds who fights and whose turn it is. Each of its public methods is something that can
be done: it puts the command that says so into `line`, and raises `ForbiddenError` where the rules
don't let it be done. Dice are called out, so that both know them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

HELPLESS = {"incapacitated", "paralyzed", "petrified", "stunned", "unconscious"}
STILL = {"grappled", "paralyzed", "petrified", "restrained", "unconscious"}
WIDE_OPEN = {"blinded", "paralyzed", "petrified", "restrained", "stunned", "unconscious"}
HINDERED = {"blinded", "frightened", "poisoned", "prone", "restrained"}
CONDITIONS = ("blinded", "charmed", "deafened", "frightened", "incapacitated", "invisible",
              "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned")  # fmt: skip
FROM_SOMEBODY = ("charmed", "frightened")
COVER = {"": 0, "cover": 2, "three-quarters-cover": 5}


class ForbiddenError(Exception):
    """The rules don't let it be done."""


@dataclass
class Weapon:
    bonus: int
    reach: str = "melee"
    light: bool = False
    mastery: str = ""


@dataclass
class Mark:
    """A condition or the like: from whom, and with which turn of whose it ends.

    `edge` is "start" or "end" of that turn, empty for what stays.
    """

    name: str
    source: str = ""
    edge: str = ""
    turn: int = 0


@dataclass
class Creature:
    id: str
    side: str
    full: int
    ac: int
    con: int
    weapons: dict[str, Weapon]
    falls: bool = True
    saves_con: int = 0
    most_attacks: int = 1
    ability: int = 0
    resist: tuple[str, ...] = ()
    vulnerable: tuple[str, ...] = ()
    immune: tuple[str, ...] = ()
    regeneration: int = 0
    slots: list[int] = field(default_factory=list)
    temp: int = 0
    life: str = "up"
    failures: int = 0
    successes: int = 0
    exhaustion: int = 0
    action: int = 1
    bonus: int = 1
    reaction: int = 1
    attacks: int = 0
    moved: int = 0
    dashes: int = 0
    turn_slot: int = 1
    turns: int = 0
    marks: list[Mark] = field(default_factory=list)
    owed: list[int] = field(default_factory=list)
    light_used: set[str] = field(default_factory=set)
    off_hand_done: bool = False
    owes_death_save: bool = False
    scorched: bool = False
    cast_by_bonus: str = ""
    cast_at_all: str = ""
    hp: int = 0
    all_slots: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.hp, self.all_slots = self.full, tuple(self.slots)

    def has(self, *names: str) -> bool:
        return any(mark.name in names for mark in self.marks)

    def lose(self, name: str, source: str = "") -> None:
        self.marks = [m for m in self.marks if m.name != name or source not in ("", m.source)]

    def gain(self, name: str, source: str = "", edge: str = "", turn: int = 0) -> None:
        same = name in ("sapped", "vexed", "slowed", "distracted")
        if same:
            self.lose(name, source)
        held = name == "grappled" and not any(m.source == source for m in self.marks)
        if same or held or not self.has(name):
            self.marks.append(Mark(name, source, edge, turn))

    @property
    def helpless(self) -> bool:
        return self.life != "up" or self.has(*HELPLESS)


class Model:
    """A fight of 5e by the rules of an edition."""

    def __init__(self, edition: str, creatures: list[Creature]) -> None:
        self.old = edition == "2014"
        self.all = {creature.id: creature for creature in creatures}
        self.order = [creature.id for creature in creatures]
        self.up = self.order[0]
        self.line = ""
        self._start_turn()

    # -- numbers -----------------------------------------------------------------------------------

    def maximum(self, who: Creature) -> int:
        return who.full // 2 if self.old and who.exhaustion >= 4 else who.full

    def speed(self, who: Creature) -> int:
        """Speed: subtractions, then halves, then what makes it 0 [Speed, Exhaustion, Slow]."""
        feet = 30 - (10 if who.has("slowed") else 0)
        if self.old:
            feet = feet // 2 if who.exhaustion >= 2 else feet
            none = who.exhaustion >= 5 or who.has("stunned")
        else:
            feet, none = feet - 5 * who.exhaustion, False
        return 0 if none or who.has(*STILL) else max(0, feet)

    def movement(self, who: Creature) -> int:
        return max(0, self.speed(who) * (1 + who.dashes) - who.moved)

    def penalty(self, who: Creature) -> int:
        return 0 if self.old else 2 * who.exhaustion

    # -- what a command is held to -----------------------------------------------------------------

    def _act(self, who: Creature, track: str = "action") -> None:
        if who.helpless or self.up != who.id or not getattr(who, track):
            raise ForbiddenError
        setattr(who, track, 0)

    def _react(self, who: Creature) -> None:
        if who.helpless or not who.reaction:
            raise ForbiddenError
        who.reaction = 0

    # -- turns -------------------------------------------------------------------------------------

    def next(self) -> None:
        """End the turn with what ends with it, and begin the next one's."""
        self.line = "next"
        self._end_marks("end")
        alive = self.order
        at = alive.index(self.up)
        for step in range(1, len(alive) + 1):
            self.up = alive[(at + step) % len(alive)]
            if self.all[self.up].life != "dead":
                break
            self.all[self.up].turns += 1
            self._end_marks("start")
            self._end_marks("end")
        self._start_turn()

    def _end_marks(self, edge: str) -> None:
        owner = self.all[self.up]
        for each in self.all.values():
            each.marks = [
                m
                for m in each.marks
                if not (m.edge == edge and m.turn <= owner.turns and m.source == owner.id)
            ]
        if edge == "end":
            owner.lose("disengaged")

    def _start_turn(self) -> None:
        who = self.all[self.up]
        who.turns += 1
        self._end_marks("start")
        who.action = who.bonus = who.reaction = 1
        who.attacks = who.moved = who.dashes = 0
        who.light_used, who.off_hand_done = set(), False
        for each in self.all.values():
            each.turn_slot = 1
            each.cast_by_bonus = each.cast_at_all = ""
        if who.regeneration and who.hp and not who.scorched:
            who.hp = min(self.maximum(who), who.hp + who.regeneration)
            self._wake(who)
        who.scorched = False
        who.owes_death_save = who.life == "dying"

    def settle(self) -> None:
        """What a change brings by itself: concentration, dodging and grapples that end."""
        for each in self.all.values():
            if each.helpless and each.has("concentrating"):
                each.lose("concentrating")
                each.owed = []
            if each.helpless or not self.speed(each):
                each.lose("dodging")
            for mark in [m for m in each.marks if m.name == "grappled"]:
                if self.all[mark.source].helpless:
                    each.lose("grappled", mark.source)
            if each.exhaustion >= 6:
                each.life = "dead"
            each.hp = min(each.hp, self.maximum(each))

    # -- attacks -----------------------------------------------------------------------------------

    def advantage(self, by: Creature, on: Creature, ranged: bool, words: set[str]) -> int:
        """1 for advantage, -1 for disadvantage, 0 for neither or both [Advantage/Disadvantage]."""
        near = "adjacent" in words if ranged else "reach" not in words
        unseen = "unseen" in words or by.has("invisible")
        good = [
            "adv" in words, unseen, on.has(*WIDE_OPEN), on.has("prone") and near,
            any(m.name == "vexed" and m.source == by.id for m in on.marks),
            any(m.name == "distracted" and self._helps(m.source, by) for m in on.marks),
        ]  # fmt: skip
        sees = not (on.has("blinded") or unseen)
        hampers = ranged and near and not on.helpless and sees
        held = [m.source for m in by.marks if m.name == "grappled"]
        bad = [
            "dis" in words, by.has(*HINDERED), by.has("sapped"), on.has("invisible"),
            "target-unseen" in words, on.has("prone") and not near, "long" in words, hampers,
            on.has("dodging") and sees, not self.old and any(s != on.id for s in held),
            self.old and by.exhaustion >= 3,
        ]  # fmt: skip
        return int(any(good)) - int(any(bad))

    def _helps(self, helper: str, by: Creature) -> bool:
        return helper != by.id and self.all[helper].side == by.side

    def attack(
        self, how: str, by: Creature, on: Creature, name: str, faces: tuple[int, ...],
        amount: int, kind: str, words: set[str],
    ) -> None:  # fmt: skip
        """An attack: of the action, the off-hand one, or an opportunity attack."""
        die, said = ",".join(map(str, faces)), "".join(f"{word} " for word in sorted(words))
        verb = f"react {how}" if how == "opportunity-attack" else how
        self.line = f"{verb} {on.id} natural {die} {amount} {kind} with {name} {said}by {by.id}"
        weapon = by.weapons[name]
        ranged = weapon.reach == "ranged"
        self._pay_attack(how, by, on, name)
        lean = self.advantage(by, on, ranged, words)
        if len(faces) == 2 and not lean:
            raise ForbiddenError
        natural = max(faces) if lean > 0 else min(faces)
        cover = max(COVER[word] for word in ("", *words) if word in COVER)
        total = natural + weapon.bonus - self.penalty(by)
        hit = natural == 20 or (natural != 1 and total >= on.ac + cover)
        near = "adjacent" in words if ranged else "reach" not in words
        critical = natural == 20 or (hit and near and on.has("paralyzed", "unconscious"))
        by.lose("sapped")
        on.lose("vexed", by.id)
        on.marks = [m for m in on.marks if m.name != "distracted" or not self._helps(m.source, by)]
        before = on.hp + on.temp
        if hit:
            self._hurt(on, [(amount, kind)], critical, "knockout" in words)
        hurt = on.hp + on.temp < before
        if not self.old:
            self._master(weapon.mastery, by, on, hit, hurt, kind)

    def _pay_attack(self, how: str, by: Creature, on: Creature, name: str) -> None:
        weapon = by.weapons[name]
        if any(m.name == "charmed" and m.source == on.id for m in by.marks):
            raise ForbiddenError
        if how == "opportunity-attack":
            unseen = by.has("blinded") or on.has("invisible") or on.has("disengaged")
            if (self.old and by.side == on.side) or unseen or weapon.reach == "ranged":
                raise ForbiddenError
            self._react(by)
        elif how == "off-hand":
            other = by.light_used - {name} or (len(by.light_used) > 1 and by.light_used)
            if by.off_hand_done or not weapon.light or not other:
                raise ForbiddenError
            self._act(by, "bonus")
            by.off_hand_done = True
        else:
            self._pay_one_attack(by)
            if weapon.light and not (self.old and weapon.reach == "ranged"):
                by.light_used.add(name)

    def _pay_one_attack(self, by: Creature) -> None:
        if by.attacks and self.up == by.id and not by.helpless:
            by.attacks -= 1
            return
        self._act(by)
        by.attacks = by.most_attacks - 1

    def _master(
        self, mastery: str, by: Creature, on: Creature, hit: bool, hurt: bool, kind: str
    ) -> None:
        if mastery == "graze" and not hit:
            self._hurt(on, [(max(0, by.ability), "slashing")], False, False)
        elif hit and on.life != "dead":
            if mastery == "sap":
                on.gain("sapped", by.id, "start", by.turns + 1)
            elif mastery == "slow" and hurt:
                on.gain("slowed", by.id, "start", by.turns + 1)
            elif mastery == "vex" and hurt:
                on.gain("vexed", by.id, "end", by.turns + 1)

    # -- damage and healing ------------------------------------------------------------------------

    def taken(self, on: Creature, amount: int, kind: str, half: bool = False) -> int:
        """What damage of a type comes to [Order of Application]."""
        stone = on.has("petrified")
        if kind in on.immune or (self.old and stone and kind == "poison"):
            return 0
        amount = amount // 2 if half else amount
        amount = amount // 2 if kind in on.resist or stone else amount
        return amount * 2 if kind in on.vulnerable else amount

    def _hurt(
        self, on: Creature, parts: list[tuple[int, str]], critical: bool, knockout: bool,
        half: bool = False,
    ) -> None:  # fmt: skip
        dealt = {kind: self.taken(on, amount, kind, half) for amount, kind in parts}
        total = sum(dealt.values())
        if total <= 0:
            return
        on.scorched |= dealt.get("fire", 0) > 0
        soaked = min(on.temp, total)
        on.temp -= soaked
        if on.hp == 0:
            self._hurt_at_zero(on, total - soaked, critical)
            return
        left = total - soaked - on.hp
        on.hp = max(0, on.hp - (total - soaked))
        if on.hp:
            if on.has("concentrating"):
                dc = max(10, total // 2)
                on.owed.append(dc if self.old else min(30, dc))
        elif knockout:
            self._fall(on, "stable" if self.old else "unconscious")
            on.hp = 0 if self.old else 1
        elif not on.falls or left >= self.maximum(on):
            on.life = "dead"
        else:
            self._fall(on, "dying")

    def _fall(self, on: Creature, life: str) -> None:
        on.life, on.failures, on.successes = life, 0, 0
        on.marks.append(Mark("unconscious", "0 HP"))
        on.gain("prone")

    def _hurt_at_zero(self, on: Creature, amount: int, critical: bool) -> None:
        if not on.falls or amount >= self.maximum(on):
            on.life = "dead"
            return
        on.life = "dying"
        self._fail(on, 2 if critical else 1)

    def _fail(self, on: Creature, by: int) -> None:
        on.failures = min(3, on.failures + by)
        if on.failures == 3:
            on.life = "dead"

    def _wake(self, who: Creature) -> None:
        if who.life in ("dying", "stable", "unconscious"):
            who.life = "up"
            who.failures = who.successes = 0
            who.lose("unconscious", "0 HP")

    def damage(self, on: Creature, amount: int, kind: str, half: bool) -> None:
        self.line = f"damage {on.id} {amount} {kind}{f' half {on.id}' if half else ''}"
        if on.life == "dead":
            raise ForbiddenError
        self._hurt(on, [(amount, kind)], False, False, half)

    def heal(self, on: Creature, amount: int) -> None:
        self.line = f"heal {on.id} {amount}"
        if on.life == "dead":
            raise ForbiddenError
        on.hp = min(self.maximum(on), on.hp + amount)
        self._wake(on)

    def give_temp(self, on: Creature, amount: int, stays: str) -> None:
        self.line = f"temp {on.id} {amount} {stays}"
        if on.life == "dead":
            raise ForbiddenError
        if stays == "new":
            on.temp = amount
        elif stays != "keep" or not on.temp:
            on.temp = max(on.temp, amount)

    def save_from_death(self, who: Creature, faces: tuple[int, ...]) -> None:
        """A death save: 10 or more; 1 is two failures, 20 wakes [Death Saving Throws]."""
        self.line = f"death {who.id} natural {','.join(map(str, faces))}"
        if not (who.owes_death_save and self.up == who.id and who.life == "dying"):
            raise ForbiddenError
        lean = self.old and who.exhaustion >= 3
        if len(faces) == 2 and not lean:
            raise ForbiddenError
        who.owes_death_save, natural = False, min(faces)
        if natural == 20:
            who.hp = 1
            self._wake(who)
        elif natural != 1 and natural - self.penalty(who) >= 10:
            who.successes += 1
            if who.successes == 3:
                who.life, who.successes, who.failures = "stable", 0, 0
        else:
            self._fail(who, 2 if natural == 1 else 1)

    def withstand(self, who: Creature, faces: tuple[int, ...]) -> None:
        """The Constitution save to go on concentrating, the oldest first [Concentration]."""
        self.line = f"withstand {who.id} natural {','.join(map(str, faces))}"
        lean = self.old and who.exhaustion >= 3
        if not who.owed or (len(faces) == 2 and not lean):
            raise ForbiddenError
        total = min(faces) + who.saves_con - self.penalty(who)
        if total < who.owed.pop(0):
            who.lose("concentrating")
            who.owed = []

    # -- the other actions -------------------------------------------------------------------------

    def act(self, who: Creature, what: str) -> None:
        """Dash, disengage or dodge."""
        self.line = f"{what} by {who.id}"
        if what == "dodge" and not self.speed(who):
            raise ForbiddenError
        self._act(who)
        if what == "dash":
            who.dashes += 1
        else:
            who.gain({"dodge": "dodging"}.get(what, "disengaged"), who.id, "start", who.turns + 1)

    def distract(self, who: Creature, on: Creature) -> None:
        self.line = f"help against {on.id} by {who.id}"
        if who is on:
            raise ForbiddenError
        self._act(who)
        on.gain("distracted", who.id, "start", who.turns + 1)

    def wrestle(self, who: Creature, on: Creature, what: str, success: bool) -> None:
        """Grapple or shove; by the rules of 2014 a contest that is said as it came out."""
        verb, *more = what.split()
        saves = "success" if success else "failure"
        mine = "failure" if success else "success"
        outcome = f"{mine} vs {saves}" if self.old else saves
        self.line = " ".join([verb, on.id, *more, outcome, "by", who.id])
        charmed = any(m.name == "charmed" and m.source == on.id for m in who.marks)
        if charmed or (success and not self.old and on.has(*HELPLESS - {"incapacitated"})):
            raise ForbiddenError
        self._pay_one_attack(who)
        if not success and what != "shove push":
            on.gain("prone" if "prone" in what else "grappled", who.id)

    def walk(self, who: Creature, feet: int, hard: bool) -> None:
        crawls = who.has("prone")
        said = ("difficult " if hard else "") + ("crawling " if crawls else "")
        self.line = f"move {feet} {said}by {who.id}"
        cost = feet * (1 + hard + crawls)
        if self.up != who.id or who.life != "up" or cost > self.movement(who):
            raise ForbiddenError
        who.moved += cost

    def stand(self, who: Creature) -> None:
        self.line = f"stand by {who.id}"
        half = self.speed(who) // 2
        able = who.has("prone") and self.speed(who) and self.movement(who) >= half
        if self.up != who.id or who.life != "up" or not able:
            raise ForbiddenError
        who.moved += half
        who.lose("prone")

    def cast(self, who: Creature, takes: str, level: int, concentrates: bool) -> None:
        """A spell: its price, its slot, one of them in a turn; of 2014, none beside a bonus one."""
        slot = f"slot {level} " if level else ""
        held = "concentration " if concentrates else ""
        self.line = f'cast "Murmur" {slot}{takes} {held}by {who.id}'
        if level and not who.slots[level - 1]:
            raise ForbiddenError
        if level and not self.old and not who.turn_slot:
            raise ForbiddenError
        cantrip = takes == "action" and not level
        barred = who.cast_at_all if takes == "bonus" else not cantrip and who.cast_by_bonus
        if self.old and barred:
            raise ForbiddenError
        self._react(who) if takes == "reaction" else self._act(who, takes)
        if level:
            who.slots[level - 1] -= 1
            who.turn_slot = 0
        if takes == "bonus":
            who.cast_by_bonus = "yes"
        elif not cantrip:
            who.cast_at_all = "yes"
        if concentrates:
            who.lose("concentrating")
            who.owed = []
            who.gain("concentrating")

    # -- by hand -----------------------------------------------------------------------------------

    def inflict(self, on: Creature, what: str, source: Creature) -> None:
        by = f" from {source.id}" if what in FROM_SOMEBODY else ""
        self.line = f"inflict {on.id} {what}{by}"
        stone = what == "poisoned" and on.has("petrified")
        if what in on.immune or stone or on.life == "dead":
            raise ForbiddenError
        on.gain(what, source.id if what in FROM_SOMEBODY else "")

    def remove(self, on: Creature, what: str) -> None:
        self.line = f"remove {on.id} {what}"
        if not on.has(what):
            raise ForbiddenError
        on.lose(what)

    def tire(self, on: Creature, by: int) -> None:
        self.line = f"{'mark' if by > 0 else 'clear'} {on.id} exhaustion {abs(by)}"
        on.exhaustion = max(0, min(6, on.exhaustion + by))

    # -- rests -------------------------------------------------------------------------------------

    def rest(self, long: bool) -> None:
        """A rest of the party [Short Rest, Long Rest]."""
        self.line = f"rest {'long' if long else 'short'}"
        for who in self.all.values():
            if who.side == "party" and who.life not in ("dead", "dying"):
                self._rest(who, long)

    def _rest(self, who: Creature, long: bool) -> None:
        if who.life == "stable" and not long:
            return
        who.hp = max(1, who.hp)
        self._wake(who)
        if long:
            who.exhaustion = max(0, who.exhaustion - 1)
            who.hp, who.temp, who.slots = self.maximum(who), 0, list(who.all_slots)

    # -- everything that is compared ---------------------------------------------------------------

    def numbers(self) -> Iterator[tuple[str, dict[str, object]]]:
        """What affray has to show of each that lives, and that the dead are dead."""
        for who in self.all.values():
            if who.life == "dead":
                yield who.id, {"life": "dead"}
                continue
            shown: dict[str, object] = {
                "life": who.life, "hp": who.hp, "max": self.maximum(who), "temp_hp": who.temp,
                "action": who.action, "bonus_action": who.bonus, "reaction": who.reaction,
                "attacks": who.attacks, "exhaustion": who.exhaustion,
                "death_failures": who.failures, "death_successes": who.successes,
                "speed": self.speed(who), "owed": len(who.owed),
                "marks": {m.name for m in who.marks},
            }  # fmt: skip
            if who.id == self.up:
                shown["movement"] = self.movement(who)
            shown.update((f"slots_{n}", left) for n, left in enumerate(who.slots, 1))
            yield who.id, shown
