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

export function formatHash({ size, rule, moves }) {
  const names = moves.map((move) => nameOf(move, size)).join("");
  return `#board=${size}&rule=${rule}&moves=${names}`;
}

// The position an address names, or null when it names none or makes no sense.
export function parseHash(hash, rules) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (!fields.has("moves") && !fields.has("board")) return null;
  const size = Number(fields.get("board") || 15);
  const rule = fields.get("rule") || "freestyle";
  const names = (fields.get("moves") || "").match(/[a-t][1-9][0-9]?/g) || [];
  if (!Number.isInteger(size) || size < 5 || size > 20 || !rules.includes(rule)) return null;
  const moves = names.map((name) => moveOf(name, size));
  if (moves.includes(null) || new Set(moves).size !== moves.length) return null;
  return { size, rule, moves };
}
