// The board as SVG. It draws what it is told and reports where people point; it knows no rules.

import { s } from "./dom.js";
import { columnOf, nameOf, rowOf } from "./notation.js";

const CELL = 36;
const CORNER = 12;
const STONE = 16.4;

function starPoints(size) {
  const centre = (size - 1) / 2;
  const edge = size >= 13 ? 3 : size >= 9 ? 2 : null;
  const points = size % 2 ? [[centre, centre]] : [];
  if (edge !== null) for (const x of [edge, size - 1 - edge]) for (const y of [edge, size - 1 - edge]) points.push([x, y]);
  return points;
}

function gradients() {
  const stop = (offset, color) => s("stop", { offset, "stop-color": color });
  return s(
    "defs",
    {},
    s("radialGradient", { id: "g-black", cx: "0.36", cy: "0.3", r: "0.75" }, stop("0", "#787e88"), stop("0.32", "#3a3e46"), stop("1", "#0c0e11")),
    s("radialGradient", { id: "g-white", cx: "0.38", cy: "0.32", r: "0.8" }, stop("0", "#ffffff"), stop("0.6", "#f1ede3"), stop("1", "#c2bbaa")),
    s("linearGradient", { id: "g-wood", x1: "0", y1: "0", x2: "1", y2: "1" }, s("stop", { offset: "0", class: "wood-1" }), s("stop", { offset: "1", class: "wood-2" })),
  );
}

export class BoardView {
  constructor(svg, { onPoint, onHover }) {
    this.svg = svg;
    this.onPoint = onPoint;
    this.onHover = onHover;
    this.size = 0;
    this.cursor = null;
    svg.addEventListener("mousedown", (event) => event.preventDefault()); // a click must not take the arrow keys
    svg.addEventListener("click", (event) => this.point(event, this.onPoint));
    svg.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.point(event, this.onHover));
    svg.addEventListener("pointerleave", () => this.onHover(null));
  }

  point(event, callback) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || !this.size) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const column = Math.round((at.x - this.margin) / CELL);
    const row = this.size - 1 - Math.round((at.y - this.rim) / CELL);
    const inside = column >= 0 && row >= 0 && column < this.size && row < this.size;
    callback(inside ? row * this.size + column : null, event);
  }

  x(move) {
    return this.margin + columnOf(move, this.size) * CELL;
  }

  y(move) {
    return this.rim + (this.size - 1 - rowOf(move, this.size)) * CELL;
  }

  // The empty board; the layers above it are filled by draw().
  setup(size, coordinates) {
    if (size === this.size && coordinates === this.coordinates) return;
    this.size = size;
    this.coordinates = coordinates;
    this.rim = CELL * 0.72; // top and right
    this.margin = coordinates ? CELL * 0.98 : this.rim; // left and bottom
    const span = (size - 1) * CELL;
    const whole = span + this.margin + this.rim;
    this.svg.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
    const grid = s("g", { class: "grid" });
    for (let i = 0; i < size; i++) {
      const [x, y] = [this.margin + i * CELL, this.rim + i * CELL];
      const kind = i === 0 || i === size - 1 ? "edge" : null;
      grid.append(s("line", { x1: this.margin, y1: y, x2: this.margin + span, y2: y, class: kind }));
      grid.append(s("line", { x1: x, y1: this.rim, x2: x, y2: this.rim + span, class: kind }));
    }
    for (const [x, y] of starPoints(size)) {
      grid.append(s("circle", { cx: this.margin + x * CELL, cy: this.rim + y * CELL, r: 3.4, class: "star" }));
    }
    if (coordinates) {
      for (let i = 0; i < size; i++) {
        const letter = String.fromCharCode(97 + i);
        const at = this.margin + i * CELL;
        grid.append(s("text", { x: at, y: whole - this.margin * 0.3, class: "coord" }, letter));
        grid.append(s("text", { x: this.margin * 0.3, y: whole - at, class: "coord" }, String(i + 1)));
      }
    }
    const layers = ["under", "stones", "marks", "over", "pointer"].map((name) => s("g", { class: `layer-${name}` }));
    [this.under, this.stones, this.marks, this.over, this.pointer] = layers;
    this.svg.style.borderRadius = `${(100 * CORNER) / whole}%`; // for its shadow: a filter would be drawn again with every stone
    const wood = s("rect", { x: 0.6, y: 0.6, width: whole - 1.2, height: whole - 1.2, rx: CORNER, fill: "url(#g-wood)", class: "wood" });
    this.svg.replaceChildren(gradients(), wood, this.grain(whole), grid, ...layers);
    this.drawn = [];
  }

  grain(whole) {
    const group = s("g", { class: "grain" });
    for (let i = 0; i < 26; i++) {
      const y = ((i + 0.5) / 26) * whole;
      const sway = Math.sin(i * 2.3) * 9;
      const d = `M4 ${y} C ${whole * 0.3} ${y + sway}, ${whole * 0.6} ${y - sway}, ${whole - 4} ${y + sway * 0.4}`;
      group.append(s("path", { d, "stroke-width": 1 + (i % 4) * 0.9 }));
    }
    return group;
  }

  stone(move, color, kind = "") {
    const name = color === 1 ? "black" : "white";
    const group = s("g", { class: `stone ${name} ${kind}` });
    if (!kind.includes("ghost")) group.append(s("circle", { cx: this.x(move) + 1, cy: this.y(move) + 2.4, r: STONE, class: "stone-shadow" }));
    group.append(s("circle", { cx: this.x(move), cy: this.y(move), r: STONE, fill: `url(#g-${name})`, class: "body" }));
    return group;
  }

  label(move, text, kind = "") {
    return s("text", { x: this.x(move), y: this.y(move) + 0.6, class: `number ${String(text).length > 2 ? "long" : ""} ${kind}` }, String(text));
  }

  // stones: { move, color, number } in order, number 0 for one that was set up; view: { numbers, line, forbidden, animate }
  draw(stones, view) {
    const moves = stones.map((stone) => stone.move);
    const fresh = view.animate && moves.length === this.drawn.length + 1 && this.drawn.every((move, i) => move === moves[i]);
    this.drawn = moves;
    this.stones.replaceChildren(
      ...stones.map(({ move, color, number }, i) => {
        const isLast = number > 0 && i === stones.length - 1;
        const group = this.stone(move, color, fresh && isLast ? "fresh" : "");
        if (view.numbers && number) group.append(this.label(move, number, isLast ? "is-last" : ""));
        else if (isLast) group.append(s("circle", { cx: this.x(move), cy: this.y(move), r: 5.6, class: "last" }));
        group.dataset.point = nameOf(move, this.size);
        return group;
      }),
    );
    const marks = [];
    if (view.line && view.line.length) {
      const ends = [view.line[0], view.line[view.line.length - 1]];
      marks.push(s("line", { x1: this.x(ends[0]), y1: this.y(ends[0]), x2: this.x(ends[1]), y2: this.y(ends[1]), class: "winline" }));
      for (const move of view.line) marks.push(s("circle", { cx: this.x(move), cy: this.y(move), r: STONE + 1, class: "winring" }));
    }
    for (const move of view.forbidden || []) {
      const [x, y] = [this.x(move), this.y(move)];
      marks.push(s("g", { class: "forbidden", "data-point": nameOf(move, this.size) }, s("path", { d: `M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12` })));
    }
    this.marks.replaceChildren(...marks);
  }

  // The pointer layer: a ghost stone under the mouse or finger, and the keyboard's cursor.
  drawPointer({ ghost = null, color = 1, cursor = null }) {
    const parts = [];
    if (ghost !== null) parts.push(this.stone(ghost, color, "ghost"));
    if (cursor !== null) {
      const half = CELL * 0.46;
      parts.push(s("g", { class: "cursor" }, s("rect", { x: this.x(cursor) - half, y: this.y(cursor) - half, width: 2 * half, height: 2 * half, rx: 6 })));
    }
    this.pointer.replaceChildren(...parts);
  }
}
