// Names of points and the position in the address bar. All other formats are read and written by the server.

export const columnOf = (move, size) => move % size;
export const rowOf = (move, size) => Math.floor(move / size);

export const nameOf = (move, size) => String.fromCharCode(97 + columnOf(move, size)) + (rowOf(move, size) + 1);

export function moveOf(name, size) {
  const match = /^([a-t])([1-9][0-9]?)$/.exec(name.trim().toLowerCase());
  if (!match) return null;
  const column = match[1].charCodeAt(0) - 97;
  const row = Number(match[2]) - 1;
  return column < size && row < size ? row * size + column : null;
}

// The stones of a position in order: { move, color, number }; those that were set up come first and have number 0.
export function stonesOf({ setup, moves }) {
  const first = setup ? setup.turn : 1;
  const before = setup ? [1, 2].flatMap((color) => setup[color === 1 ? "black" : "white"].map((move) => ({ move, color, number: 0 }))) : [];
  return [...before, ...moves.map((move, i) => ({ move, color: i % 2 ? 3 - first : first, number: i + 1 }))];
}

export function formatHash({ size, rule, setup = null, moves }) {
  const names = (list) => list.map((move) => nameOf(move, size)).join("");
  const stones = setup ? `&black=${names(setup.black)}&white=${names(setup.white)}&turn=${setup.turn === 1 ? "black" : "white"}` : "";
  return `#board=${size}&rule=${rule}${stones}&moves=${names(moves)}`;
}

// The position an address names, or null when it names none or makes no sense.
export function parseHash(hash, rules) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (!["moves", "board", "black", "white"].some((key) => fields.has(key))) return null;
  const size = Number(fields.get("board") || 15);
  const rule = fields.get("rule") || "freestyle";
  if (!Number.isInteger(size) || size < 5 || size > 20 || !rules.includes(rule)) return null;
  const [black, white, moves] = ["black", "white", "moves"].map((key) => ((fields.get(key) || "").match(/[a-t][1-9][0-9]?/g) || []).map((name) => moveOf(name, size)));
  const all = [...black, ...white, ...moves];
  if (all.includes(null) || new Set(all).size !== all.length) return null;
  const setup = black.length || white.length ? { black, white, turn: fields.get("turn") === "white" ? 2 : 1 } : null;
  return { size, rule, setup, moves };
}
