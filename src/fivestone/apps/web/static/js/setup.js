// The new-game dialog.

import { h, openDialog } from "./dom.js";
import { t } from "./i18n.js";
import { STRONGEST, computerAt, playerName } from "./seats.js";
import { settings } from "./store.js";

const SIZES = [6, 7, 8, 9, 15, 20];
export const RULES = ["freestyle", "standard", "renju", "caro", "caro-exact"];

export function choices(name, options, chosen, onchange = null) {
  return h(
    "div",
    { class: "choices" },
    ...options.map(([value, label]) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: String(value) === String(chosen), onchange }), h("span", {}, label)),
    ),
  );
}

export function newGameDialog(app, last) {
  const size = h("input", { type: "range", name: "size", min: 6, max: 20, value: last.size, "aria-label": t("board") });
  const shown = h("output", { id: "size-shown" }, `${last.size}×${last.size}`);
  const sizes = choices("size-choice", SIZES.map((n) => [n, `${n}×${n}`]), last.size, (event) => {
    size.value = event.target.value;
    shown.textContent = `${size.value}×${size.value}`;
  });
  size.addEventListener("input", () => {
    shown.textContent = `${size.value}×${size.value}`;
    for (const input of sizes.querySelectorAll("input")) input.checked = input.value === size.value;
  });
  const kinds = new Set(app.players.map((player) => player.kind));
  const opponents = ["level", "fool", "human", "watch"].filter((name) => name !== "fool" || kinds.has(name)).map((name) => [name, t(`opponent.${name}`)]);
  const nets = new Map(app.players.filter(({ kind }) => kind === "net").map((player) => [`net:${player.net}`, player]));
  for (const [value, { net }] of nets) opponents.push([value, t("net", { net })]);
  const sides = ["first", "second", "random"].map((name) => [name, t(`side.${name}`)]);
  const field = (label, ...content) => h("fieldset", { class: "field" }, h("legend", {}, label), ...content);
  const sideField = field(t("side"), choices("side", sides, last.side));
  const foolNote = h("p", { class: "small muted" }, t("fool.explain"));
  // Who plays when one only watches: a select for each colour.
  const computers = [...Array(STRONGEST).keys()].map((i) => [`level:${i + 1}`, playerName(computerAt(i + 1))]);
  if (kinds.has("fool")) computers.push(["fool", t("fool")]);
  for (const [value, { net }] of nets) computers.push([value, t("net", { net })]);
  const seat = (name, color) =>
    h("label", {}, t(color), h("select", { name, id: `watch-${color}` }, ...computers.map(([value, label]) => h("option", { value, selected: value === (last[name] || `level:${settings.level}`) }, label))));
  const watchField = field(t("opponent.watch"), h("div", { class: "two" }, seat("first", "black"), seat("second", "white")));
  const showParts = (value) => {
    sideField.hidden = value === "human" || value === "watch";
    watchField.hidden = value !== "watch";
    foolNote.hidden = value !== "fool";
  };
  const form = h(
    "form",
    { class: "form", method: "dialog", id: "new-game" },
    field(t("board"), sizes, h("div", { class: "size-row" }, size, shown)),
    field(t("opponent"), choices("opponent", opponents, last.opponent, (event) => showParts(event.target.value)), foolNote),
    sideField,
    watchField,
    field(t("rule"), h("select", { name: "rule", "aria-label": t("rule") }, ...RULES.map((rule) => h("option", { value: rule, selected: rule === last.rule }, t(`rule.${rule}`))))),
    field(t("opening"), choices("opening", ["free", "swap2"].map((name) => [name, t(`opening.${name}`)]), last.opening)),
    h("footer", {}, h("button", { type: "submit", class: "primary", id: "start-game" }, t("start"))),
  );
  // A net is offered for the game it was made for only.
  const showNets = () => {
    const fits = ({ value }) => {
      const made = nets.get(value);
      return !made || (made.rule === form.elements.rule.value && (made.size === null || made.size === Number(size.value)));
    };
    for (const input of form.querySelectorAll("input[name=opponent]")) {
      input.parentElement.hidden = !fits(input);
      if (!fits(input) && input.checked) form.querySelector("input[value=level]").click();
    }
    for (const select of watchField.querySelectorAll("select")) {
      for (const option of select.options) option.hidden = option.disabled = !fits(option);
      if (select.selectedOptions.length && select.selectedOptions[0].disabled) select.value = `level:${settings.level}`;
    }
  };
  showParts(last.opponent);
  showNets();
  form.addEventListener("input", showNets);
  const dialog = openDialog(t("new.title"), t("close"), form);
  form.addEventListener("submit", () => {
    const data = new FormData(form);
    const chosen = Math.min(20, Math.max(6, Math.round(Number(data.get("size"))) || 15));
    app.newGame({ size: chosen, rule: data.get("rule"), opponent: data.get("opponent"), side: data.get("side"), opening: data.get("opening"), first: data.get("first"), second: data.get("second") });
  });
  dialog.querySelector("#start-game").focus();
}
