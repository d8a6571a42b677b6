"""Attack rolls and damage from sentences, which are right where tables beside them are not:
`Melee Weapon Attack: +9 to hit, reach 15 ft., one target. Hit: 19 (4d6 + 5) cold damage.`"""

from __future__ import annotations

import re
from functools import lru_cache

from affray.core.dice import WRITTEN, to_notation
from affray.core.rules.imported_creature import ImportedAttack, ImportedDamage
from affray.rulesets import load_ruleset
from affray.store.importers.values import MINUS, NUMBER, has_any, to_int

DAMAGE_TYPES = load_ruleset("level-up").tables.damage_types
"""Types that are known as such wherever they stand: those of the game whose stat blocks are written
so. Of any other, such as a campaign's own, the word `damage` behind it tells."""
_DICE, _NUMBER = WRITTEN, NUMBER
TYPE = "|".join(DAMAGE_TYPES)
_NO_TYPE = "of|extra|additional|magical|bonus|more|less|total|half|the|this|that|weapon|persistent"
ANY_TYPE = rf"{TYPE}|(?!(?:{_NO_TYPE})\b)[a-z]+(?= damage\b)"
_FEET = r"[.\-]? ?(?:ft|feet|foot|')"
_FAR = r"\d{1,2},\d{3}|\d{1,4}"
_BONUS = r"(?P<bonus>[+\-−–] ?\d{1,2})"
_ATTACK = re.compile(
    r"(?:(?P<how>melee or ranged|melee|ranged) )?(?:(?P<what>weapon|spell) )?"
    rf"attack(?: roll)?s?(?: \((?![+\-−–])[^()]{{1,40}}\))?"
    rf"(?:(?:: ?|\.(?= ?[+\-−–]\d) ?)(?:1?d20 ?[+\-−–] ?\d{{1,2}} ?\()?{_BONUS}(?: to hit)?"
    rf"| \(?{_BONUS.replace('bonus', 'beside')} to hit\b)"
    rf"|{_BONUS.replace('bonus', 'only')}\)? to hit[,.]? (?=reach|range|\d)",
    re.IGNORECASE,
)
_SIGNED_NUMBER = re.compile(r"[+\-−–] ?\d")
_DIGIT, _DIE, _AND = re.compile(r"\d"), re.compile(r"d\d"), re.compile(r"and (?:\d|an? )")
_WORDS = ("damage", "plus ", "+ ")
"""One of these, dice or another number must be in a text that tells of damage. Most lack them, and
they are found sooner than `_DAMAGE`."""
_REACH = re.compile(r"reach(?: of|:)? (\d{1,4})(?!\d)", re.IGNORECASE)
_RANGE = re.compile(
    rf"ranged?(?: of|:)? (?P<near>{_FAR})"
    rf"(?:(?:{_FEET}\.?)? ?(?:/|-|–|to\b) ?(?P<far>{_FAR})(?:{_FEET})?|{_FEET})"
    rf"|(?P<short>{_FAR})/(?P<long>{_FAR}){_FEET}",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"\bwithin (\d{{1,4}}){_FEET}", re.IGNORECASE)
_BARE_FEET = re.compile(rf"^[,. ]*(\d{{1,4}}){_FEET}", re.IGNORECASE)
_HIT = re.compile(r"\bhit(?: or miss)?: ?|\bHit (?=\d)", re.IGNORECASE)
_ROLLED = re.compile(
    rf"{_NUMBER} ?\({_DICE}\)|(?<=\. )\d{{1,4}}(?= (?:{TYPE}) damage)", re.IGNORECASE
)
AMOUNT = (
    rf"(?:(?:{_NUMBER} ?)?\((?P<dice>{_DICE})\)|(?:{_NUMBER} )?(?P<only>{_DICE})"
    rf"|(?P<flat>{_NUMBER}))"
)
_STOP = re.compile(r"(?<=\.) (?=(?:The|If|A|An) )")
"""The end of a head that nothing else marks: `reach 60 ft. The target has ...`."""
_DAMAGE = re.compile(
    rf"(?=[\d(d]){AMOUNT}(?: of)?(?: (?:magical|extra|additional))?"
    rf"(?: (?P<type>{ANY_TYPE})(?:,? (?:or )?(?:{TYPE}))*\b)?(?P<told> damage\b)?",
    re.IGNORECASE,
)
_OR_ELSE = re.compile(
    r"\s*[—–]\s*or\b[^—–.]{1,120}[—–]\s*"
    rf"|,? or {AMOUNT}(?: (?:{ANY_TYPE}))?(?: damage)?,? (?:if|when|while|with)\b[^.,;]{{3,80}}?"
    r"(?=,? (?:plus|and) \d|[.,;]|$)",
    re.IGNORECASE,
)
"""Another amount in some case: between dashes, or as of a weapon that two hands hold."""
_ASIDE = re.compile(
    rf"\b(damage|{TYPE})(?: \((?![^()]*\d)[^()]{{3,60}}\)(?= damage| plus)"
    rf"| or (?:{TYPE}) damage(?: \([^()]*\))?(?= plus ))",
    re.IGNORECASE,
)
"""What a type of damage is in some case or by choice, in front of what the hit deals besides:
`bludgeoning (piercing in spider form) damage plus 21 (6d6) poison damage`."""
_EQUAL_TO = re.compile(rf"\b({TYPE}) damage equal to ({AMOUNT})(?! damage)", re.IGNORECASE)
"""An amount that stands behind its type: `plus fire damage equal to 13 (2d12)`."""
_SMUDGED = re.compile(r"(?<=\d) (?=d\d)|(?<=\()[lI](?=d\d)|(?<=[+-])[lI](?=\))")
"""Dice as a scan has them: `(1 d6 + 3)`, `(ld8+l)`."""
_PLUS_WITHIN = re.compile(
    r"\(([^()]{3,20}?) plus (\d{0,2}d\d{1,3}(?: ?[+-] ?\d+)?)\) (?=([a-z]+) damage)", re.IGNORECASE
)
"""Dice that are added up within brackets: `11 (1d6 + 3 plus 1d8) piercing damage`."""
_MAY_BE_SMUDGED = re.compile(r"\((?:[lI]|(?:1?[1-9]|[12]0) d)")
_MAY_BE_ELSE = re.compile(r"[—–]| or [\d(d]", re.IGNORECASE)
_MAY_BE_ASIDE = (") damage", ") plus", " plus ")
"""What must be in a text for `_SMUDGED`, `_OR_ELSE` and `_ASIDE`, which are slower to look for."""
_FURTHER = re.compile(
    r"^ ?,? ?(?:plus|and|\+)(?: an(?:other| additional| extra)?)? ?$", re.IGNORECASE
)
_AND_MORE = re.compile(r",? ?(?:plus|and|\+) (?:an? (?:extra |additional )?)?\d", re.IGNORECASE)
_IN_A_CASE = re.compile(
    r",? ?(?:if|when|while|unless|for (?:every|each)|per)\b"
    r"(?! the (?:target|creature) is a creature,)",
    re.IGNORECASE,
)
"""Behind an amount that falls in some case alone, or as often as something is so."""
_NOT_AT_ONCE = re.compile(
    r" to the (?:net|web|webbing|rope|chains?|vines?)\b"
    r"|,? at the (?:start|end) of (?:each|every)\b|,? (?:every|each|per) (?:\d{1,2} )?"
    r"(?:turn|round|minute|hour|day)s?\b",
    re.IGNORECASE,
)
"""Behind an amount that breaks what holds the target, or that falls turn by turn."""
_AT_A_TURN = re.compile(
    r"(?:\bat the (?:start|end) of (?:each|every)\b|(?:^|[.,;] )(?:each|every) (?:turn|round)\b"
    r"|\b(?:when(?:ever)?|(?:each|every) time) (?:it|the (?:target|creature)) "
    r"(?:start|begin|end)s its turn\b)"
    r"(?![^.;]*\b(?:each|any|every|all) (?:other )?(?:creature|enem))[^.;]{0,90}$",
    re.IGNORECASE,
)
"""Before such an amount: `at the start of each of the target's turns, it takes 10 (2d6 + 3) ...`.
What each creature nearby takes then is an aura's."""
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@lru_cache(256)  # a text is asked with the fields beside it, and then by itself
def attack_of(text: str) -> ImportedAttack | None:
    """Parse the attack roll that a text asks for; None for none."""
    found = _roll_in(text)
    if found is None:
        return None
    head = text[found.end() : _end_of_head(text, found.end())]
    far = _RANGE.search(head)
    how = (found["how"] or "").casefold()
    reach = _REACH.search(head) or (None if how == "ranged" else _BARE_FEET.search(head))
    how = "ranged" if far and not reach else how or "melee"
    near = int(reach[1]) if reach else 0
    ranges = (far["near"] or far["short"], far["far"] or far["long"]) if far else ("", "")
    if how == "ranged" and not far and (bare := _BARE_FEET.search(head) or _WITHIN.search(head)):
        ranges = (bare[1], "")
    ranges = (ranges[0].replace(",", ""), (ranges[1] or "").replace(",", ""))
    return ImportedAttack(
        bonus=int(
            (found["bonus"] or found["beside"] or found["only"]).translate(MINUS).replace(" ", "")
        ),
        reach="both" if " or " in how or (reach and far) else how,
        feet=near or int(ranges[0] or 0),
        far=int(ranges[0] or 0) if near else 0,
        long=int(ranges[1] or 0),
        spell=(found["what"] or "").casefold() == "spell",
    )


def _roll_in(text: str) -> re.Match[str] | None:
    """The words of an attack roll, which most texts lack."""
    plain = text.casefold()
    may_be = ("attack" in plain or "to hit" in plain) and _SIGNED_NUMBER.search(text)
    return _ATTACK.search(text) if may_be else None


def _end_of_head(text: str, start: int) -> int:
    found = _HIT.search(text, start) or _ROLLED.search(text, start) or _STOP.search(text, start)
    return found.start() if found else min(len(text), start + 200)


def hit_of(text: str) -> str:
    """Return the part of a text about a hit: from `Hit:` or the target up to a miss."""
    found = _HIT.search(text)
    attack = None if found else _roll_in(text)
    if found is None and attack is None:
        return ""
    start = found.end() if found else _end_of_head(text, attack.end() if attack else 0)
    return re.split(r"\bMiss: ", text[start:])[0]


def parse_damage(text: str) -> tuple[ImportedDamage, ...]:
    """Parse the parts of the first damage in a text: `7 (1d8 + 3) cold plus 4 (1d8) fire`.

    An alternative behind `or` is no part, and neither is a conditional one, `2 (1d4) fire damage if
    it is prone`. Dice at the beginning count as damage without the word; a plain number does with a
    type and another part beside it.
    """
    plain = text.casefold()
    if not _may_deal(plain):
        return ()
    if _MAY_BE_SMUDGED.search(text):
        text = _SMUDGED.sub(lambda found: "1" if found[0].strip() else "", text)
    if " plus " in text:
        text = _PLUS_WITHIN.sub(r"(\1) \3 plus (\2) ", text)
    if " equal to " in text:
        text = _EQUAL_TO.sub(r"\2 \1 damage", text)
    if (" or " in plain or "—" in plain or "–" in plain) and _MAY_BE_ELSE.search(text):
        text = _OR_ELSE.sub(" ", text)
    if has_any(text, _MAY_BE_ASIDE):
        text = _ASIDE.sub(r"\1", text)
    parts: list[ImportedDamage] = []
    end = 0
    for found in _DAMAGE.finditer(text):
        is_further = bool(end and _FURTHER.match(text[end : found.start()]))
        is_first = found.start() == 0 and not found["flat"]
        is_part = found["type"] and (
            not found["flat"] or is_further or _AND_MORE.match(text, found.end())
        )
        if not (found["told"] or is_first or is_part):
            continue
        if end and not is_further:
            break
        end = found.end()
        if _NOT_AT_ONCE.match(text, end) or _is_at_a_turn(text, found.start()):
            continue
        if not (_IN_A_CASE.match(text, end) and (parts or "for e" in text[end : end + 7])):
            parts.append(amount_of(found))
    return tuple(part for part in parts if part.dice != "0")


def _may_deal(plain: str) -> bool:
    return _DIGIT.search(plain) is not None and (
        has_any(plain, _WORDS) or _DIE.search(plain) is not None or _AND.search(plain) is not None
    )


def damage_apart(text: str) -> set[str]:
    """The dice of all damage in a text that not every hit deals: it falls turn by turn, in some
    case alone, or after a run."""
    flat = " ".join(text.split())
    after = at_a_run(hit_of(flat) or flat)[1]
    found = (each for each in _DAMAGE.finditer(flat) if _is_apart(each))
    return {amount_of(each).dice for each in (*found, *_DAMAGE.finditer(after))}


def _is_apart(found: re.Match[str]) -> bool:
    text, end = found.string, found.end()
    is_behind = _NOT_AT_ONCE.match(text, end) or _IN_A_CASE.match(text, end)
    return bool(is_behind) or _is_at_a_turn(text, found.start())


def _is_at_a_turn(text: str, start: int) -> bool:
    """True if an amount falls turn by turn, by the words before it."""
    before = text[max(start - 150, 0) : start]
    return ("turn" in before or "round" in before) and _AT_A_TURN.search(before) is not None


def amount_of(found: re.Match[str]) -> ImportedDamage:
    number = str(to_int(found["flat"])) if found["flat"] else ""
    falls = number or to_notation(found["dice"] or found["only"])
    return ImportedDamage(falls, (found["type"] or "").casefold())


_RUN = (
    r"^(?:if|when) (?:(?:the )?target is [^.]{3,40} and )?"
    r"(?!(?:the target|it|the creature|they|that) )[^.]{3,80}? (?:moves?|moved)\b"
)
_AT_A_RUN = re.compile(_RUN, re.IGNORECASE)


def at_a_run(hit: str) -> tuple[str, str]:
    """Split the text of a hit into the part for every hit, and the part for one after a run: `If
    the boar moves at least 20 feet straight towards the target ...`."""
    if " move" not in hit.casefold():
        return hit, ""
    words = SENTENCE.split(hit)
    after = [each for each in words if _AT_A_RUN.match(each)]
    return " ".join(each for each in words if each not in after), " ".join(after)
