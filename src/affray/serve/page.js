"use strict";
// News come as ready HTML, one JSON string an event. Whatever breaks, the page comes back by itself:
// after three missed beats it asks anew.
const main = document.querySelector("main"), away = document.getElementById("away");
let source, heard = Date.now();
function show(html) {
  const at = scrollY;
  main.innerHTML = html;
  scrollTo(0, at);
  follow();
}
// Nobody scrolls a television.
function follow() {
  const up = document.querySelector("li.up");
  if (up && innerWidth >= 1200) up.scrollIntoView({ block: "nearest" });
}
function listen() {
  if (source) source.close();
  source = new EventSource("events");
  const hear = () => { heard = Date.now(); away.hidden = true; };
  source.onopen = hear;
  source.addEventListener("beat", hear);
  source.onmessage = (event) => { hear(); show(JSON.parse(event.data)); };
  source.onerror = () => { away.hidden = false; };
}
follow();
listen();
setInterval(() => {
  if (source.readyState === EventSource.CLOSED || Date.now() - heard > 15000) {
    away.hidden = false;
    heard = Date.now() - 12000;
    listen();
  }
}, 3000);
