// The keyboard: everything the mouse can do. Plain arrows step through the game; on the board they move the cursor.

import { $, announce, h, openDialog } from "./dom.js";
import { t } from "./i18n.js";
import { moveOf, nameOf } from "./notation.js";

const KEYS = {
  n: "new",
  u: "undo",
  Backspace: "undo",
  h: "hint",
  t: "threats",
  r: "resign",
  p: "play",
  a: "analyse",
  z: "puzzles",
  w: "learn",
  v: "review",
  x: "live",
  i: "import",
  e: "export",
  c: "share",
  s: "picture",
  g: "animation",
  b: "archive",
  y: "setup",
  "/": "type",
  "-": "easier",
  "+": "harder",
  " ": "now",
  m: "sound",
  d: "theme",
  l: "language",
  o: "settings",
  "?": "keys",
  "#": "numbers",
  Home: "first",
  End: "last",
  ArrowLeft: "back",
  ArrowRight: "next",
  ArrowUp: "first",
  ArrowDown: "last",
  ",": "back",
  ".": "next",
};
// What the keys do, as `?` lists it.
const ROWS = {
  "Tab ←↑↓→ Enter": "key.board",
  "← → , .": "key.steps",
  "Home End": "key.ends",
  "/": "type",
  Space: "key.space",
  n: "new.title",
  u: "undo",
  h: "hint",
  t: "threats",
  r: "resign",
  "- +": "key.level",
  "p a z": "key.modes",
  v: "review.start",
  x: "key.live",
  "Space h u": "key.puzzle",
  w: "key.learn",
  "i e": "key.files",
  c: "share",
  s: "picture",
  g: "key.gif",
  b: "archive.title",
  y: "setup.title",
  "#": "setting.numbers",
  m: "setting.sound",
  d: "setting.theme",
  l: "setting.language",
  o: "settings",
  "?": "keys",
};
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function moveCursor(app, [dx, dy]) {
  const { size } = app.game;
  const centre = Math.floor(size / 2);
  const at = app.keyboard ?? centre * size + centre;
  const clamp = (value) => Math.min(size - 1, Math.max(0, value));
  const column = clamp((at % size) + (app.keyboard === null ? 0 : dx));
  const row = clamp(Math.floor(at / size) + (app.keyboard === null ? 0 : dy));
  app.keyboard = row * size + column;
  app.showPointer();
  const stone = app.game.stones(app.game.cursor).find(({ move }) => move === app.keyboard);
  const name = nameOf(app.keyboard, size);
  const facts = app.game.cursor.facts;
  if (stone) announce(t("cell.stone", { name, color: t(stone.color === 1 ? "black" : "white") }));
  else if (facts && facts.forbidden.includes(app.keyboard)) announce(t("cell.forbidden", { name }));
  else announce(t("cell.empty", { name }));
}

export function listen(app) {
  const board = $("board");
  board.addEventListener("blur", () => {
    app.keyboard = null;
    app.showPointer();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target;
    if (target.matches("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
    if (target === board && event.key in ARROWS) {
      event.preventDefault();
      moveCursor(app, ARROWS[event.key]);
      return;
    }
    if (target === board && event.key === "Enter" && app.keyboard !== null) {
      event.preventDefault();
      app.pointed(app.keyboard, null);
      return;
    }
    if (event.key === "Escape" && app.editing) {
      app.act("setup");
      return;
    }
    if (event.key === "Escape") {
      app.pending = null;
      app.play.clearAdvice();
      return;
    }
    if (event.key === "Enter" || (event.key === " " && target.matches("button, a"))) return;
    if (target.matches("input[type=range]") && event.key in ARROWS) return;
    if (event.key in KEYS) {
      event.preventDefault();
      app.act(KEYS[event.key]);
    }
  });
  for (const kind of ["first", "back", "next", "last"]) $(`step-${kind}`).addEventListener("click", () => app.act(kind));
  for (const tab of $("tabs").querySelectorAll("[role=tab]")) tab.addEventListener("click", () => app.setMode(tab.dataset.mode));
  $("sound-button").addEventListener("click", () => app.act("sound"));
  $("theme-button").addEventListener("click", () => app.act("theme"));
  $("lang-button").addEventListener("click", () => app.act("language"));
  $("settings-button").addEventListener("click", () => app.act("settings"));
  $("help-button").addEventListener("click", () => app.act("keys"));
  $("confirm-yes").addEventListener("click", () => app.pending !== null && app.commit(app.pending));
  $("confirm-no").addEventListener("click", () => {
    app.pending = null;
    app.showPointer();
  });
}

// A move typed by name, such as h8.
export function typeMove(app) {
  const input = h("input", { type: "text", id: "move-name", maxlength: 3, autocomplete: "off", placeholder: "h8", "aria-label": t("type") });
  const form = h("form", { method: "dialog", class: "form" }, input);
  const dialog = openDialog(t("type"), t("close"), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const move = moveOf(input.value, app.game.size);
    if (move === null || !app.mayPoint(move)) {
      input.select();
      announce(t("type.bad"));
      input.setAttribute("aria-invalid", "true");
      return;
    }
    dialog.close();
    app.pointed(move, null);
  });
  input.focus();
}

export function showKeys(rows = ROWS) {
  const row = ([keys, text]) => h("div", {}, h("span", {}, ...keys.split(" ").flatMap((key) => [h("kbd", {}, key), " "])), h("span", {}, t(text)));
  openDialog(t("keys"), t("close"), h("div", { class: "keys" }, ...Object.entries(rows).map(row))).classList.add("wide");
}
