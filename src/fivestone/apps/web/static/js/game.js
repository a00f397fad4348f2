// The game on the board: who sits where, whose turn it is, and the talk with the server about it.

import { stonesOf } from "./notation.js";
import { grow, pack, unpack } from "./tree.js";

export const HUMAN = { kind: "human" };
export const isHuman = (player) => player.kind === "human";

// The opening by swap2: one side places three stones, the other takes a colour or places two more and lets the first
// choose.
class Swap {
  constructor({ phase = "place3", role = "opener", opener, answerer }) {
    Object.assign(this, { phase, role, opener, answerer });
  }

  get actor() {
    return this[this.role];
  }

  get rest() {
    return this.role === "opener" ? this.answerer : this.opener;
  }
}

export class Game {
  constructor(link, events) {
    this.link = link;
    this.events = events; // change(), placed(node), sides(), over(game), queued(), trouble(error), speed()
    this.thinking = null;
    this.reset({ size: 15, rule: "freestyle", players: { 1: HUMAN, 2: HUMAN } });
  }

  // setup: { black, white, turn }, stones that stand before the first move; or null.
  reset({ size, rule, players, setup = null, moves = [], opening = "free" }) {
    this.cancel();
    this.size = size;
    this.rule = rule;
    this.players = { 1: { ...players[1] }, 2: { ...players[2] } };
    this.opening = opening;
    this.swap = null;
    this.setup = setup;
    this.root = grow(moves, setup ? setup.turn : 1);
    this.tip = this.root.end();
    this.cursor = this.tip;
    this.resigned = null;
    this.paused = false;
    this.turnStart = performance.now();
    this.id = Date.now();
  }

  start(setup) {
    this.reset(setup);
    if (this.opening === "swap2") this.swap = new Swap({ opener: this.players[1], answerer: this.players[2] });
    this.events.change();
    return this.proceed();
  }

  position(node = this.tip) {
    return { size: this.size, rule: this.rule, ...(this.setup && { setup: this.setup }), moves: node.path() };
  }

  // What stands on the board: { move, color, number }, the number of a stone that was set up is 0.
  stones(node = this.tip) {
    return stonesOf(this.position(node));
  }

  isFree(move, node = this.tip) {
    return !node.facts.forbidden.includes(move) && !this.stones(node).some((stone) => stone.move === move);
  }

  // What makes this game differ from others: the same all through it, also after a reload.
  get seed() {
    return this.id % 2147483647;
  }

  get turn() {
    return this.tip.turn;
  }

  get over() {
    return this.resigned !== null || Boolean(this.tip.facts && this.tip.facts.over);
  }

  get winner() {
    if (this.resigned !== null) return 3 - this.resigned;
    return this.tip.facts ? this.tip.facts.winner : null;
  }

  get atTip() {
    return this.cursor === this.tip;
  }

  // The one person at this board, when there is exactly one.
  get seat() {
    const seats = [1, 2].filter((color) => isHuman(this.players[color]));
    return seats.length === 1 ? seats[0] : null;
  }

  get canPlay() {
    if (this.over || !this.atTip || !this.tip.facts) return false;
    if (this.swap) return this.swap.phase.startsWith("place") && isHuman(this.swap.actor);
    return isHuman(this.players[this.turn]);
  }

  secondsOf(color) {
    let seconds = 0;
    for (const node of this.tip.line()) if (node.color === color) seconds += node.seconds;
    if (!this.over && !this.paused && color === this.turn && this.tip.depth) seconds += (performance.now() - this.turnStart) / 1000;
    return seconds;
  }

  async facts(node) {
    if (!node.facts) {
      const answer = await this.link.request("look", { game: this.position(node) });
      node.facts = answer.position;
    }
    return node.facts;
  }

  place(move, facts = null) {
    const node = this.tip.add(move);
    node.seconds = this.tip.depth ? (performance.now() - this.turnStart) / 1000 : 0;
    node.facts = facts;
    node.promote();
    this.turnStart = performance.now();
    this.tip = node;
    this.cursor = node;
    this.events.placed(node);
  }

  play(move) {
    if (!this.canPlay || !this.isFree(move)) return false;
    this.paused = false;
    this.place(move);
    this.proceed();
    return true;
  }

  // Finds out about the position at the tip, and lets the computer move when it is its turn.
  async proceed() {
    const node = this.tip;
    try {
      await this.facts(node);
    } catch (error) {
      this.halt(error);
      return;
    }
    if (node !== this.tip) return;
    this.events.change();
    if (this.over) {
      this.events.over(this);
      return;
    }
    if (this.swap) {
      await this.proceedSwap();
      return;
    }
    const player = this.players[this.turn];
    if (!isHuman(player) && !this.paused && !this.thinking) await this.think(player);
  }

  async proceedSwap() {
    const { swap } = this;
    if (swap.phase === "place3" && this.tip.depth === 3) Object.assign(swap, { phase: "choose", role: "answerer" });
    if (swap.phase === "place2" && this.tip.depth === 5) Object.assign(swap, { phase: "choose2", role: "opener" });
    this.events.change();
    if (isHuman(swap.actor) || this.thinking || this.paused) return;
    const request = this.link.request("swap2", { game: this.position(), seed: this.seed });
    this.thinking = request;
    try {
      const answer = await request;
      if (this.thinking !== request || this.swap !== swap) return;
      for (const move of answer.moves) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        if (this.thinking !== request) return;
        this.place(move);
      }
      this.thinking = null;
      if (swap.phase === "choose" && answer.choice === "two") Object.assign(swap, { phase: "place2" });
      else if (answer.choice) {
        this.chooseSide(answer.choice);
        return;
      }
      this.proceed();
    } catch (error) {
      if (this.thinking === request) this.halt(error);
    }
  }

  // The answer to an opening: "black", "white", or "two" more stones.
  chooseSide(choice) {
    const { swap } = this;
    if (!swap || !swap.phase.startsWith("choose")) return;
    if (choice === "two") swap.phase = "place2";
    else {
      const [actor, rest] = [swap.actor, swap.rest];
      this.players = choice === "black" ? { 1: actor, 2: rest } : { 1: rest, 2: actor };
      this.swap = null;
      this.events.sides();
    }
    this.events.change();
    this.proceed();
  }

  async think(player) {
    const node = this.tip;
    const started = performance.now();
    const request = this.link.request("move", { game: this.position(), player: { ...player, seed: this.seed } }, (part) => {
      if (this.thinking === request && part.queued) this.events.queued();
    });
    this.thinking = request;
    this.events.change();
    try {
      const answer = await request;
      if (this.thinking !== request || node !== this.tip) return;
      const rest = this.pace() - (performance.now() - started);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (this.thinking !== request || node !== this.tip) return;
      this.thinking = null;
      if (answer.stopped) {
        this.halt(); // stopped while it waited for an engine: there is no move yet
        return;
      }
      this.place(answer.move, answer.position);
      this.proceed();
    } catch (error) {
      if (this.thinking === request) this.halt(error);
    }
  }

  // The computer cannot go on by itself: the game waits until somebody asks it to.
  halt(error = null) {
    this.thinking = null;
    this.paused = true;
    if (error) this.events.trouble(error);
    this.events.change();
  }

  // A move that comes too fast is not seen: the least time between two moves, in milliseconds.
  pace() {
    return this.seat === null ? this.events.speed() : 250;
  }

  cancel() {
    if (this.thinking) this.thinking.drop();
    this.thinking = null;
  }

  hurry() {
    if (this.thinking) this.thinking.stop();
  }

  setPaused(paused) {
    this.paused = paused;
    this.turnStart = performance.now();
    if (paused) this.cancel();
    this.events.change();
    if (!paused) this.proceed();
  }

  // Takes back to the person's last own turn: both moves against a computer, one between people.
  undo() {
    this.cancel();
    if (this.resigned !== null) {
      this.resigned = null; // a slip of the finger costs no move
      this.turnStart = performance.now();
      this.events.change();
      this.proceed();
      return true;
    }
    if (!this.tip.parent) return false;
    let node = this.tip;
    do {
      const parent = node.parent;
      parent.remove(node);
      node = parent;
    } while (node.parent && this.seat !== null && node.turn !== this.seat);
    this.tip = node;
    this.cursor = node;
    this.turnStart = performance.now();
    if (this.seat === null && !isHuman(this.players[1])) this.paused = true;
    this.events.change();
    this.proceed();
    return true;
  }

  // Who may resign now: the person at the board, or of two the one whose turn it is; 0 for nobody.
  get resigner() {
    if (this.over || this.swap) return 0;
    return this.seat ?? (isHuman(this.players[1]) ? this.turn : 0);
  }

  resign() {
    if (!this.resigner) return;
    this.cancel();
    this.resigned = this.resigner;
    this.events.change();
    this.events.over(this);
  }

  view(node) {
    this.cursor = node;
    this.events.change();
    if (!node.facts) this.facts(node).then(() => this.events.change()).catch(this.events.trouble);
  }

  step(kind) {
    const targets = {
      first: () => this.root,
      back: () => this.cursor.parent,
      next: () => this.nextOf(this.cursor),
      last: () => (this.tip.line().includes(this.cursor) || this.cursor === this.root ? this.tip : this.cursor.end()),
    };
    const node = targets[kind]();
    if (node && node !== this.cursor) this.view(node);
  }

  // The next node towards the tip, or along the variation that is being looked at.
  nextOf(node) {
    const line = this.tip.line();
    return line.find((candidate) => candidate.parent === node) || node.children[0] || null;
  }

  // Goes on from the position that is being looked at; what came after it stays as a variation.
  playFromHere() {
    this.cancel();
    this.resigned = null;
    this.tip = this.cursor;
    this.turnStart = performance.now();
    this.paused = false;
    this.events.change();
    this.proceed();
  }

  // A move in analysis: nobody answers it.
  explore(move) {
    const facts = this.cursor.facts;
    if (!facts || facts.over || !this.isFree(move, this.cursor)) return false;
    const node = this.cursor.add(move);
    this.events.placed(node);
    this.view(node);
    return true;
  }

  // Takes a whole tree, with its variations, in place of the moves.
  graft(root) {
    this.root = root;
    this.tip = this.root.end();
    this.cursor = this.tip;
  }

  save() {
    return {
      id: this.id,
      size: this.size,
      rule: this.rule,
      players: this.players,
      resigned: this.resigned,
      setup: this.setup,
      opening: this.opening,
      swap: this.swap,
      tree: pack(this.root),
      tip: this.tip.path(),
      shown: this.cursor.path(),
      saved: Date.now(),
    };
  }

  restore(saved) {
    this.reset({ size: saved.size, rule: saved.rule, players: saved.players, setup: saved.setup ?? null, opening: saved.opening });
    this.swap = saved.swap ? new Swap(saved.swap) : null;
    this.id = saved.id;
    this.resigned = saved.resigned ?? null;
    this.root = unpack(saved.tree, { area: saved.size * saved.size, turn: this.root.turn });
    let node = this.root;
    for (const move of saved.tip) node = node.add(move);
    this.tip = node;
    this.cursor = this.tip;
    this.events.change();
    return this.proceed();
  }
}
