// The win-rate graph: Black's chance after each move. A click goes to the move.

import { h, s } from "./dom.js";
import { t } from "./i18n.js";
import { nameOf } from "./notation.js";
import { percent } from "./overlay.js";

const WIDTH = 340;
const HEIGHT = 110;
const PAD = 4;

export function drawGraph(game, onPick) {
  const nodes = [game.root, ...game.tip.end().line()];
  const last = Math.max(1, nodes.length - 1);
  const x = (i) => PAD + (i / last) * (WIDTH - 2 * PAD);
  const y = (value) => PAD + (1 - value) * (HEIGHT - 2 * PAD);
  const known = nodes.map((node, i) => ({ node, i })).filter(({ node }) => node.value !== null);
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": t("graph.label"), preserveAspectRatio: "none" });
  svg.append(s("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, class: "graph-white" }));
  if (known.length > 1) {
    const points = known.map(({ node, i }) => `${x(i)} ${y(node.value)}`).join("L");
    const [from, to] = [x(known[0].i), x(known[known.length - 1].i)];
    svg.append(s("path", { d: `M${from} ${HEIGHT}L${points}L${to} ${HEIGHT}Z`, class: "graph-black" }));
    svg.append(s("path", { d: `M${points}`, class: "graph-line" }));
  }
  svg.append(s("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "graph-even" }));
  for (const { node, i } of known) {
    if (node.flaw) svg.append(s("circle", { cx: x(i), cy: y(node.value), r: 4, class: "graph-flaw" }));
  }
  const at = nodes.indexOf(game.cursor);
  if (at >= 0) {
    svg.append(s("line", { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "graph-now" }));
    if (game.cursor.value !== null) svg.append(s("circle", { cx: x(at), cy: y(game.cursor.value), r: 4.5, class: "graph-dot" }));
  }
  const pick = (event) => {
    const box = svg.getBoundingClientRect();
    const i = Math.round((((event.clientX - box.left) / box.width) * WIDTH - PAD) / ((WIDTH - 2 * PAD) / last));
    return nodes[Math.min(nodes.length - 1, Math.max(0, i))];
  };
  svg.addEventListener("click", (event) => onPick(pick(event)));
  const caption = h("div", { class: "graph-caption small muted" });
  const describe = (node) => {
    const name = node.parent ? `${node.depth}. ${nameOf(node.move, game.size)}` : t("graph.start");
    const value = node.value === null ? t("graph.unknown") : t("graph.black", { percent: percent(node.value) });
    caption.textContent = `${name} · ${value}`;
  };
  describe(game.cursor);
  svg.addEventListener("pointermove", (event) => describe(pick(event)));
  svg.addEventListener("pointerleave", () => describe(game.cursor));
  return h("div", { class: "graph-box" }, svg, caption);
}
