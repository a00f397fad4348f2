// The Puzzles pane: find the win by force. Graded positions, and those from one's own games.

import { h, icon, toast } from "./dom.js";
import { HUMAN } from "./game.js";
import { t } from "./i18n.js";
import { formatHash } from "./notation.js";
import { playStone, playWarning, playWin } from "./sound.js";
import { load, write } from "./store.js";

const MOST_OWN = 60;

export class PuzzlePane {
  constructor(app, box) {
    this.app = app;
    this.box = box;
    this.game = app.makeGame();
    this.puzzle = null;
    this.state = "idle"; // idle, loading, solving, waiting, solved, failed, shown
    this.progress = { grade: 1, solved: {}, streak: 0, ...load("puzzles", {}) };
    this.own = load("own-puzzles", []);
    this.graded = {};
  }

  // What is to be found: a win by continuous fours, one by threes and fours, or a defence.
  get kind() {
    return (this.puzzle && this.puzzle.kind) || "fours";
  }

  get goal() {
    return this.kind === "defence" ? "hold" : "win";
  }

  build() {
    const grades = [1, 2, 3, 4, 5].map((grade) => h("button", { type: "button", class: "grow", "data-grade": grade, "aria-label": t("puzzle.grade", { grade }), onclick: () => this.choose(grade) }, String(grade)));
    this.ownButton = h("button", { type: "button", class: "grow", id: "puzzle-own", onclick: () => this.choose("own") });
    this.grades = h("div", { class: "buttons" }, ...grades);
    this.message = h("p", { class: "flat", id: "puzzle-message" });
    this.score = h("p", { class: "flat small muted", id: "puzzle-score" });
    this.showButton = h("button", { type: "button", class: "grow", id: "puzzle-show", onclick: () => this.reveal() }, icon("eye"), t("puzzle.show"));
    this.againButton = h("button", { type: "button", class: "grow", id: "puzzle-again", onclick: () => this.again() }, icon("undo"), t("puzzle.again"));
    this.nextButton = h("button", { type: "button", class: "primary grow", id: "puzzle-next", onclick: () => this.next() }, t("puzzle.next"));
    this.box.replaceChildren(
      h("div", { class: "card stack" }, h("h3", {}, t("puzzle.difficulty")), this.grades, h("div", { class: "buttons" }, this.ownButton)),
      h("div", { class: "card stack" }, this.message, h("div", { class: "buttons" }, this.showButton, this.againButton), h("div", { class: "buttons" }, this.nextButton), this.score),
    );
  }

  enter() {
    this.app.showMarks();
    if (!this.puzzle) this.next();
  }

  leave() {
    this.app.showMarks();
  }

  // Puzzles that a review found in the person's own game.
  collect(found, game) {
    const key = ({ size, setup, moves }) => formatHash({ size, rule: "", setup, moves });
    const known = new Set(this.own.map(key));
    const fresh = found.map(({ setup, kind, answers }) => ({ size: game.size, rule: game.rule, setup, kind, answers, moves: [], own: true })).filter((puzzle) => !known.has(key(puzzle)));
    if (!fresh.length) return;
    this.own = [...fresh, ...this.own].slice(0, MOST_OWN);
    write("own-puzzles", this.own);
    toast(t("puzzle.collected", { count: fresh.length }));
  }

  choose(grade) {
    this.progress.grade = grade;
    this.save();
    this.next();
  }

  save() {
    write("puzzles", this.progress);
  }

  async next() {
    const { grade } = this.progress;
    if (grade === "own" && this.own.length) {
      const at = this.puzzle && this.puzzle.own ? this.own.indexOf(this.puzzle) : -1;
      this.open(this.own[(at + 1) % this.own.length]);
      return;
    }
    this.state = "loading";
    this.app.update();
    try {
      const number = grade === "own" ? 1 : grade;
      if (!(this.graded[number] || []).length) {
        const answer = await this.app.link.request("puzzles", { grade: number });
        this.graded[number] = answer.puzzles;
      }
      const list = this.graded[number];
      const solved = this.progress.solved[number] || [];
      const rest = list.filter((puzzle) => !solved.includes(puzzle.id) && puzzle !== this.puzzle);
      const pool = rest.length ? rest : list;
      if (!pool.length) throw new Error(t("puzzle.none"));
      this.open(pool[0]);
    } catch (error) {
      this.state = "idle";
      this.app.trouble(error);
      this.app.update();
    }
  }

  open(puzzle) {
    this.puzzle = puzzle;
    this.state = "solving";
    this.game.reset({ size: puzzle.size, rule: puzzle.rule, setup: puzzle.setup, players: { 1: HUMAN, 2: HUMAN }, moves: puzzle.moves });
    this.start = this.game.tip;
    if (this.app.mode === "puzzles") this.app.game = this.game;
    this.app.showMarks();
    this.game.view(this.game.tip);
  }

  mayPlace() {
    return this.state === "solving" && this.game.atTip && Boolean(this.game.tip.facts);
  }

  // A defence is one move: it holds, or it is shown how it loses.
  async defend(move) {
    const { game } = this;
    game.place(move);
    this.state = "waiting";
    const node = game.tip;
    let win = null;
    try {
      await game.facts(node);
      if (!this.puzzle.answers.includes(move)) ({ win } = await this.app.link.request("threats", { game: game.position() }));
      if (game.tip !== node) return;
      if (this.puzzle.answers.includes(move)) this.finish();
      else this.fail();
    } catch (error) {
      this.state = "solving";
      this.app.trouble(error);
    }
    this.app.update();
    if (win) this.app.showMarks({ variation: win.line, since: performance.now() });
  }

  // A move keeps the win or it does not: the server has the proof, and answers for the defender.
  async place(move) {
    const { game } = this;
    if (this.kind === "defence") {
      this.defend(move);
      return;
    }
    game.place(move);
    this.state = "waiting";
    const node = game.tip;
    try {
      const answer = await this.app.link.request("solve", { game: game.position(), kind: this.kind });
      if (game.tip !== node) return;
      node.facts = answer.position;
      if (answer.solved) this.finish();
      else if (!answer.keeps) this.fail();
      else {
        await new Promise((resolve) => setTimeout(resolve, 350));
        if (game.tip !== node) return;
        game.place(answer.reply, answer.after);
        this.state = "solving";
      }
    } catch (error) {
      this.state = "solving";
      this.app.trouble(error);
    }
    this.app.update();
  }

  finish() {
    this.progress.streak++;
    const { id, grade } = this.puzzle;
    const solved = this.progress.solved[grade] || [];
    if (id !== undefined && !solved.includes(id)) this.progress.solved[grade] = [...solved, id];
    this.state = "solved";
    this.save();
    playWin();
  }

  fail() {
    this.state = "failed";
    this.progress.streak = 0;
    this.save();
    playWarning();
  }

  again() {
    if (this.puzzle && this.state !== "loading") this.open(this.puzzle);
  }

  async reveal() {
    const { game } = this;
    if (!["solving", "failed"].includes(this.state)) return;
    try {
      const { win } = await this.app.link.request("threats", { game: game.position(this.start) });
      game.tip = this.start;
      game.view(this.start);
      this.state = "shown";
      this.progress.streak = 0;
      this.save();
      this.app.update();
      const { answers } = this.puzzle;
      if (this.goal === "hold") this.app.showMarks({ threats: answers.map((cell) => ({ kind: "defence", color: this.start.turn, stones: [], cells: [cell] })) });
      else this.app.showMarks({ variation: win.line, since: performance.now() });
      playStone();
    } catch (error) {
      this.app.trouble(error);
    }
  }

  status() {
    if (!this.puzzle) return [t("tab.puzzles"), ""];
    const color = t(this.start.turn === 1 ? "black" : "white");
    const told = { solving: `solving.${this.kind}`, failed: `failed.${this.goal}` };
    return [t(`puzzle.title.${this.goal}`, { color }), t(`puzzle.${told[this.state] || this.state}`)];
  }

  update() {
    const { grade, solved, streak } = this.progress;
    for (const button of this.grades.children) button.setAttribute("aria-pressed", String(button.dataset.grade === String(grade)));
    this.ownButton.textContent = t("puzzle.own", { count: this.own.length });
    this.ownButton.disabled = !this.own.length;
    this.ownButton.setAttribute("aria-pressed", String(grade === "own"));
    const told = { solving: this.kind, failed: this.kind, solved: this.goal, shown: this.goal }[this.state];
    this.message.textContent = t(told ? `puzzle.${this.state}.${told}.help` : `puzzle.${this.state}.help`);
    this.showButton.disabled = !["solving", "failed"].includes(this.state);
    this.againButton.disabled = !this.puzzle || this.state === "loading";
    const total = Object.values(solved).reduce((sum, list) => sum + list.length, 0);
    this.score.textContent = t("puzzle.score", { total, streak });
  }
}
