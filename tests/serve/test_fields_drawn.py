"""How the page draws the fields of a form: its own script, on a document of a few lines."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import affray.serve

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(not NODE, reason="there is no Node here")
SCRIPT = Path(affray.serve.__file__).with_name("page.js").read_text("utf-8")
DOCUMENT = """
class Element {
  constructor(tag) { this.tag = tag; this.children = []; this.dataset = {}; this.attributes = {}; }
  setAttribute(name, value) { this.attributes[name] = value; }
  append(...more) { this.children.push(...more); }
  prepend() {} remove() {} replaceChildren() {} addEventListener() {}
  contains() { return false; }
  insertBefore() {}
  getBoundingClientRect() { return {}; }
  get childNodes() { return this.children; }
  get firstChild() { return this.children[0]; }
  querySelector(what) { return what === "header" ? none() : null; }
  querySelectorAll() { return []; }
  all() { return [this, ...this.children.flatMap((c) => c instanceof Element ? c.all() : [])]; }
}
const myBox = new Element("section"), none = () => new Element("p");
myBox.dataset.plays = "yes";
globalThis.document = { querySelector: none, getElementById: (id) => id === "me" ? myBox : none(),
  createElement: (tag) => new Element(tag), body: new Element("body"), querySelectorAll: () => [],
  addEventListener() {}, activeElement: null };
globalThis.EventSource = class { addEventListener() {} close() {} };
globalThis.ResizeObserver = class { observe() {} };
globalThis.scrollTo = () => {};
globalThis.innerWidth = 360;
globalThis.addEventListener = () => {};
globalThis.setInterval = () => 0;
"""
DRAW = """
const field = FIELD, draft = {};
const drawn = drawField({ id: "do:x", fields: [field] }, field, draft);
const inputs = drawn.all().filter((each) => each.tag === "input");
const radios = inputs.filter((each) => each.type === "radio");
const typed = inputs.find((each) => each.type === "text");
const answers = [];
for (const each of radios) {
  each.onchange({ target: { checked: true } });
  answers.push(draft[field.name]);
}
typed.value = "Another Word";
typed.oninput({ target: { value: "Another Word" } });
answers.push(draft[field.name]);
console.log(JSON.stringify([answers, typed.attributes["aria-label"], typed.placeholder]));
"""


def drawn(**field: Any) -> Any:
    whole = {"label": field["name"], "options": [], "optional": False, "several": False}
    draw = DRAW.replace("FIELD", json.dumps({**whole, "only_if": "", **field}))
    found = subprocess.run(
        [str(NODE), "-"],
        input=f"{DOCUMENT}\n{SCRIPT}\n{draw}",
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def test_known_names_are_chosen_and_another_is_typed() -> None:
    spells = [["Cinder Bolt", "Cinder Bolt"], ["Watchfire", "Watchfire"]]
    assert drawn(name="spell", kind="text", options=spells) == [
        ["Cinder Bolt", "Watchfire", "Another Word"],
        "another spell",
        "another",
    ]


def test_words_of_which_none_are_known_are_typed() -> None:
    assert drawn(name="what", kind="text") == [["Another Word"], "what", ""]
