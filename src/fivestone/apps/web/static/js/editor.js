// Setting up a position by hand: stones are put down and taken away on a board of their own until it is taken over.

import { h, icon } from "./dom.js";
import { HUMAN } from "./game.js";
import { t } from "./i18n.js";
import { RULES, choices } from "./setup.js";

const SIZES = [...Array(15).keys()].map((i) => i + 6);
const REMOVE = 0;

export class Editor {
  constructor(app) {
    this.app = app;
    this.game = app.makeGame();
    this.active = false;
    this.color = 1; // what a click puts down: 1 black, 2 white, 0 nothing
  }

  build() {
    const pick = (name, options, chosen, onpick) => choices(name, options, chosen, (event) => onpick(Number(event.target.value)));
    const sides = [[1, t("black")], [2, t("white")]];
    const field = (label, ...content) => h("fieldset", { class: "field" }, h("legend", {}, label), ...content);
    const select = (name, options, chosen, onpick) => h("select", { id: `setup-${name}`, "aria-label": t(name), onchange: (event) => onpick(event.target.value) }, ...options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
    const button = (name, symbol, run, kind = "") => h("button", { type: "button", class: `grow ${kind}`, id: `setup-${name}`, onclick: run }, icon(symbol), t(`setup.${name}`));
    const { size, rule } = this.game;
    return h(
      "div",
      { class: "card stack", id: "setup-card" },
      field(t("setup.stone"), pick("setup-color", [...sides, [REMOVE, t("setup.remove")]], this.color, (color) => (this.color = color))),
      field(t("setup.turn"), pick("setup-turn", sides, this.turn, (turn) => this.lay(this.stones, turn))),
      h("div", { class: "two" }, select("board", SIZES.map((n) => [n, `${n}×${n}`]), size, (chosen) => this.resize(Number(chosen), this.game.rule)), select("rule", RULES.map((name) => [name, t(`rule.${name}`)]), rule, (chosen) => this.resize(this.game.size, chosen))),
      h("div", { class: "buttons" }, button("clear", "plus", () => this.lay(new Map(), this.turn)), button("cancel", "close", () => this.close()), button("done", "check", () => this.done(), "primary")),
    );
  }

  get turn() {
    return this.game.cursor.turn;
  }

  // The stones on the board: move to colour.
  get stones() {
    return new Map(this.game.stones().map(({ move, color }) => [move, color]));
  }

  open() {
    const { app } = this;
    const { size, rule, cursor } = app.main;
    const stones = new Map(app.main.stones(cursor).map(({ move, color }) => [move, color]));
    this.active = true;
    this.game.reset({ size, rule, players: { 1: HUMAN, 2: HUMAN } });
    app.game = this.game;
    this.lay(stones, cursor.turn);
  }

  // Puts exactly these stones on the board.
  lay(stones, turn) {
    const of = (color) => [...stones].filter((stone) => stone[1] === color).map(([move]) => move);
    const { size, rule } = this.game;
    this.game.reset({ size, rule, players: { 1: HUMAN, 2: HUMAN }, setup: { black: of(1), white: of(2), turn } });
    this.app.update();
  }

  resize(size, rule) {
    const stones = size === this.game.size ? this.stones : new Map();
    this.game.reset({ size, rule, players: { 1: HUMAN, 2: HUMAN }, setup: { black: [], white: [], turn: this.turn } });
    this.lay(stones, this.turn);
  }

  // A second click with the same colour takes the stone away again.
  pointed(move) {
    const { stones } = this;
    if (this.color === REMOVE || stones.get(move) === this.color) stones.delete(move);
    else stones.set(move, this.color);
    this.lay(stones, this.turn);
  }

  close() {
    if (!this.active) return;
    this.active = false;
    this.app.game = this.app.main;
    this.app.update();
  }

  // Takes the position over, once the server has found it sound.
  async done() {
    const { app } = this;
    const { size, rule, setup } = this.game.position();
    const position = { size, rule, setup: setup.black.length || setup.white.length ? setup : null };
    try {
      await app.link.request("look", { game: { ...position, moves: [] } });
    } catch (error) {
      app.trouble(error);
      return;
    }
    if (!this.active) return;
    this.active = false;
    app.analyse.clear();
    app.openGame(position);
  }
}
