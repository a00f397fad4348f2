// Small line charts: [x, y] points by name, axes with round numbers, an error band where there is one.

import { h, s } from "./dom.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [380, 180, 42, 22, 8, 8];

// About `count` round numbers between two.
export function ticks(low, high, count = 4) {
  const span = high - low || 1;
  const raw = span / count;
  const scale = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * scale).find((candidate) => candidate >= raw);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step) found.push(Number(value.toPrecision(10)));
  return found;
}

export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

export function minutes(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

// curves: [{ label, points, errors }], all against seconds.
export function drawChart(title, curves) {
  const all = curves.flatMap((curve) => curve.points);
  const xs = all.map(([x]) => x);
  const ys = curves.flatMap(({ points, errors }) => points.flatMap(([, y], k) => (errors && errors.length === points.length ? [y - errors[k][1], y + errors[k][1]] : [y])));
  let [low, high] = [Math.min(...ys), Math.max(...ys)];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const last = Math.max(...xs, 1e-9);
  const x = (value) => LEFT + (value / last) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
  for (const value of ticks(low, high)) {
    svg.append(s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "axis" }));
    svg.append(s("text", { x: LEFT - 5, y: y(value) + 3, "text-anchor": "end", class: "tick" }, short(value)));
  }
  const [unit, unitName] = last >= 7200 ? [3600, "h"] : last >= 120 ? [60, "min"] : [1, "s"];
  for (const value of ticks(0, last / unit)) {
    svg.append(s("text", { x: x(value * unit), y: HEIGHT - 6, "text-anchor": "middle", class: "tick" }, `${short(value)} ${unitName}`));
  }
  curves.forEach(({ points, errors }, i) => {
    if (errors && errors.length === points.length) {
      const up = points.map(([at, value], k) => `${x(at)} ${y(value + errors[k][1])}`);
      const down = points.map(([at, value], k) => `${x(at)} ${y(value - errors[k][1])}`).reverse();
      svg.append(s("path", { d: `M${[...up, ...down].join("L")}Z`, class: `band c${i}` }));
    }
    if (points.length === 1) svg.append(s("circle", { cx: x(points[0][0]), cy: y(points[0][1]), r: 3, class: `c${i}` }));
    else svg.append(s("path", { d: `M${points.map(([at, value]) => `${x(at)} ${y(value)}`).join("L")}`, class: `curve c${i}` }));
  });
  const legend = curves.map(({ label, points }, i) =>
    h("span", {}, s("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" }, s("path", { d: "M0 5H26", class: `curve c${i}`, "stroke-width": 3, fill: "none" })), `${label} ${short(points[points.length - 1][1])}`),
  );
  return h("div", { class: "card chart" }, h("h3", {}, title), svg, h("div", { class: "legend" }, ...legend));
}
