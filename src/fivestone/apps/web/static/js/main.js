// Puts the page together: the board, the panel, the keys and the game.

import { BoardView } from "./board.js";
import { $, announce, h, icon, toast } from "./dom.js";
import { Game, HUMAN, isHuman } from "./game.js";
import { language, t, translatePage } from "./i18n.js";
import { nameOf } from "./notation.js";
import { drawMoves } from "./moves.js";
import { playerName, playerNote, seatCards } from "./seats.js";
import { newGameDialog } from "./setup.js";
import { openSettings, nextTheme } from "./options.js";
import { listen, showKeys } from "./keys.js";
import { Link } from "./socket.js";
import { playDraw, playLoss, playStone, playWin } from "./sound.js";
import { load, set, settings, write } from "./store.js";

class App {
  constructor() {
    this.mode = "play";
    this.ghost = null;
    this.pending = null; // a touch that waits for its confirmation
    this.keyboard = null; // where the keyboard's cursor stands
    this.players = [];
    this.link = new Link((connected) => this.showLink(connected));
    this.game = new Game(this.link, {
      change: () => this.update(),
      placed: (node) => this.placed(node),
      over: (game) => this.finished(game),
      queued: () => toast(t("queued")),
      trouble: (error) => toast(t("error", { error: error.message }), "bad"),
      speed: () => settings.speed,
    });
    this.board = new BoardView($("board"), {
      onPoint: (move, event) => this.pointed(move, event),
      onHover: (move) => this.hover(move),
    });
  }

  async start() {
    this.dress();
    listen(this);
    this.link.request("hello").then((answer) => {
      this.players = answer.players;
      this.update();
    });
    const saved = load("game", {});
    try {
      if (!saved.tree) throw new Error("nothing saved");
      await this.game.restore(saved);
    } catch {
      this.newGame(load("setup", { size: 15, rule: "freestyle", opponent: "level", side: "first" }));
    }
    setInterval(() => this.showSeats(), 500);
  }

  // Starts a game from the choices of the new-game dialog.
  newGame(setup) {
    write("setup", setup);
    const computer = setup.opponent === "fool" ? { kind: "fool" } : { kind: "level", level: settings.level };
    const first = setup.side === "first" || (setup.side === "random" && Math.random() < 0.5);
    let players = first ? { 1: HUMAN, 2: computer } : { 1: computer, 2: HUMAN };
    if (setup.opponent === "human") players = { 1: HUMAN, 2: HUMAN };
    if (setup.opponent === "watch") players = { 1: computer, 2: { ...computer } };
    this.keyboard = null;
    this.game.start({ size: setup.size, rule: setup.rule, players });
  }

  setLevel(level) {
    set("level", level);
    for (const player of Object.values(this.game.players)) if (player.kind === "level") player.level = level;
    this.update();
  }

  dress() {
    for (const element of document.querySelectorAll("[data-icon]")) element.replaceChildren(icon(element.dataset.icon));
    $("sound-button").replaceChildren(icon(settings.sound ? "sound" : "mute"));
    $("lang-button").textContent = language() === "zh" ? "EN" : "中";
    translatePage();
    this.buildPane();
  }

  restyle(key, value) {
    set(key, value);
    document.documentElement.dataset.theme = settings.theme;
    this.dress();
    this.update();
  }

  buildPane() {
    const action = (name, symbol, run, title) =>
      h("button", { type: "button", id: `do-${name}`, onclick: run, title: title || t(name) }, icon(symbol), t(name));
    this.levelOutput = h("output", { id: "level-name" });
    this.levelElo = h("span", { class: "elo", id: "level-elo" });
    this.levelInput = h("input", {
      type: "range",
      min: 1,
      max: 10,
      step: 1,
      value: settings.level,
      id: "level",
      "aria-label": t("opponent"),
      oninput: (event) => this.setLevel(Number(event.target.value)),
    });
    const named = [
      [2, "easy"],
      [5, "normal"],
      [8, "hard"],
    ].map(([level, name]) => h("button", { type: "button", class: "grow", id: `level-${name}`, onclick: () => this.setLevel(level) }, t(name)));
    this.levelCard = h(
      "div",
      { class: "card level", id: "level-card" },
      h("div", { class: "row" }, this.levelOutput, this.levelElo),
      this.levelInput,
      h("div", { class: "buttons" }, ...named),
    );
    $("pane-play").replaceChildren(
      h(
        "div",
        { class: "card actions" },
        action("undo", "undo", () => this.game.undo()),
        action("resign", "flag", () => this.game.resign()),
        action("new", "plus", () => newGameDialog(this)),
      ),
      this.levelCard,
    );
  }

  hover(move) {
    const ghost = move !== null && this.mayPoint(move) ? move : null;
    if (ghost === this.ghost) return;
    this.ghost = ghost;
    this.showPointer();
  }

  mayPoint(move) {
    if (move === null || !this.game.cursor.facts) return false;
    const free = !this.game.cursor.path().includes(move) && !this.game.cursor.facts.forbidden.includes(move);
    return free && this.game.canPlay;
  }

  pointed(move, event) {
    if (move === null) return;
    if (!this.game.atTip) {
      this.game.step("last");
      toast(t("back.to.game"));
      return;
    }
    if (this.game.cursor.facts && this.game.cursor.facts.forbidden.includes(move)) toast(t("illegal.forbidden"));
    if (!this.mayPoint(move)) return;
    const touch = event && event.pointerType === "touch";
    if (touch && settings.confirmTouch && this.pending !== move) {
      this.pending = move;
      this.showPointer();
      return;
    }
    this.commit(move);
  }

  commit(move) {
    this.pending = null;
    this.ghost = null;
    this.game.play(move);
    this.showPointer();
  }

  showPointer() {
    $("confirm").hidden = this.pending === null;
    this.board.drawPointer({ ghost: this.pending ?? this.ghost, color: this.game.cursor.turn, cursor: this.keyboard });
  }

  placed(node) {
    playStone();
    announce(t("said.move", { color: t(node.color === 1 ? "black" : "white"), name: nameOf(node.move, this.game.size) }));
    this.update();
  }

  finished(game) {
    if (game.winner === null) playDraw();
    else if (game.seat === null || game.winner === game.seat) playWin();
    else playLoss();
    this.update();
  }

  update() {
    const { game } = this;
    write("game", game.save());
    this.board.setup(game.size, settings.coordinates);
    const facts = game.cursor.facts;
    this.board.draw(game.cursor.path(), {
      numbers: settings.numbers,
      line: facts ? facts.line : [],
      forbidden: facts ? facts.forbidden : [],
      animate: true,
    });
    $("board").classList.toggle("can-play", game.canPlay);
    $("board").setAttribute("aria-label", t("board.label", { size: game.size }));
    this.showPointer();
    this.showSeats();
    this.showStatus();
    this.showLevel();
    drawMoves(this);
    for (const [id, off] of Object.entries({
      "step-first": !game.cursor.parent,
      "step-back": !game.cursor.parent,
      "step-next": !game.nextOf(game.cursor),
      "step-last": !game.nextOf(game.cursor),
      "do-undo": !game.tip.parent,
      "do-resign": game.over || game.seat === null,
    })) {
      $(id).disabled = off;
    }
  }

  showSeats() {
    $("seats").replaceChildren(...seatCards(this.game, this.players));
  }

  showLevel() {
    const level = settings.level;
    this.levelCard.hidden = !Object.values(this.game.players).some((player) => player.kind === "level");
    this.levelInput.value = level;
    this.levelOutput.textContent = playerName({ kind: "level", level });
    this.levelElo.textContent = playerNote({ kind: "level", level }, this.players) || t("level.range");
  }

  showStatus() {
    const { game } = this;
    let [text, sub] = ["", ""];
    if (game.over) {
      const color = game.winner && t(game.winner === 1 ? "black" : "white");
      if (game.winner === null) [text, sub] = [t("status.draw"), t("status.full")];
      else {
        text = game.seat === null ? t("status.wins", { color }) : t(game.winner === game.seat ? "status.win" : "status.loss");
        sub = game.resigned ? t("status.resigned", { color: t(game.resigned === 1 ? "black" : "white") }) : t("status.five", { moves: game.tip.depth });
      }
    } else if (!isHuman(game.players[game.turn])) text = t(game.paused ? "status.paused" : "status.thinking");
    else if (game.seat !== null) text = t("status.yours");
    else text = t("status.turn", { color: t(game.turn === 1 ? "black" : "white") });
    if (!game.atTip) sub = t("status.viewing", { move: game.cursor.depth, moves: game.tip.depth });
    const status = $("status");
    if (status.dataset.text === text + sub) return; // a screen reader must not hear it twice
    status.dataset.text = text + sub;
    status.replaceChildren(text, sub ? h("span", { class: "sub" }, sub) : "");
  }

  showLink(connected) {
    $("link-state").hidden = connected;
    $("link-state").textContent = connected ? "" : t("status.offline");
  }

  // What keys and buttons do, by name.
  act(name) {
    const actions = {
      undo: () => this.game.undo(),
      new: () => newGameDialog(this),
      resign: () => this.game.resign(),
      sound: () => this.restyle("sound", !settings.sound),
      theme: () => this.restyle("theme", nextTheme(settings.theme)),
      language: () => this.restyle("language", language() === "zh" ? "en" : "zh"),
      settings: () => openSettings(this),
      keys: () => showKeys(),
      numbers: () => this.restyle("numbers", !settings.numbers),
      now: () => this.game.hurry(),
      first: () => this.game.step("first"),
      back: () => this.game.step("back"),
      next: () => this.game.step("next"),
      last: () => this.game.step("last"),
    };
    if (actions[name]) actions[name]();
  }
}

const app = new App();
app.start();
