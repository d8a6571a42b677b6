"use strict";
// News come as ready HTML for all, and as JSON for the phone that plays somebody. Whatever breaks, the
// page comes back by itself: after three missed beats it asks anew.
const main = document.querySelector("main"), away = document.getElementById("away");
const box = document.getElementById("me"), told = document.getElementById("told");
const above = document.getElementById("top"), turn = document.getElementById("turn");
const key = document.querySelector("meta[name=key]").content;
let source, heard = Date.now(), looked = heard, skew = 0, me = null, asks = "", open = "", call = "";
let done = null, owed = new Set();   // proposals that were answered, and what waits for the player
let asked = false, declined = "";   // this phone waits to be let in; the last time the GM said no
const drafts = new Map();   // form -> field -> what is filled in, which no news takes away
const refusals = new Map();   // form -> why it was not taken and for which field, which stays beside it
let whose = "";   // the character of both
try {
  const kept = JSON.parse(sessionStorage.drafts);
  [whose, open] = kept;
  for (const [form, draft] of kept[2]) drafts.set(form, draft);
} catch { /* nothing is kept, or nothing may be */ }

// -- news change what has changed, and nothing else ------------------------------------------------
const HANDLERS = ["onclick", "onchange", "oninput", "onsubmit", "ontoggle"];
// Which of its siblings a thing is: by its name or that of what is in it, its heading, or its words.
function nameOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  const first = node.firstElementChild, heading = first && /^(DT|H2|LEGEND|P)$/.test(first.tagName);
  const name = node.dataset.at || (first && first.dataset.at) || (heading && first.textContent);
  return `${node.tagName} ${name || (node.tagName === "LI" ? node.textContent : "")}`;
}
function patch(old, now) {
  let at = old.firstChild;
  const drop = () => { const gone = at; at = at.nextSibling; gone.remove(); };
  for (const next of [...now.childNodes]) {
    let same = at;
    while (same && nameOf(same) !== nameOf(next)) same = same.nextSibling;
    if (!same) {
      old.insertBefore(next, at);
      continue;
    }
    while (at !== same) drop();
    at = same.nextSibling;
    alter(same, next);
  }
  while (at) drop();
}
function alter(old, now) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return;
  }
  for (const { name } of [...old.attributes])
    if (name !== "open" && !now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of now.attributes)   // what is folded open or shut is so by the reader
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const handler of HANDLERS) old[handler] = now[handler];
  if (old.tagName === "TIME") return;   // which `tick` fills
  patch(old, now);
  if ("checked" in old) old.checked = now.checked;
  if ("value" in old && old !== document.activeElement && old.value !== now.value) old.value = now.value;
}
// Whatever changes, what is in hand stays where it is: nothing moves under a thumb.
function steady(change) {
  const high = above.getBoundingClientRect().bottom;
  const inSight = (each) => {
    const at = each.getBoundingClientRect();
    return at.height && at.bottom > high && at.top < innerHeight;
  };
  const rows = [...document.querySelectorAll("#me [data-at], main li")];
  const held = [document.activeElement, box.querySelector("form"), ...rows].find((each) =>
    each && each !== document.body && inSight(each));
  const was = held && held.getBoundingClientRect().top;
  change();
  if (held && held.isConnected) scrollBy(0, held.getBoundingClientRect().top - was);
}

// News wait while a finger is down, so that the tap is for what it came down on; but not for long.
const later = [];
let down = 0;
function whenLifted(act) {
  if (down) later.push(act); else act();
}
function lift(wait) {
  clearTimeout(down);
  down = setTimeout(() => {
    down = 0;
    for (const act of later.splice(0)) act();
  }, wait);
}
addEventListener("pointerdown", () => lift(1000), true);
addEventListener("pointerup", () => lift(100), true);   // its click comes after it
addEventListener("pointercancel", () => lift(0), true);
// A form that is being filled in keeps its fields where they are; what is new in it comes after that.
const FILLING = 1500;   // milliseconds after a touch or a letter
let filled = 0, changed = null;
for (const each of ["pointerdown", "input"])
  addEventListener(each, () => { filled = Date.now(); }, true);
function spare(was) {
  const at = (news) => news && news.forms.find((form) => form.id === open), of = at(was);
  changed = at(me);
  if (!of || !changed || changed.reason || Date.now() - filled >= FILLING) return;
  me.forms = me.forms.map((form) => form === changed ? of : form);
  setTimeout(offer, FILLING);
}
function offer() {
  if (Date.now() - filled < FILLING) return void setTimeout(offer, FILLING);
  if (me && changed) me.forms = me.forms.map((form) => form.id === changed.id ? changed : form);
  drawMe();
}
// A second tap where something has just been sent neither sends it again nor is for what came there.
let last = {}, sentBy = {};
addEventListener("click", (event) => {
  const isNear = Math.hypot(event.clientX - sentBy.x, event.clientY - sentBy.y) < 40;
  if (isNear && event.detail && Date.now() - sentBy.at < 500) {
    event.preventDefault();
    event.stopPropagation();
  }
  last = { x: event.clientX, y: event.clientY };
}, true);

// -- what all see ----------------------------------------------------------------------------------
function show(html) {
  const fresh = document.createElement("template"), old = document.querySelector("#top header");
  fresh.innerHTML = html;
  const now = fresh.content.querySelector("header");
  now.remove();
  const { round, up } = old.dataset;
  steady(() => {
    alter(old, now);
    patch(main, fresh.content);
  });
  entitle();
  tick();
  follow();
  if (now.dataset.round !== round || now.dataset.up !== up) {
    const words = me && now.dataset.up === `${me.name} is up` ? [] : [now.dataset.up];
    if (now.dataset.round !== round) words.unshift(now.dataset.round);
    turn.textContent = words.filter(Boolean).join(". ");
    ids.clear();   // who does the same in another turn does it once more
  }
  if (!me) drawMe();
}
function entitle() {
  document.title = document.querySelector("#top header").dataset.title;
}
// Nobody scrolls a television, and who plays on a screen as wide scrolls for themselves.
function follow() {
  const up = !me && document.querySelector("li.up");
  if (up && innerWidth >= 1200) up.scrollIntoView({ block: "nearest" });
}
function listen() {
  if (source) source.close();
  source = new EventSource("events");
  const hear = () => { heard = Date.now(); lost(false); };
  source.onopen = hear;
  source.addEventListener("beat", (event) => { hear(); skew = Number(event.data) - Date.now(); });
  source.addEventListener("me", (event) => {
    hear();
    whenLifted(() => take(JSON.parse(event.data)));
  });
  source.onmessage = (event) => { hear(); whenLifted(() => show(JSON.parse(event.data))); };
  source.onerror = () => setTimeout(() => source.readyState !== EventSource.OPEN && lost(true), BRIEF);
}
// A live region is heard when its text changes, not when it comes into sight.
const BRIEF = 3000;   // milliseconds without a connection that nobody needs to hear of
function lost(is) {
  const more = source.readyState === EventSource.CLOSED ? ", or ask the GM for the new address" : "";
  const words = is ? `Not connected: trying again${more}` : "";
  if (away.textContent === words) return;
  away.textContent = words;
  if (!is) tell("Connected again");
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
  const was = me;
  asks = news && news.asks || "";
  me = news && news.character ? news : null;
  if (me && me.character !== whose) {
    for (const each of [drafts, refusals]) each.clear();
    [whose, open] = [me.character, ""];
  }
  const now = me ? me.call : "";
  if (document.body.dataset.call !== now) document.body.dataset.call = now;
  [...letIn(was, news || {}), ...answered(), ...befell(was), ...called(), ...shut(was)].forEach(tell);
  spare(was);
  drawMe();
  if (me && !was) scrollTo(0, 0);   // what the player came for
}
// Whether this phone plays somebody, once it has asked to.
function letIn(was, news) {
  const words = was && !me ? [`This phone no longer plays ${was.name}`] : [], no = news.declined || declined;
  asked ||= Boolean(asks);
  if (asked && me) words.push(`This phone plays ${me.name}`);
  if (asked && no !== declined)
    words.push(`The GM lets this phone play nobody${news.words ? `: ${news.words}` : ""}`);
  if (me || no !== declined) asked = false;
  declined = no;
  return words;
}
// What came of proposals since the last news.
function answered() {
  const before = done, now = me ? me.proposals.filter((each) => each.state !== "waiting") : [];
  done = me && new Set(now.map((each) => each.id));
  return before ? now.filter((each) => !before.has(each.id)).map(sentWords) : [];
}
// What has happened to a character: its life, its tracks, what has come upon it and what has gone.
function befell(before) {
  if (!before || !me || before.character !== me.character) return [];
  const [was, now] = [before.sheet, me.sheet], values = new Map(was.tracks.map((each) => [each.label, each.value]));
  const [old, fresh] = [was, now].map((sheet) => new Set(sheet.effects.map((effect) => effect.name)));
  const words = [
    ...(was.life === now.life ? [] : [now.life === "up" ? "up again" : now.life]),
    ...now.tracks.filter((each) => each.news && (values.get(each.label) || 0) !== each.value)
      .map((each) => `${each.label} ${each.words}`),
    ...[...fresh].filter((each) => !old.has(each)).map((each) => `now ${each}`),
    ...[...old].filter((each) => !fresh.has(each)).map((each) => `no longer ${each}`)].join(", ");
  const acts = me.acts ? "The GM takes proposals again" : NO_ACTS;
  return [words, before.acts === me.acts ? "" : acts].filter(Boolean);
}
// What calls the player: their turn, and what waits for them.
function called() {
  const words = [], now = me ? me.call : "", due = me ? me.forms.filter((form) => form.group === "waiting") : [];
  if (now && now !== call && now !== "asked") {
    ring(now);
    words.push(CALLS[now]);
  }
  const fresh = due.filter((form) => !owed.has(form.id)), left = fresh.length ? fresh : due;
  if (fresh.length) ring("asked");
  if (fresh.length || (due.length && due.length < owed.size))
    words.push(`${CALLS.asked}: ${left.map((form) => form.label).join(", ")}`);
  call = now;
  owed = new Set(due.map((form) => form.id));
  return words;
}
// The form that is open goes once it can't be sent any more, and says why.
function shut(was) {
  const at = (news) => news && news.forms.find((form) => form.id === open), of = at(was), is = at(me);
  if (!of || (is && !is.reason)) return [];
  const says = me && me.acts && !underway.has(open);
  open = "";
  return says ? [`${of.label}: ${is ? is.reason : "not now"}`] : [];
}
// The same thing has one id until the server has answered, so that it is taken in once however often
// it is tapped or sent again; and each form is sent once at a time.
const ids = new Map(), underway = new Map();   // form, proposal or character -> since when
const MOST_SENT = 2048, SLOW = 400;   // bytes, as the server has it; milliseconds until it is shown
async function send(where, body) {
  const text = JSON.stringify([where, body]), what = body.form || body.proposal || body.character;
  const tapped = last;
  if (underway.has(what)) return false;
  if (!ids.has(text)) ids.set(text, crypto.getRandomValues(new Uint32Array(2)).join(""));
  const content = new TextEncoder().encode(JSON.stringify({ token: key, id: ids.get(text), ...body }));
  let said = { ok: false, words: "that is too long to send" };
  if (content.length <= MOST_SENT) {
    underway.set(what, Date.now());
    setTimeout(drawMe, SLOW);
    try {
      const answer = await fetch(where, { method: "POST", headers: { "Content-Type": "application/json" },
        body: content, signal: AbortSignal.timeout?.(15000) });
      said = await answer.json();
      if (said.ok) ids.delete(text);   // else what is tapped again is the same thing
    } catch {
      said.words = "not sent: the table can't be reached";
    }
    await new Promise(whenLifted);
    underway.delete(what);
    sentBy = { ...tapped, at: Date.now() };
  }
  if (!said.ok || where !== "withdraw") tell(said.words);   // the news tell what is taken back
  if (said.ok) refusals.delete(what); else refusals.set(what, said);
  drawMe();
  return said.ok;
}
function isSlow(what) {
  return Date.now() - underway.get(what) >= SLOW;
}
// Each line is heard once, as it comes, and read for as long as it takes.
function tell(words) {
  const line = el("p", {}, words);
  told.append(line);
  setTimeout(() => line.remove(), 4000 + 60 * words.length);
}
function drawMe() {
  const now = document.activeElement, is = box.contains(now) && now.dataset.at;
  const form = is && now.closest("form");
  const draw = () => {
    patch(box, el("section", {}, ...(me ? mine() : offers())));
    box.hidden = !box.childElementCount;
  };
  if (box.hidden) draw(); else steady(draw);
  if (!is || document.activeElement === now) return;
  const again = find(is) || (form && find(`form:${form.dataset.form}`)) || box.querySelector("h2, summary");
  if (again) again.focus({ preventScroll: true });
}
function find(name, is = "=") {
  return box.querySelector(`[data-at${is}"${CSS.escape(name)}"]:not(:disabled)`);
}
// What is folded open stays so, whatever news come.
function fold(name, label, is, ...inside) {
  return el("details", { open: drafts.get(`open:${name}`) ?? is,
    ontoggle: ({ target }) => target.isConnected && drafts.set(`open:${name}`, target.open) },
  el("summary", { data: { "data-at": `open:${name}` } }, label), ...inside);
}
function offers() {
  if (asks) return [el("p", {}, "Waiting for the GM to let this phone play.")];
  const names = [...main.querySelectorAll("li.party h2")].map((each) => each.textContent);
  if (!names.length || !box.dataset.plays) return [];
  return [fold("play", "Play a character on this phone", false,
    el("p", { className: "chips" }, ...names.map((name) =>
      el("button", { type: "button", data: { "data-at": `play:${name}` },
        onclick: () => { asked = true; send("play", { character: name }); } }, name))))];
}
const CALLS = { up: "Your turn", next: "You are next", asked: "The table waits for you" };
const NO_ACTS = "The GM takes no proposals now";
const GROUPS = { turn: "My turn", action: "What I can do", reaction: "Reactions", other: "More" };
function mine() {
  const sheet = me.sheet, parts = [];
  parts.push(el("div", { className: "name" }, el("h2", { tabIndex: -1 }, me.name), el("button", { type: "button",
    className: "quiet", data: { "data-at": "sound", "aria-pressed": String(loud !== null) },
    onclick: toggleSound }, "Sound", el("span", { data: { "aria-hidden": "true" } }, loud ? " on" : " off"))));
  if (CALLS[me.call]) parts.push(el("p", { className: "call" }, CALLS[me.call]));
  if (sheet.life !== "up") parts.push(el("p", { className: "bad" }, sheet.life));
  parts.push(el("dl", {}, ...sheet.tracks.map((track) => el("div", { className: track.shown },
    el("dt", {}, track.label), el("dd", {}, el("span", { data: { "aria-hidden": "true" } }, track.signs),
      el("span", { className: "heard" }, track.words),
      track.shown === "bar" && track.max
        ? el("progress", { value: Math.max(track.value, 0), max: track.max,
            data: { "aria-hidden": "true" } }) : "")))));
  if (sheet.effects.length) parts.push(el("p", {}, ...sheet.effects.flatMap((effect, index) =>
    [index ? " · " : "", el("b", { className: effect.harmful ? "bad" : "good" }, effect.name),
      effect.ends ? ` ${effect.ends}` : ""])));
  if (!me.acts) parts.push(el("p", { className: "dim" }, `${NO_ACTS}.`));
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
  if (each.state === "answered") return `${whose}${each.words} The GM: ${each.answer || "no words"}`;
  return `${whose}${each.words || "proposal"}: ${became}${each.answer ? `. ${each.answer}` : ""}`;
}
function drawSent(each) {
  return el("li", { className: each.state, data: { "data-at": `sent:${each.id}` } }, `${sentWords(each)} `,
    each.own && each.state === "waiting" ? el("button", { type: "button", className: "quiet",
      data: { "data-at": `withdraw:${each.id}`, "aria-label": `Take back ${each.words}` },
      onclick: () => send("withdraw", { proposal: each.id }) }, "Take back") : "");
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
    } }, isSlow(form.id) ? "Sending …" : form.label,
  ...[form.cost, form.reason].filter(Boolean).map((words) => el("small", {}, words)));
  return el("div", {}, button, is ? fill(form) : "");
}
// What waits for the player: a button for each answer, and a field for the die, if one decides it.
function drawWaiting(form) {
  const answers = form.fields.find((field) => field.name === "answer");
  const typed = form.fields.filter((field) => field !== answers)
    .map((field) => answers ? { ...field, optional: false } : field);
  return el("div", { data: { role: "group", "aria-label": form.label } },
    el("p", {}, isSlow(form.id) ? "Sending …" : form.label),
    el("div", { className: "forms" }, ...(answers ? answers.options : []).map(([value, label]) =>
      el("button", { type: "button", className: "big", data: { "data-at": `form:${form.id}=${value}` },
        onclick: () => send("propose", { form: form.id, answers: { answer: value } }) }, label))),
    typed.length ? fill({ ...form, fields: typed }) : "");
}
function fill(form) {
  const draft = drafts.get(form.id) || {}, why = refusals.get(form.id);
  drafts.set(form.id, draft);
  const fields = form.fields.filter((field) => applies(field, form, draft));
  const [first, aside] = [false, true].map((is) => fields.filter((field) => field.aside === is)
    .map((field) => drawField(form, field, draft)));
  return el("form", { data: { "data-form": form.id }, onsubmit: async (event) => {
    event.preventDefault();
    const answers = {}, was = JSON.stringify(draft);
    for (const field of fields) {
      const value = answer(field, draft);
      if (value.length) answers[field.name] = value;
    }
    if (!await send("propose", { form: form.id, answers })) return seek(form.id, fields);
    if (JSON.stringify(draft) !== was) return;   // more was filled in meanwhile
    drafts.delete(form.id);
    const is = open === form.id;
    if (is) open = "";
    drawMe();
    if (is) find(`form:${form.id}`)?.scrollIntoView({ block: "nearest" });
  } }, ...first, aside.length ? fold(`more:${form.id}`, "More to say", false, ...aside) : "",
  why ? el("p", { className: "bad" }, why.words) : "",
  el("button", { type: "submit", className: "big", data: { "data-at": `send:${form.id}` } },
    isSlow(form.id) ? "Sending …" : "Send to the GM"));
}
// Go to the field that a refusal is about, unless its player has gone elsewhere.
function seek(id, fields) {
  const about = fields.find(({ name }) => name === refusals.get(id)?.field);
  const field = about || (fields.length === 1 && fields[0]);
  const at = field && `${id}/${field.name}`, first = at && (find(at) || find(at, "^="));
  if (!first || !first.form.contains(document.activeElement)) return;
  if (field.aside) first.closest("details").open = true;
  first.focus();
}
function applies(field, form, draft) {
  return !field.only_if || form.fields.some((other) => {
    const value = answer(other, draft);
    return value === field.only_if || (other.several && value.includes(field.only_if))
      || (other.name === field.only_if && value.length > 0);
  });
}
// What is filled in, as far as it is offered still: words, or a list of them.
function answer(field, draft) {
  const value = draft[field.name] || "", offered = (each) => field.options.some(([one]) => one === each);
  if (field.several) return [value].flat().filter(offered);
  if (["combatant", "choice", "flag"].includes(field.kind)) return offered(value) ? value : "";
  if (field.kind !== "damage" || value === "roll" || !value.trim()) return value.trim();
  return `${value.trim().replace(/\s*([+-])\s*/g, "$1")} ${draft[`${field.name}/type`] || ""}`.trim();
}
function drawField(form, field, draft) {
  const at = `${form.id}/${field.name}`, value = draft[field.name] || "", isFlag = field.kind === "flag";
  const isDamage = field.kind === "damage", isRadio = !(field.several || isFlag || isDamage);
  const chips = field.options.filter(([each]) => !isDamage || each === "roll");
  const types = field.options.filter((each) => !chips.includes(each));
  const put = (now) => { draft[field.name] = now; drawMe(); };
  const inside = chips.map(([each, label]) => el("label", { className: "chip" },
    el("input", { type: isRadio ? "radio" : "checkbox", name: at, value: each,
      checked: [value].flat().includes(each), data: { "data-at": isFlag ? at : `${at}=${each}` },
      onclick: () => { if (isRadio && field.optional && draft[field.name] === each) put(""); },
      onchange: ({ target }) => put(!field.several ? target.checked ? each : ""
        : [draft[field.name] || []].flat().filter((one) => one !== each)
          .concat(target.checked ? each : [])) }),
    isFlag ? field.label : label));
  if (["number", "die", "damage", "text"].includes(field.kind) && !field.several) {
    const isChip = (each) => chips.some(([one]) => one === each);
    const another = field.kind === "text" && chips.length > 0;
    inside.push(el("input", { type: "text", value: isChip(value) ? "" : value, autocomplete: "off",
      maxLength: 200, inputMode: field.kind === "text" ? "text" : "numeric",
      placeholder: another ? "another" : { die: "number", damage: "amount" }[field.kind] || "",
      data: { "data-at": at, "aria-label": another ? `another ${field.label}` : field.label },
      oninput: ({ target }) => {
        const was = draft[field.name];
        draft[field.name] = target.value;
        if (isChip(was)) drawMe();   // which is no longer chosen
      } }));
  }
  const type = `${field.name}/type`;
  if (types.length) inside.push(el("select", { data: { "data-at": `${at}/type`,
    "aria-label": `type of ${field.label}` }, onchange: ({ target }) => { draft[type] = target.value; } },
  ...[["", "type"], ...types].map(([each, label]) =>
    el("option", { value: each, selected: each === (draft[type] || "") }, label))));
  return el("fieldset", { className: field.optional ? "" : "due" },
    el("legend", {}, field.label + (field.optional ? " (may be left out)" : "")),
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

// Whatever gets the focus stands below what stays on top, however many lines that has.
new ResizeObserver(() => {
  document.documentElement.style.scrollPaddingTop = `${above.offsetHeight + 8}px`;
}).observe(above);
above.prepend(main.querySelector("header"));   // it stays in sight, above what a phone plays
entitle();
tick();
follow();
drawMe();
listen();
setInterval(tick, 500);
setInterval(look, BRIEF);
document.addEventListener("visibilitychange", () => { if (document.hidden) keep(); else look(); });
addEventListener("pagehide", keep);
function look() {
  const slept = Date.now() - looked > 3 * BRIEF;   // as phones do
  looked = Date.now();
  if (source.readyState !== EventSource.CLOSED && Date.now() - heard <= 15000) return;
  if (!slept) lost(true);
  heard = Date.now() - 12000;
  listen();
}
// What is filled in outlives the page, which phones drop when they have no room.
function keep() {
  sessionStorage.drafts = JSON.stringify([whose, open, [...drafts]]);
}
