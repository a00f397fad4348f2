// Pictures of the position (PNG, by way of the board's own SVG) and animations of the game (GIF, drawn on a canvas).

import { encodeGif, indexPicture, makePalette } from "./gif.js";
import { columnOf, rowOf, stonesOf } from "./notation.js";

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stop-color", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "display"];

// A copy of the board that needs no style sheet.
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && !(name === "fill" && element.hasAttribute("fill"))) element.setAttribute(name, value);
    }
    element.removeAttribute("class");
  });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  for (const name of ["class", "tabindex", "role", "id", "focusable", "aria-label"]) copy.removeAttribute(name);
  for (const part of copy.querySelectorAll("g")) if (part.childElementCount === 0) part.remove();
  return new XMLSerializer().serializeToString(copy);
}

export async function boardPng(svg, pixels = 1200) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = pixels;
  canvas.getContext("2d").drawImage(image, 0, 0, pixels, pixels);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function paintBoard(ctx, size, cell, margin) {
  const whole = ctx.canvas.width;
  ctx.fillStyle = css("--wood-1");
  ctx.fillRect(0, 0, whole, whole);
  ctx.strokeStyle = css("--grid");
  ctx.lineWidth = 1;
  for (let i = 0; i < size; i++) {
    const at = Math.round(margin + i * cell) + 0.5;
    ctx.beginPath();
    ctx.moveTo(at, margin);
    ctx.lineTo(at, whole - margin);
    ctx.moveTo(margin, at);
    ctx.lineTo(whole - margin, at);
    ctx.stroke();
  }
}

function paintStone(ctx, x, y, radius, color) {
  const shade = ctx.createRadialGradient(x - radius * 0.3, y - radius * 0.35, radius * 0.1, x, y, radius);
  const [light, dark] = color === 1 ? ["#787e88", "#0c0e11"] : ["#ffffff", "#c9c2b2"];
  shade.addColorStop(0, light);
  shade.addColorStop(1, dark);
  ctx.fillStyle = shade;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fill();
}

// The whole game as a looping GIF; the last position stays longest.
export function gameGif({ size, setup, moves, line }, whole = 480, delay = 60) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = whole;
  const ctx = canvas.getContext("2d", { willReadFrequently: true });
  const cell = whole / (size + 0.4);
  const margin = (whole - (size - 1) * cell) / 2;
  const at = (move) => [margin + columnOf(move, size) * cell, margin + (size - 1 - rowOf(move, size)) * cell];
  const shot = () => ctx.getImageData(0, 0, whole, whole);
  const frame = (count) => {
    paintBoard(ctx, size, cell, margin);
    const stones = stonesOf({ setup, moves: moves.slice(0, count) });
    for (const { move, color } of stones) paintStone(ctx, ...at(move), cell * 0.45, color);
    if (count) {
      ctx.strokeStyle = stones[stones.length - 1].color === 1 ? "#ffb454" : "#d4501c";
      ctx.lineWidth = Math.max(1.5, cell * 0.07);
      ctx.beginPath();
      ctx.arc(...at(moves[count - 1]), cell * 0.16, 0, 2 * Math.PI);
      ctx.stroke();
    }
    return shot();
  };
  // Only indices are kept: a long game has hundreds of pictures, each of them a megabyte before.
  const last = moves.length + (line && line.length ? 1 : 0);
  const picture = (number) => {
    const drawn = frame(Math.min(number, moves.length));
    if (number <= moves.length) return drawn;
    ctx.strokeStyle = css("--accent");
    ctx.lineWidth = cell * 0.14;
    ctx.beginPath();
    ctx.moveTo(...at(line[0]));
    ctx.lineTo(...at(line[line.length - 1]));
    ctx.stroke();
    return shot();
  };
  const palette = makePalette([0, Math.floor(last / 2), last].map(picture));
  const cache = new Map();
  const frames = [...Array(last + 1).keys()].map((number) => ({ pixels: indexPicture(picture(number), palette, cache), delay: number === last ? 300 : delay }));
  return encodeGif(whole, whole, palette, frames);
}
