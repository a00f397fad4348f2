// Reasons and threats in the reader's language. The server names their kind; the words are here.

import { t } from "./i18n.js";
import { nameOf } from "./notation.js";

const names = (moves, size) => moves.map((move) => nameOf(move, size)).join(" ");

export function reasonText(reason, size) {
  const stones = reason.shapes.map((shape) => names(shape, size)).join(", ");
  const values = { move: nameOf(reason.move, size), line: names(reason.line, size), shapes: stones && t("reason.shapes", { stones }) };
  const key = `reason.${reason.kind}`;
  const text = t(key, values);
  return text === key ? reason.text : text;
}

// The stones a reason is about, as threats to be drawn: those the move makes, or those of the opponent that it stops.
export const reasonShapes = (reason, turn) => reason.shapes.map((stones) => ({ kind: "", color: reason.kind.startsWith("stops") ? 3 - turn : turn, stones, cells: [] }));

export function threatText(threat, size) {
  const color = t(threat.color === 1 ? "black" : "white");
  if (!threat.stones.length) return t("threat.point", { color, kind: t(`threat.${threat.kind}`), cells: names(threat.cells, size) });
  const text = t("threat.line", { color, kind: t(`threat.${threat.kind}`), stones: names(threat.stones, size) });
  return threat.cells.length ? `${text} → ${names(threat.cells, size)}` : text;
}
