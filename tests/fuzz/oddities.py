"""Texts and bytes that programs stumble over, and small changes to good ones."""

from __future__ import annotations

from random import Random

WORDS = (
    *("", " ", '"', '""', "'", "\\", "#", "=", "[[entry]]", "seq = 9", "]]", "{}", "%s", "{0}"),
    *("\x00", "\x1b[31m", "\x1b]0;x\x07", "\x1b[2J", "\x9b31m", "\r", "\n", "\t", "\x08", "\x7f"),
    *("\u202e", "\u2066x", "\u200f", "\u200b", "\u2028", "\u0085", "\ufeff", "\u00a0", "\u3000"),
    *("שלום", "مرحبا بالعالم", "e\u0301", "a" + "\u0300" * 40, "\u0301", "한글", "ﷺ", "𒐫", "ǆ"),
    *("🐉", "👨‍👩‍👧", "🇩🇪", "❤️", "\U000e0001", "\ue000", "\uffff", "\udc80", "\udcff", "İ", "ß"),
    *("[red]x[/red]", "[link=https://x.invalid]y[/link]", "[@click=app.quit]z[/]", "[/]", "[b"),
    *("../../etc/passwd", "/dev/null", "~/x", "C:\\x", "file:///etc/passwd", "$(reboot)", "`id`"),
    *("; rm -rf .", "|", "&&", "> out", "__import__('os')", "${HOME}", "!!", "-", "--", "--help"),
    *("0", "-0", "+0", "−3", "007", "999999", "1000000", "-999999", "9" * 30, "1e9", "nan", "inf"),
    *("1_000", "٣", "²", "½", "Ⅷ", "１２", "0x10", "1.5", "x2", "x0", "x999", "x-1", "x99999999"),
    *("d", "0d6", "1d0", "99d99", "999999d999999", "2d6+", "4d6kh9", "((1))", "d%", "1d-6"),
    *("a" * 300, "long " * 60, "名" * 200, "\u202e" + "x" * 120),
)  # fmt: skip

BYTES = (
    *(b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90"),
    *(b"\n", b"\r", b"\r\n", b"[[entry]]\n", b"\n[[entry]]\nseq = 1\n", b"seq = 2\n", b'"""'),
    *(b"[", b"]", b"{", b"}", b"=", b"#", b'"', b"\\", b"\\u0000", b"\\ud800", b"\\U00110000"),
    *(b"1" * 5000, b"[" * 300, b"{a=" * 200, b"a." * 300, b"nan", b"inf", b"-inf", b"1e999"),
    *(b"9223372036854775807", b"9223372036854775808", b"-1", b"true", b"0001-01-01T00:00:00Z"),
    *(b"9999-12-31T23:59:59-23:59", b"1979-05-27", b"07:32:00", b"format = 2\n", b"sum = \"\"\n"),
    b'events = [{ event = "hit" }]\n',
    *(b"to = 0\n", b"a = " + b"1" * 5000, b"a = " + b"[" * 2000, b"\nb = " + b"{a=" * 900),
)  # fmt: skip


def text(rng: Random) -> str:
    """A few odd words, with letters in between."""
    parts = (rng.choice(WORDS) for _ in range(rng.randrange(1, 4)))
    return rng.choice(("", " ")).join(parts)


def changed(line: str, words: list[str], rng: Random) -> str:
    """A command with a word put in, taken out, doubled or put in another's place."""
    row = line.split(" ")
    at = rng.randrange(len(row))
    word = rng.choice(words) if rng.random() < 0.8 else text(rng)
    what = rng.randrange(5)
    if what == 0:
        row.insert(at, word)
    elif what == 1 and len(row) > 1:
        del row[at]
    elif what == 2:
        row.insert(at, row[at])
    elif what == 3:
        row[at] += word
    else:
        row[at] = word
    return " ".join(row)


def damaged(raw: bytes, rng: Random) -> bytes:
    """Bytes with a small or large hurt: a flip, a cut, something put in, a piece moved."""
    if not raw:
        return rng.choice(BYTES)
    a, b = sorted((rng.randrange(len(raw) + 1), rng.randrange(len(raw) + 1)))
    what = rng.randrange(8)
    if what == 0:
        at = min(a, len(raw) - 1)
        return raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :]
    if what == 1:
        return raw[:a]
    if what == 2:
        return raw[:a] + rng.choice(BYTES) + raw[a:]
    if what == 3:
        return raw[:a] + raw[b:]
    if what == 4:
        return raw[:b] + raw[a:b] + raw[b:]
    if what == 5:
        return raw[:a] + bytes(b - a) + raw[b:]
    if what == 6:
        return raw[:a] + text(rng).encode("utf-8", "surrogatepass") + raw[a:]
    return lines_changed(raw, rng)


def lines_changed(raw: bytes, rng: Random) -> bytes:
    """Bytes with two lines exchanged, or one doubled, or one gone."""
    lines = raw.splitlines(keepends=True)
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(3)
    if what == 0:
        lines[a], lines[b] = lines[b], lines[a]
    elif what == 1:
        lines.insert(a, lines[b])
    else:
        del lines[a]
    return b"".join(lines)


def value(rng: Random, depth: int = 0) -> object:
    """Any value that TOML can hold."""
    what = rng.randrange(8 if depth < 3 else 6)
    if what == 0:
        return rng.choice((0, 1, -1, 2, 7, 20, 40, 1000, 10**6, 2**31, 2**63 - 1, -(2**63)))
    if what == 1:
        return rng.choice((0.0, -0.0, 1.5, 1e308, float("inf"), float("nan")))
    if what == 2:
        return rng.random() < 0.5
    if what <= 5:
        return rng.choice(WORDS).encode("utf-8", "replace").decode()
    if what == 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice((*WORDS[:8], "hp", "name", "a")): value(rng, depth + 1) for _ in range(2)}


def reshaped(tree: object, rng: Random) -> object:
    """A parsed document with one thing in it changed, gone, doubled or renamed."""
    if isinstance(tree, dict) and tree:
        key = rng.choice(list(tree))
        what = rng.randrange(8)
        if what == 0:
            return {k: v for k, v in tree.items() if k != key}
        if what == 1:
            return {
                **tree,
                rng.choice((*tree, text(rng))).encode(errors="replace").decode(): value(rng),
            }
        if what == 2:
            other = rng.choice(list(tree))
            return {**tree, key: tree[other]}
        return {**tree, key: reshaped(tree[key], rng)}
    if isinstance(tree, list) and tree:
        at = rng.randrange(len(tree))
        if rng.random() < 0.15:
            return [*tree[:at], *tree[at + 1 :]]
        if rng.random() < 0.15:
            return [*tree, tree[at]]
        return [*tree[:at], reshaped(tree[at], rng), *tree[at + 1 :]]
    if isinstance(tree, int) and rng.random() < 0.6:
        return rng.choice(
            (0, 1, -1, 2, 3, 5, 99, -7, tree + 1, tree * 2, 10**6, 2**63 - 1, -(2**63))
        )
    return value(rng)
