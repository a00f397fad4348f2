// What is drawn on the board on demand: hints, threats, candidate moves and variations.

import { s } from "./dom.js";
import { nameOf } from "./notation.js";

export const percent = (probability) => Math.round(probability * 100);

// The win probability of a side from a value in [-1, 1].
export const chance = (value) => (value + 1) / 2;

export function shortCount(count) {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  if (count >= 1e4) return `${Math.round(count / 1e3)}k`;
  if (count >= 1e3) return `${(count / 1e3).toFixed(1)}k`;
  return String(count);
}

export function hintMarks(board, move) {
  const at = { cx: board.x(move), cy: board.y(move) };
  return [s("circle", { ...at, r: 15, class: "mark-hint-fill" }), s("circle", { ...at, r: 15, class: "mark-hint" })];
}

// Standing threats: a band through the stones, a ring on each cell that would carry the threat out.
export function threatMarks(board, threats, turn) {
  const under = [];
  const over = [];
  for (const threat of threats) {
    const side = threat.color === turn ? "mine" : "theirs";
    const cells = [...threat.stones, ...threat.cells].sort((a, b) => a - b);
    if (cells.length > 1) {
      const [first, last] = [cells[0], cells[cells.length - 1]];
      under.push(s("line", { x1: board.x(first), y1: board.y(first), x2: board.x(last), y2: board.y(last), class: `threat-line ${side}` }));
    }
    for (const cell of threat.cells) {
      const [x, y] = [board.x(cell), board.y(cell)];
      const mark =
        threat.kind.includes("four") || threat.kind === "five"
          ? s("path", { d: `M${x - 9} ${y}L${x} ${y - 9}L${x + 9} ${y}L${x} ${y + 9}Z`, class: `threat ${side}` })
          : s("circle", { cx: x, cy: y, r: 8, class: `threat ${side}` });
      over.push(mark);
    }
  }
  return { under, over };
}

// Candidate moves of a search: the fuller the disc, the more it was looked at; the number is the chance to win.
export function candidateMarks(board, moves, onEnter, onPick) {
  const most = Math.max(1, ...moves.map((info) => info.visits || 0));
  return moves.map((info, i) => {
    const weight = info.visits ? Math.sqrt(info.visits / most) : 1 - i / (moves.length + 1);
    const at = { cx: board.x(info.move), cy: board.y(info.move) };
    const weak = chance(moves[0].value) - chance(info.value) > 0.12;
    const group = s(
      "g",
      {
        class: `candidate ${i === 0 ? "best" : ""} ${weak ? "weak" : ""}`,
        "data-point": nameOf(info.move, board.size),
        onpointerenter: () => onEnter(info),
        onclick: (event) => {
          event.stopPropagation();
          onPick(info);
        },
      },
      s("circle", { ...at, r: 15, "fill-opacity": 0.35 + 0.6 * weight }),
      s("text", { x: at.cx, y: at.cy - (info.visits ? 2.6 : 0) }, String(percent(chance(info.value)))),
    );
    if (info.visits) group.append(s("text", { x: at.cx, y: at.cy + 8, class: "visits" }, shortCount(info.visits)));
    return group;
  });
}

const STEP = 450; // milliseconds between two stones of a line that is played out

// A line of moves as numbered ghost stones, from the side to move on. since: when it began to be played out, stone by
// stone; null shows it at once. What is drawn again goes on where it was.
export function variationMarks(board, moves, turn, since = null) {
  return moves.map((move, i) => {
    const group = board.stone(move, i % 2 ? 3 - turn : turn, `variation ${since === null ? "" : "played-out"}`);
    if (since !== null) group.style.animationDelay = `${Math.round(since + i * STEP - performance.now())}ms`;
    group.append(board.label(move, i + 1));
    return group;
  });
}
