"use strict";
// News come as ready HTML for all, and as JSON for the phone that plays somebody. Whatever breaks, the
// page comes back by itself: after three missed beats it asks anew.
const main = document.querySelector("main"), away = document.getElementById("away");
const box = document.getElementById("me"), told = document.getElementById("told");
const key = document.querySelector("meta[name=key]").content;
let source, heard = Date.now(), skew = 0, me = null, asks = "", open = "", call = "", fades = 0, waits = new Set();
const drafts = new Map();   // form -> field -> what is filled in, which no news takes away

// -- what all see ---------------------------------------------------------------------------------
function show(html) {
  const at = scrollY;
  main.innerHTML = html;
  lift();
  scrollTo(0, at);
  follow();
  if (!me) drawMe();
}
// Who is up and next stands above what a phone plays, and stays in sight; a tab's title says it too.
function lift() {
  const old = document.querySelector("body > header"), now = main.querySelector("header");
  if (old) old.remove();
  document.body.prepend(now);
  document.title = now.dataset.title;
}
// Nobody scrolls a television.
function follow() {
  const up = document.querySelector("li.up");
  if (up && innerWidth >= 1200) up.scrollIntoView({ block: "nearest" });
}
function listen() {
  if (source) source.close();
  source = new EventSource("events");
  const hear = () => { heard = Date.now(); lost(false); };
  source.onopen = hear;
  source.addEventListener("beat", (event) => { hear(); skew = Number(event.data) - Date.now(); });
  source.addEventListener("me", (event) => { hear(); take(JSON.parse(event.data)); });
  source.onmessage = (event) => { hear(); show(JSON.parse(event.data)); };
  source.onerror = () => lost(true);
}
// A live region is heard when its text changes, not when it comes into sight.
function lost(is) {
  const words = is ? "Not connected: trying again" : "";
  if (away.textContent !== words) away.textContent = words;
}
function tick() {
  const timer = document.querySelector("time[data-until]");
  if (!timer) return;
  const left = Math.max(0, Math.round((Number(timer.dataset.until) - Date.now() - skew) / 1000));
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  if (timer.textContent !== text) timer.textContent = text;
}

// -- what this phone plays ------------------------------------------------------------------------
function el(tag, props = {}, ...inside) {
  const { data, ...rest } = props;
  const made = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(data || {})) made.setAttribute(name, value);
  made.append(...inside.filter((each) => each !== null && each !== ""));
  return made;
}
function take(news) {
  asks = news && news.asks || "";
  me = news && news.character ? news : null;
  const now = me ? me.call : "", sent = me ? me.proposals.filter((each) => each.own) : [];
  document.body.dataset.call = now;
  const heard = sent.filter((each) => each.state !== "waiting" && waits.has(each.id)).map(sentWords);
  waits = new Set(sent.filter((each) => each.state === "waiting").map((each) => each.id));
  if (now && now !== call) {
    ring(now);
    heard.push(CALLS[now]);
  }
  call = now;
  if (heard.length) tell(heard.join(". "));
  if (me && open && !me.forms.some((form) => form.id === open)) open = "";
  drawMe();
}
async function send(where, body) {
  const id = crypto.getRandomValues(new Uint32Array(2)).join("");
  try {
    const answer = await fetch(where, { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: key, id, ...body }) });
    const said = await answer.json();
    tell(said.words);
    return said.ok;
  } catch {
    tell("not sent: the table can't be reached");
    return false;
  }
}
function tell(words) {
  told.textContent = words;
  clearTimeout(fades);
  fades = setTimeout(() => { told.textContent = ""; }, 6000);
}
function drawMe() {
  const now = document.activeElement, focused = box.contains(now) ? now.dataset.at : null;
  const from = focused && now.type === "text" ? now.selectionStart : null;
  const to = from === null ? null : now.selectionEnd;
  box.replaceChildren(...(me ? mine() : offers()));
  box.hidden = !box.childElementCount;
  if (focused) {
    const again = box.querySelector(`[data-at="${CSS.escape(focused)}"]`);
    if (again) again.focus({ preventScroll: true });
    if (again && from !== null) again.setSelectionRange(from, to);
  }
}
// What is folded open stays so, whatever news come.
function fold(name, label, is, ...inside) {
  return el("details", { open: drafts.get(`open:${name}`) ?? is,
    ontoggle: (event) => drafts.set(`open:${name}`, event.target.open) },
  el("summary", { data: { "data-at": `open:${name}` } }, label), ...inside);
}
function offers() {
  if (asks) return [el("p", {}, "Waiting for the GM to let this phone play.")];
  const names = [...main.querySelectorAll("li.party h2")].map((each) => each.textContent);
  if (!names.length || !box.dataset.plays) return [];
  return [fold("play", "Play a character on this phone", false,
    el("p", { className: "chips" }, ...names.map((name) =>
      el("button", { type: "button", data: { "data-at": `play:${name}` },
        onclick: () => send("play", { character: name }) }, name))))];
}
const CALLS = { up: "Your turn", next: "You are next", asked: "The table waits for you" };
const GROUPS = { turn: "My turn", action: "What I can do", reaction: "Reactions", other: "More" };
function mine() {
  const sheet = me.sheet, parts = [];
  parts.push(el("div", { className: "name" }, el("h2", {}, me.name), el("button", { type: "button",
    className: "quiet", data: { "data-at": "sound", "aria-pressed": String(loud !== null) },
    onclick: toggleSound }, "Sound", el("span", { data: { "aria-hidden": "true" } }, loud ? " on" : " off"))));
  if (CALLS[me.call]) parts.push(el("p", { className: "call" }, CALLS[me.call]));
  parts.push(el("dl", {}, ...sheet.tracks.map((track) => el("div", { className: track.shown },
    el("dt", {}, track.label), el("dd", {}, amount(track),
      track.shown === "bar" && track.max
        ? el("progress", { value: Math.max(track.value, 0), max: track.max,
            data: { "aria-label": track.label } }) : "")))));
  if (sheet.effects.length) parts.push(el("p", {}, ...sheet.effects.flatMap((effect, index) =>
    [index ? " · " : "", el("b", { className: effect.harmful ? "bad" : "good" }, effect.name),
      effect.ends ? ` ${effect.ends}` : ""])));
  if (!me.acts) parts.push(el("p", { className: "dim" }, "The GM takes no proposals now."));
  for (const form of me.forms.filter((each) => each.group === "waiting")) parts.push(drawWaiting(form));
  for (const group of Object.keys(GROUPS)) {
    const forms = me.forms.filter((each) => each.group === group && !each.reason);
    if (!forms.length) continue;
    const list = el("div", { className: "forms" }, ...forms.map(drawForm));
    parts.push(group === "turn" ? list : fold(group, GROUPS[group], group === "action", list));
  }
  const not = me.forms.filter((each) => each.reason && each.group !== "waiting");
  if (not.length) parts.push(fold("not", `Not now (${not.length})`, false,
    el("div", { className: "forms" }, ...not.map(drawForm))));
  if (me.proposals.length) parts.push(el("ul", { className: "sent",
    data: { role: "list", "aria-label": "Sent to the GM" } }, ...me.proposals.map(drawSent)));
  parts.push(fold("numbers", "Numbers", false,
    el("dl", {}, ...sheet.totals.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value)))),
    ...sheet.numbers.map((line) => el("p", { className: "dim" }, line))));
  return parts;
}
const STATES = { withdrawn: "taken back" };
function sentWords(each) {
  const whose = each.own ? "" : "your other phone: ", became = STATES[each.state] || each.state;
  return `${whose}${each.words || "proposal"}: ${became}${each.answer ? `. ${each.answer}` : ""}`;
}
function drawSent(each) {
  return el("li", { className: each.state }, `${sentWords(each)} `,
    each.own && each.state === "waiting" ? el("button", { type: "button", className: "quiet",
      data: { "data-at": `withdraw:${each.id}`, "aria-label": `Take back ${each.words}` },
      onclick: () => send("withdraw", { proposal: each.id }) }, "Take back") : "");
}
function amount(track) {
  const glyphs = { pips: "●○", boxes: "■□", box: "■□", badge: "◆◇" }[track.shown];
  const length = Math.max(track.max || 0, track.value, 1);
  if (glyphs && track.value >= 0 && length <= 10)
    return glyphs[0].repeat(track.value) + glyphs[1].repeat(length - track.value);
  if (track.shown === "die") return track.value ? `d${track.value}` : "–";
  return track.max === null ? String(track.value) : `${track.value}/${track.max}`;
}

// -- forms ----------------------------------------------------------------------------------------
function drawForm(form) {
  const is = open === form.id && !form.reason;
  const button = el("button", { type: "button", className: form.id === "turn-end" ? "big" : "",
    disabled: Boolean(form.reason), data: { "data-at": `form:${form.id}`, "aria-expanded": String(is) },
    onclick: () => {
      if (!form.fields.length) return void send("propose", { form: form.id, answers: {} });
      open = is ? "" : form.id;
      drawMe();
      const opened = open && box.querySelector("[aria-expanded=true] + form");
      const first = opened && opened.querySelector("input, select");
      if (first) first.focus();
      if (opened) opened.scrollIntoView({ block: "nearest" });
    } }, form.label, ...[form.cost, form.reason].filter(Boolean).map((words) => el("small", {}, words)));
  return el("div", {}, button, is ? fill(form) : "");
}
// What waits for the player: a button for each answer, and a field for the die, if one decides it.
function drawWaiting(form) {
  const answers = form.fields.find((field) => field.name === "answer");
  const typed = form.fields.filter((field) => field !== answers)
    .map((field) => answers ? { ...field, optional: false } : field);
  return el("div", { data: { role: "group", "aria-label": form.label } }, el("p", {}, form.label),
    el("div", { className: "forms" }, ...(answers ? answers.options : []).map(([value, label]) =>
      el("button", { type: "button", className: "big", data: { "data-at": `form:${form.id}=${value}` },
        onclick: () => send("propose", { form: form.id, answers: { answer: value } }) }, label))),
    typed.length ? fill({ ...form, fields: typed }) : "");
}
function fill(form) {
  const draft = drafts.get(form.id) || {};
  drafts.set(form.id, draft);
  const fields = form.fields.filter((field) => applies(field, form, draft));
  return el("form", { onsubmit: async (event) => {
    event.preventDefault();
    const answers = {};
    for (const field of fields) {
      const given = draft[field.name], value = typeof given === "string" ? given.trim() : given;
      const is = Array.isArray(value) ? value.length : value;
      if (is) answers[field.name] = field.kind === "flag" ? field.options[0][0] : value;
    }
    if (await send("propose", { form: form.id, answers })) {
      drafts.delete(form.id);
      open = "";
      drawMe();
    }
  } }, ...fields.filter((field) => !field.aside).map((field) => drawField(form, field, draft)),
  fields.some((field) => field.aside) ? fold(`more:${form.id}`, "More to say", false,
    ...fields.filter((field) => field.aside).map((field) => drawField(form, field, draft))) : "",
  el("button", { type: "submit", className: "big", data: { "data-at": `send:${form.id}` } }, "Send to the GM"));
}
function applies(field, form, draft) {
  if (!field.only_if) return true;
  return form.fields.some((other) => {
    const value = [draft[other.name]].flat();
    return value.includes(field.only_if) || (other.name === field.only_if && value.some(Boolean));
  });
}
function drawField(form, field, draft) {
  const at = `${form.id}/${field.name}`;
  const put = (value, again) => { draft[field.name] = value; if (again) drawMe(); };
  const needs = form.fields.some((other) => other.only_if);
  const inside = [];
  if (field.kind === "combatant" || field.kind === "choice" || field.several) {
    inside.push(...field.options.map(([value, label]) => el("label", { className: "chip" },
      el("input", { type: field.several ? "checkbox" : "radio", name: at, value,
        checked: [draft[field.name]].flat().includes(value), data: { "data-at": `${at}=${value}` },
        onclick: () => { if (field.optional && draft[field.name] === value) put("", true); },
        onchange: (event) => put(field.several
          ? [...new Set([...(draft[field.name] || []).filter((each) => each !== value),
              ...(event.target.checked ? [value] : [])])] : value, needs) }), label)));
  } else if (field.kind === "flag") {
    inside.push(el("label", { className: "chip" }, el("input", { type: "checkbox",
      checked: Boolean(draft[field.name]), data: { "data-at": at },
      onchange: (event) => put(event.target.checked ? "yes" : "", needs) }), field.label));
  } else if (field.kind === "damage") {
    const rolled = draft[field.name] === "roll", types = field.options.filter(([value]) => value !== "roll");
    const [number = "", type = ""] = rolled ? [] : (draft[field.name] || "").split(" ");
    const join = (n, t) => put(n ? [n, t].filter(Boolean).join(" ") : "", false);
    const count = el("input", { type: "text", inputMode: "numeric", value: number, autocomplete: "off",
      data: { "data-at": at, "aria-label": field.label }, oninput: () => join(count.value.trim(), kind.value) });
    const kind = el("select", { data: { "data-at": `${at}/type`, "aria-label": `type of ${field.label}` },
      onchange: () => join(count.value.trim(), kind.value) },
      el("option", { value: "" }, "type"), ...types.map(([value, label]) =>
        el("option", { value, selected: value === type }, label)));
    inside.push(...field.options.filter(([value]) => value === "roll").map(([value, label]) =>
      el("label", { className: "chip" }, el("input", { type: "checkbox", checked: rolled,
        data: { "data-at": `${at}=${value}` },
        onchange: (event) => put(event.target.checked ? value : "", true) }), label)));
    inside.push(count, types.length ? kind : "");
  } else {
    const words = field.options.map(([value]) => value);
    const typed = words.includes(draft[field.name]) ? "" : draft[field.name] || "";
    inside.push(...field.options.map(([value, label]) =>
      el("label", { className: "chip" }, el("input", { type: "radio", name: at, value,
        checked: draft[field.name] === value, data: { "data-at": `${at}=${value}` },
        onclick: () => { if (field.optional && draft[field.name] === value) put("", true); },
        onchange: () => put(value, true) }), label)));
    const another = field.kind === "text" && words.length > 0;
    inside.push(el("input", { type: "text", value: typed, autocomplete: "off", maxLength: 200,
      inputMode: field.kind === "text" ? "text" : "numeric", placeholder: another ? "another" : "",
      data: { "data-at": at, "aria-label": another ? `another ${field.label}` : field.label },
      oninput: (event) => {
        put(event.target.value, false);
        for (const word of event.target.closest("fieldset").querySelectorAll("[type=radio]")) word.checked = false;
      } }));
  }
  return el("fieldset", {}, el("legend", {}, field.label + (field.optional ? " (may be left out)" : "")),
    ...inside);
}

// -- told in time ---------------------------------------------------------------------------------
let loud = null;
function toggleSound() {
  if (loud) { loud.close(); loud = null; } else { loud = new AudioContext(); beep(880); }
  drawMe();
}
function beep(pitch) {
  const tone = loud.createOscillator(), volume = loud.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.2, loud.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, loud.currentTime + 0.5);
  tone.connect(volume).connect(loud.destination);
  tone.start();
  tone.stop(loud.currentTime + 0.5);
}
function ring(now) {
  if (loud) beep(now === "up" ? 880 : now === "asked" ? 660 : 440);
  if (loud && navigator.vibrate) navigator.vibrate(now === "up" ? [200, 100, 200] : 150);
}

lift();
follow();
drawMe();
listen();
setInterval(tick, 500);
setInterval(() => {
  if (source.readyState === EventSource.CLOSED || Date.now() - heard > 15000) {
    lost(true);
    heard = Date.now() - 12000;
    listen();
  }
}, 3000);
