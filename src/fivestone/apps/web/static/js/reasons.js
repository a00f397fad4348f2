// Reasons and threats in the reader's language. The server names their kind; the words are here.

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { nameOf } from "./notation.js";

const names = (moves, size) => moves.map((move) => nameOf(move, size)).join(" ");

export function reasonText(reason, size) {
  const values = { move: nameOf(reason.move, size), line: names(reason.line, size) };
  const key = `reason.${reason.kind}`;
  const text = t(key, values);
  return text === key ? reason.text : text;
}

export function threatText(threat, size) {
  const color = t(threat.color === 1 ? "black" : "white");
  if (!threat.stones.length) return t("threat.point", { color, kind: t(`threat.${threat.kind}`), cells: names(threat.cells, size) });
  const text = t("threat.line", { color, kind: t(`threat.${threat.kind}`), stones: names(threat.stones, size) });
  return threat.cells.length ? `${text} → ${names(threat.cells, size)}` : text;
}

export const variationButton = (label, run) => h("button", { type: "button", class: "show-line", onclick: run }, icon("branch"), label);
