// A game as a tree of moves: the first child is the main line, the others are variations.

export class Node {
  // turn: whose turn it is at the root; below it the colours alternate.
  constructor(move, parent, turn = 1) {
    this.move = move;
    this.parent = parent;
    this.turn = parent ? 3 - parent.turn : turn;
    this.children = [];
    this.depth = parent ? parent.depth + 1 : 0;
    this.seconds = 0;
    this.facts = null; // what the server says about the position after this move
    this.value = null; // win probability of Black in [0, 1], when a search has said
    this.flaw = null; // what a review found wrong with the move
  }

  get color() {
    return 3 - this.turn;
  }

  path() {
    const moves = [];
    for (let node = this; node.parent; node = node.parent) moves.push(node.move);
    return moves.reverse();
  }

  line() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  child(move) {
    return this.children.find((node) => node.move === move);
  }

  // Adds a move, or finds it when it is there already.
  add(move) {
    let node = this.child(move);
    if (!node) {
      node = new Node(move, this);
      this.children.push(node);
    }
    return node;
  }

  remove(node) {
    this.children = this.children.filter((child) => child !== node);
  }

  // Makes this node's line the main one, all the way up.
  promote() {
    for (let node = this; node.parent; node = node.parent) {
      const siblings = node.parent.children;
      siblings.splice(siblings.indexOf(node), 1);
      siblings.unshift(node);
    }
  }

  get isMain() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
  }

  end() {
    let node = this;
    while (node.children.length) node = node.children[0];
    return node;
  }

  walk(visit) {
    visit(this);
    for (const child of this.children) child.walk(visit);
  }
}

export function grow(moves, turn = 1) {
  const root = new Node(-1, null, turn);
  let node = root;
  for (const move of moves) node = node.add(move);
  return root;
}

// A tree from a list of [number of the parent or -1, move, seconds], parents first.
export function growTree(list, turn = 1) {
  const root = new Node(-1, null, turn);
  const nodes = [];
  for (const [parent, move, seconds] of list) {
    const node = (parent < 0 ? root : nodes[parent]).add(move);
    node.seconds = seconds;
    nodes.push(node);
  }
  return root;
}

// The same list from a tree.
export function listTree(root) {
  const list = [];
  const numbers = new Map([[root, -1]]);
  root.walk((node) => {
    if (!node.parent) return;
    numbers.set(node, list.length);
    list.push([numbers.get(node.parent), node.move, Math.round(node.seconds * 10) / 10]);
  });
  return list;
}

// Trees are stored as nested lists [move, seconds, value, [children]].
export const pack = (node) => [node.move, Math.round(node.seconds * 10) / 10, node.value, node.children.map(pack)];

export function unpack([move, seconds, value, children], { parent = null, area = 400, turn = 1 } = {}) {
  const node = new Node(parent ? move : -1, parent, turn);
  if (parent && !(Number.isInteger(move) && move >= 0 && move < area)) throw new Error("bad move");
  node.seconds = Number(seconds) || 0;
  node.value = typeof value === "number" ? value : null;
  node.children = children.map((child) => unpack(child, { parent: node, area }));
  return node;
}
