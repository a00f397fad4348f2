// Watch it learn: the curves of a training run as it writes them, and its games replayed.

import { BoardView } from "./board.js";
import { drawChart, minutes, short } from "./chart.js";
import { $, h, icon, toast } from "./dom.js";
import { language, t, translatePage } from "./i18n.js";
import { showKeys } from "./keys.js";
import { formatHash, stonesOf } from "./notation.js";
import { nextTheme } from "./options.js";
import { Link } from "./socket.js";
import { set, settings } from "./store.js";

const PANELS = {
  loss: ["loss", "policy_loss", "value_loss"],
  entropy: ["entropy", "target_entropy"],
  accuracy: ["policy_accuracy", "value_accuracy"],
  elo: ["elo"],
  ladder: ["ladder"],
  plies: ["plies"],
  share: ["draws", "black_wins"],
  speed: ["simulations_per_second"],
};
const KEYS = { ArrowLeft: "back", ",": "back", ArrowRight: "next", ".": "next", Home: "first", End: "last", " ": "replay", d: "theme", l: "language", p: "play", a: "analyse", z: "puzzles", "?": "keys" };
const ROWS = { "← → , .": "key.steps", "Home End": "key.ends", Space: "title.replay", "p a z": "key.modes", d: "setting.theme", l: "setting.language", "?": "keys" };
const POLL = 2000;
const REPLAY = 450;

class Learn {
  constructor() {
    this.link = new Link((connected) => {
      $("link-state").hidden = connected;
      $("link-state").textContent = connected ? "" : t("status.offline");
    });
    this.board = new BoardView($("board"), { onPoint: () => {}, onHover: () => {} });
    this.name = null;
    this.data = null;
    this.game = null;
    this.at = 0;
    this.timer = null;
  }

  start() {
    this.dress();
    this.board.setup(15, settings.coordinates);
    $("run").addEventListener("change", (event) => this.choose(event.target.value));
    $("game").addEventListener("input", (event) => this.openGame(this.data.games[Number(event.target.value)]));
    const buttons = { "step-first": "first", "step-back": "back", "step-next": "next", "step-last": "last", "do-run": "replay", "theme-button": "theme", "lang-button": "language", "help-button": "keys" };
    for (const [id, name] of Object.entries(buttons)) $(id).addEventListener("click", () => this.act(name));
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.poll();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (!(event.key in KEYS) || event.target.matches("select, input") || (event.key === " " && event.target.matches("button, a"))) return;
    event.preventDefault();
    this.act(KEYS[event.key]);
  }

  act(name) {
    const step = (count) => {
      this.pause();
      this.show(count);
    };
    const actions = {
      first: () => step(0),
      back: () => step(this.at - 1),
      next: () => step(this.at + 1),
      last: () => step(Infinity),
      replay: () => (this.timer ? this.pause() : this.replay()),
      theme: () => this.restyle("theme", nextTheme(settings.theme)),
      language: () => this.restyle("language", language() === "zh" ? "en" : "zh"),
      keys: () => showKeys(ROWS),
    };
    if (name in actions) actions[name]();
    else location.assign(`/?mode=${name}`);
  }

  dress() {
    for (const element of document.querySelectorAll("[data-icon]")) element.replaceChildren(icon(element.dataset.icon));
    $("lang-button").textContent = language() === "zh" ? "EN" : "中";
    translatePage();
  }

  restyle(key, value) {
    set(key, value);
    document.documentElement.dataset.theme = settings.theme;
    this.dress();
    this.mark = null; // the charts have words in them
    this.refresh().catch((error) => toast(t("error", { error: error.message }), "bad"));
    if (this.number !== undefined) $("game-title").textContent = t("learn.round", { number: this.number });
  }

  async poll() {
    try {
      const { runs } = await this.link.request("runs");
      this.list(runs);
      if (this.name) await this.refresh();
    } catch (error) {
      toast(t("error", { error: error.message }), "bad");
    }
    setTimeout(() => this.poll(), POLL);
  }

  list(runs) {
    $("empty").hidden = runs.length > 0;
    $("empty").textContent = t("learn.empty");
    const names = runs.map((run) => run.name);
    if (names.join("/") !== this.names) {
      this.names = names.join("/");
      $("run").replaceChildren(...names.map((name) => h("option", { value: name }, name)));
    }
    if (!names.includes(this.name)) this.name = names[0] || null;
    if (this.name) $("run").value = this.name;
  }

  choose(name) {
    this.name = name;
    this.game = null;
    this.mark = null;
    this.refresh().catch((error) => toast(t("error", { error: error.message }), "bad"));
  }

  async refresh() {
    const { name } = this;
    if (!name) return;
    const data = await this.link.request("run", { name });
    if (name !== this.name) return;
    const mark = `${name}/${data.rounds}/${data.games.length}`;
    if (mark === this.mark) return; // nothing new: leave the page as it is
    this.mark = mark;
    const newest = data.games[data.games.length - 1];
    const following = !this.game || (this.data && this.number === this.data.games[this.data.games.length - 1]);
    this.data = data;
    this.showFigures(data.last);
    this.showCharts(data.curves);
    $("game").max = Math.max(0, data.games.length - 1);
    // Whoever looks at the newest game is shown the next one when it comes.
    if (following && newest !== undefined && !(this.game && newest === this.number)) {
      $("game").value = data.games.length - 1;
      this.openGame(newest);
    }
  }

  showFigures(last) {
    const figure = (label, value) => h("div", { class: "figure" }, h("span", { class: "small muted" }, label), h("b", {}, value));
    const shown = [];
    if ("round" in last) shown.push(figure(t("learn.rounds"), short(last.round + 1)));
    if ("games" in last) shown.push(figure(t("learn.games"), short(last.games)));
    if ("seconds" in last) shown.push(figure(t("learn.time"), minutes(last.seconds)));
    if ("loss" in last) shown.push(figure(t("learn.loss"), last.loss.toFixed(3)));
    $("figures").replaceChildren(...shown);
  }

  showCharts(curves) {
    const charts = [];
    for (const [panel, names] of Object.entries(PANELS)) {
      const found = names.filter((name) => curves[name] && curves[name].length).map((name) => ({ label: t(`metric.${name}`), points: curves[name], errors: curves[`${name}_error`] }));
      if (found.length) charts.push(drawChart(t(`chart.${panel}`), found));
    }
    $("charts").replaceChildren(...charts);
  }

  async openGame(number) {
    if (number === undefined) return;
    this.pause();
    try {
      const { game } = await this.link.request("run_game", { name: this.name, number });
      this.game = game;
      this.number = number;
      $("game-title").textContent = t("learn.round", { number });
      this.board.setup(game.size, settings.coordinates);
      $("open-game").href = `/${formatHash(game)}`;
      this.show(Infinity);
    } catch (error) {
      toast(t("error", { error: error.message }), "bad");
    }
  }

  show(count) {
    if (!this.game) return;
    this.at = Math.max(0, Math.min(this.game.moves.length, count));
    this.board.draw(stonesOf({ moves: this.game.moves.slice(0, this.at) }), { numbers: true, animate: true });
    $("board").setAttribute("aria-label", t("status.viewing", { move: this.at, moves: this.game.moves.length }));
  }

  replay() {
    if (!this.game) return;
    if (this.at === this.game.moves.length) this.show(0);
    $("do-run").replaceChildren(icon("pause"));
    this.timer = setInterval(() => {
      this.show(this.at + 1);
      if (this.at === this.game.moves.length) this.pause();
    }, REPLAY);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    $("do-run").replaceChildren(icon("play"));
  }
}

new Learn().start();
