// The win-rate graph: Black's chance after each move. A click goes to the move.

import { h, s } from "./dom.js";
import { t } from "./i18n.js";
import { nameOf } from "./notation.js";
import { percent } from "./overlay.js";

const PAD = 4;

// The elements stay while a search goes on and only what is in them is drawn anew: a click needs something that stays.
export class Graph {
  constructor(onPick) {
    this.svg = s("svg", { class: "graph", role: "img", "aria-label": t("graph.label"), preserveAspectRatio: "none" });
    this.caption = h("div", { class: "graph-caption small muted" });
    this.box = h("div", { class: "graph-box" }, this.svg, this.caption);
    this.nodes = [];
    this.svg.addEventListener("click", (event) => onPick(this.at(event)));
    this.svg.addEventListener("pointermove", (event) => this.point(this.at(event)));
    this.svg.addEventListener("pointerleave", () => this.point(null));
  }

  // The node under the pointer.
  at(event) {
    const box = this.svg.getBoundingClientRect();
    const last = Math.max(1, this.nodes.length - 1);
    const i = Math.round((event.clientX - box.left - PAD) / ((box.width - 2 * PAD) / last));
    return this.nodes[Math.min(this.nodes.length - 1, Math.max(0, i))];
  }

  point(node) {
    this.pointed = node;
    this.describe(node || this.game.cursor);
  }

  describe(node) {
    const name = node.parent ? `${node.depth}. ${nameOf(node.move, this.game.size)}` : t("graph.start");
    const value = node.value === null ? t("graph.unknown") : t("graph.black", { percent: percent(node.value) });
    this.caption.textContent = `${name} · ${value}`;
  }

  draw(game) {
    this.game = game;
    this.nodes = [game.root, ...game.tip.end().line()];
    const last = Math.max(1, this.nodes.length - 1);
    const [width, height] = [this.svg.clientWidth || 340, this.svg.clientHeight || 110]; // one unit is one pixel
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const x = (i) => PAD + (i / last) * (width - 2 * PAD);
    const y = (value) => PAD + (1 - value) * (height - 2 * PAD);
    const known = this.nodes.map((node, i) => ({ node, i })).filter(({ node }) => node.value !== null);
    const parts = [s("rect", { x: 0, y: 0, width, height, class: "graph-white" })];
    if (known.length > 1) {
      const points = known.map(({ node, i }) => `${x(i)} ${y(node.value)}`).join("L");
      const [from, to] = [x(known[0].i), x(known[known.length - 1].i)];
      parts.push(s("path", { d: `M${from} ${height}L${points}L${to} ${height}Z`, class: "graph-black" }), s("path", { d: `M${points}`, class: "graph-line" }));
    }
    parts.push(s("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "graph-even" }));
    for (const { node, i } of known) if (node.flaw) parts.push(s("circle", { cx: x(i), cy: y(node.value), r: 4, class: "graph-flaw" }));
    const at = this.nodes.indexOf(game.cursor);
    if (at >= 0) {
      parts.push(s("line", { x1: x(at), x2: x(at), y1: 0, y2: height, class: "graph-now" }));
      if (game.cursor.value !== null) parts.push(s("circle", { cx: x(at), cy: y(game.cursor.value), r: 4.5, class: "graph-dot" }));
    }
    this.svg.replaceChildren(...parts);
    this.describe(this.pointed && this.nodes.includes(this.pointed) ? this.pointed : game.cursor);
  }
}
