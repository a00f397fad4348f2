// Puts the page together: one board, three panes beside it, the game under it.

import { archiveDialog, keepGame } from "./archive.js";
import { BoardView } from "./board.js";
import { $, announce, h, icon, toast } from "./dom.js";
import { Game, HUMAN, isHuman } from "./game.js";
import { language, t, translatePage } from "./i18n.js";
import { listen, showKeys, typeMove } from "./keys.js";
import { drawMoves } from "./moves.js";
import { formatHash, nameOf, parseHash, rowOf } from "./notation.js";
import { nextTheme, openSettings } from "./options.js";
import { hintMarks, threatMarks, variationMarks } from "./overlay.js";
import { AnalysePane } from "./pane-analyse.js";
import { PlayPane } from "./pane-play.js";
import { PuzzlePane } from "./pane-puzzles.js";
import { STRONGEST, computerAt, isLevel, seatCards } from "./seats.js";
import { RULES, newGameDialog } from "./setup.js";
import { Link } from "./socket.js";
import { playDraw, playLoss, playStone, playWin } from "./sound.js";
import { load, set, settings, write } from "./store.js";
import { exportDialog, importDialog, listenForGames, saveAnimation, savePicture, sharePosition } from "./transfer.js";

const FILES = [["import", "download"], ["export", "share"], ["share", "link"], ["picture", "image"], ["animation", "film"], ["archive", "book"]];
const ABOUT_THE_GAME = ["undo", "hint", "threats", "resign", "review", "live", "first", "back", "next", "last"];
const FEW_VISITS = 150; // of a net of which the server has not told yet how fast it is
const FIRST_SETUP = { size: 15, rule: "freestyle", opponent: "level", side: "first", opening: "free" };

export class App {
  constructor() {
    this.mode = "play";
    this.ghost = null;
    this.pending = null; // a touch that waits for its confirmation
    this.keyboard = null; // where the keyboard's cursor stands
    this.players = [];
    this.link = new Link((connected) => this.showLink(connected));
    this.main = this.makeGame();
    this.game = this.main;
    this.board = new BoardView($("board"), {
      onPoint: (move, event) => this.pointed(move, event),
      onHover: (move) => this.hover(move),
    });
    this.board.setup(this.main.size, settings.coordinates);
    this.play = new PlayPane(this, $("pane-play"));
    this.analyse = new AnalysePane(this, $("pane-analyse"));
    this.puzzles = new PuzzlePane(this, $("pane-puzzles"));
  }

  makeGame() {
    return new Game(this.link, {
      change: () => this.update(),
      placed: (node) => this.placed(node),
      sides: () => toast(t("swap.done", { color: t(this.main.seat === 2 ? "white" : "black") })),
      over: (game) => this.finished(game),
      queued: () => toast(t("queued")),
      trouble: (error) => this.trouble(error),
      speed: () => settings.speed,
    });
  }

  // Whether a position is being set up.
  get editing() {
    return this.mode === "analyse" && this.analyse.editor.active;
  }

  get pane() {
    return { play: this.play, analyse: this.analyse, puzzles: this.puzzles }[this.mode];
  }

  start() {
    this.dress();
    listen(this);
    listenForGames(this);
    this.link
      .request("hello")
      .then((answer) => {
        this.players = answer.players;
        this.update();
      })
      .catch((error) => this.trouble(error));
    window.addEventListener("hashchange", () => this.openAddress());
    const saved = load("game", {});
    const shown = saved.shown && formatHash({ size: saved.size, rule: saved.rule, setup: saved.setup, moves: saved.shown });
    const mode = new URLSearchParams(location.search).get("mode");
    if (location.search) history.replaceState(null, "", location.pathname + location.hash);
    if (location.hash === shown || !this.openAddress()) this.resume(saved);
    if (["play", "analyse", "puzzles"].includes(mode)) this.setMode(mode);
    setInterval(() => this.showSeats(), 500);
  }

  // Takes up the game that the browser kept, or starts a new one.
  resume(saved) {
    try {
      if (!saved.tree) throw new Error("nothing saved");
      this.main.restore(saved);
      if (saved.mode === "analyse") this.setMode("analyse");
    } catch {
      this.newGame(load("setup", FIRST_SETUP));
    }
  }

  // A position in the address opens for analysis: nobody moves in it uninvited.
  openAddress() {
    const found = parseHash(location.hash, RULES);
    this.address = null;
    if (!found || formatHash(found) === formatHash(this.main.position(this.main.cursor))) return false;
    this.openGame(found);
    return true;
  }

  // moves: a line; or root: a whole tree with its variations.
  openGame({ size, rule, setup = null, moves = [], root = null }) {
    this.main.reset({ size, rule, setup, players: { 1: HUMAN, 2: HUMAN }, moves });
    if (root) this.main.graft(root);
    this.setMode("analyse");
    this.main.view(this.main.tip);
    this.main.proceed();
  }

  // Starts a game from the choices of the new-game dialog.
  newGame(setup) {
    write("setup", setup);
    const computer = this.computerOf(setup.opponent);
    const first = setup.side === "first" || (setup.side === "random" && Math.random() < 0.5);
    let players = first ? { 1: HUMAN, 2: computer } : { 1: computer, 2: HUMAN };
    if (setup.opponent === "human") players = { 1: HUMAN, 2: HUMAN };
    if (setup.opponent === "watch") players = { 1: this.computerOf(setup.first || "level"), 2: this.computerOf(setup.second || "level") };
    this.keyboard = null;
    this.play.clearAdvice();
    this.analyse.clear();
    this.setMode("play");
    this.main.start({ size: setup.size, rule: setup.rule, players, opening: setup.opening });
  }

  computerOf(opponent) {
    if (opponent === "fool") return { kind: "fool" };
    if (opponent.startsWith("level:")) return computerAt(Number(opponent.slice(6)));
    if (opponent.startsWith("net:")) {
      const net = opponent.slice(4);
      const known = this.players.find((player) => player.kind === "net" && player.net === net);
      return { kind: "net", net, visits: known ? known.visits : FEW_VISITS };
    }
    return computerAt(settings.level);
  }

  setLevel(level) {
    set("level", level);
    for (const player of Object.values(this.main.players)) if (isLevel(player)) Object.assign(player, { level: undefined }, computerAt(level));
    this.update();
  }

  setMode(mode) {
    if (this.pane.leave) this.pane.leave();
    this.mode = mode;
    for (const tab of $("tabs").querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", String(tab.dataset.mode === mode));
    for (const name of ["play", "analyse", "puzzles"]) $(`pane-${name}`).hidden = name !== mode;
    this.game = mode === "puzzles" ? this.puzzles.game : this.main;
    if (mode === "play") this.main.cursor = this.main.tip;
    this.pane.enter();
    this.update();
  }

  dress() {
    for (const element of document.querySelectorAll("[data-icon]")) element.replaceChildren(icon(element.dataset.icon));
    $("sound-button").replaceChildren(icon(settings.sound ? "sound" : "mute"));
    $("lang-button").textContent = language() === "zh" ? "EN" : "中";
    translatePage();
    $("status").dataset.text = "";
    const file = ([name, symbol]) => h("button", { type: "button", class: "icon-button", id: `do-${name}`, title: `${t(name)} (${t(`key.${name}`)})`, onclick: () => this.act(name) }, icon(symbol), h("span", {}, t(name)));
    $("files").replaceChildren(...FILES.map(file));
    $("files").setAttribute("aria-label", t("files"));
    for (const pane of [this.play, this.analyse, this.puzzles]) pane.build();
  }

  restyle(key, value) {
    set(key, value);
    document.documentElement.dataset.theme = settings.theme;
    this.dress();
    this.update();
  }

  trouble(error) {
    toast(t("error", { error: error.message }), "bad");
  }

  // Pointing.

  hover(move) {
    if (this.mode === "analyse") this.analyse.pointedAt(move);
    const ghost = this.mayPoint(move) ? move : null;
    if (ghost === this.ghost) return;
    this.ghost = ghost;
    this.showPointer();
  }

  mayPoint(move) {
    const { cursor } = this.game;
    if (this.editing) return move !== null;
    if (move === null || !cursor.facts || cursor.facts.over) return false;
    if (!this.game.isFree(move, cursor)) return false;
    return this.pane.mayPlace();
  }

  pointed(move, event) {
    if (move === null) return;
    if (this.editing) {
      this.analyse.editor.pointed(move);
      return;
    }
    const { cursor } = this.game;
    const { facts } = cursor;
    if (!facts) {
      // A fast hand: the server has not said yet what may be played here. The click waits for it.
      const { game } = this;
      game
        .facts(cursor)
        .then(() => this.game === game && this.pointed(move, event))
        .catch((error) => this.trouble(error));
      return;
    }
    if (this.mode === "play" && !this.game.atTip) {
      this.game.step("last");
      toast(t("back.to.game"));
      return;
    }
    if (facts.forbidden.includes(move)) toast(t("illegal.forbidden"));
    if (!this.mayPoint(move)) return;
    if (event && event.pointerType === "touch" && settings.confirmTouch && this.pending !== move) {
      this.pending = move;
      this.showPointer();
      return;
    }
    this.commit(move);
  }

  commit(move) {
    this.pending = null;
    this.ghost = null;
    this.pane.place(move);
    this.showPointer();
  }

  showPointer() {
    $("confirm").hidden = this.pending === null;
    const low = this.pending !== null && rowOf(this.pending, this.game.size) < this.game.size / 3;
    $("confirm").classList.toggle("high", low); // the buttons must not hide the stone they are about
    this.board.drawPointer({ ghost: this.pending ?? (this.editing && !this.analyse.editor.color ? null : this.ghost), color: this.editing ? this.analyse.editor.color : this.game.cursor.turn, cursor: this.keyboard });
  }

  // Marks on demand: { hint, threats, variation, candidates }, drawn for the position that is shown. since: when the
  // variation began to be played out.
  showMarks({ hint = null, threats = [], variation = [], since = null, candidates = [], turn = this.game.cursor.turn } = {}) {
    const drawn = threatMarks(this.board, threats, turn);
    const over = [...drawn.over];
    if (hint !== null) over.push(...hintMarks(this.board, hint));
    over.push(...candidates, ...variationMarks(this.board, variation, turn, since));
    this.board.under.replaceChildren(...drawn.under);
    this.board.over.replaceChildren(...over);
  }

  // What the game tells.

  placed(node) {
    playStone();
    announce(t("said.move", { color: t(node.color === 1 ? "black" : "white"), name: nameOf(node.move, this.game.size) }));
    this.pending = null;
    this.play.clearAdvice();
    this.update();
  }

  finished(game) {
    if (game !== this.main || this.mode === "analyse") return;
    keepGame(game);
    if (game.winner === null) playDraw();
    else if (game.seat === null || game.winner === game.seat) playWin();
    else playLoss();
    this.update();
  }

  update() {
    const { game } = this;
    this.keep();
    if (this.play.about && this.play.about !== game.cursor) this.play.clearAdvice();
    this.board.setup(game.size, settings.coordinates);
    const facts = game.cursor.facts;
    this.board.draw(game.stones(game.cursor), {
      numbers: settings.numbers,
      line: facts ? facts.line : [],
      forbidden: facts && this.mode !== "puzzles" ? facts.forbidden : [],
      animate: true,
    });
    $("board").classList.toggle("can-play", this.pane.mayPlace());
    $("board").setAttribute("aria-label", t("board.label", { size: game.size }));
    $("seats").hidden = this.mode !== "play";
    $("files").hidden = this.mode === "puzzles" || this.editing;
    $("history").hidden = this.editing;
    this.showPointer();
    this.showSeats();
    this.showStatus();
    drawMoves(this);
    const next = game.nextOf(game.cursor);
    for (const id of ["step-first", "step-back"]) $(id).disabled = !game.cursor.parent;
    for (const id of ["step-next", "step-last"]) $(id).disabled = !next;
    this.pane.update();
  }

  // The browser remembers the game and shows the position in its address.
  keep() {
    write("game", { ...this.main.save(), mode: this.mode });
    const address = formatHash(this.main.position(this.main.cursor));
    if (this.address && location.hash !== this.address) return; // somebody has just typed another one
    this.address = address;
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  showSeats() {
    if (this.mode !== "play") return;
    $("seats").replaceChildren(...seatCards(this.main, this.players));
    this.play.showThinking();
  }

  showStatus() {
    const [text, sub] = this.pane.status ? this.pane.status() : this.gameStatus();
    const status = $("status");
    if (status.dataset.text === text + sub) return; // a screen reader must not hear it twice
    status.dataset.text = text + sub;
    status.replaceChildren(text, sub ? h("span", { class: "sub" }, sub) : "");
  }

  // What the game is at; in analysis, what the position that is shown is at.
  gameStatus() {
    const { game } = this;
    const name = (color) => t(color === 1 ? "black" : "white");
    const node = this.mode === "analyse" ? game.cursor : game.tip;
    const resigned = node === game.tip ? game.resigned : null;
    const winner = resigned !== null ? 3 - resigned : node.facts && node.facts.winner;
    let [text, sub] = ["", ""];
    if (game.swap) [text, sub] = [t("swap.title"), t(`swap.${game.swap.phase}`, { who: this.play.swapName() })];
    else if (winner) {
      text = game.seat === null ? t("status.wins", { color: name(winner) }) : t(winner === game.seat ? "status.win" : "status.loss");
      sub = resigned !== null ? t("status.resigned", { color: name(resigned) }) : t("status.five", { moves: node.depth });
    } else if (node.facts && node.facts.over) [text, sub] = [t("status.draw"), t("status.full")];
    else if (this.mode === "analyse" || (game.seat === null && isHuman(game.players[node.turn]))) text = t("status.turn", { color: name(node.turn) });
    else if (isHuman(game.players[node.turn])) text = t("status.yours");
    else text = t(game.paused ? "status.paused" : "status.thinking");
    const inGame = !game.cursor.parent || game.tip.line().includes(game.cursor);
    if (!game.atTip) sub = t(inGame ? "status.viewing" : "status.variation", { move: game.cursor.depth, moves: game.tip.depth });
    return [text, sub];
  }

  showLink(connected) {
    $("link-state").hidden = connected;
    $("link-state").textContent = connected ? "" : t("status.offline");
  }

  // What keys and buttons do, by name.
  act(name) {
    if (this.editing && ABOUT_THE_GAME.includes(name)) return;
    const actions = {
      undo: () => (this.mode === "puzzles" ? this.puzzles.again() : this.play.undo()),
      hint: () => (this.mode === "puzzles" ? this.puzzles.reveal() : this.play.hint()),
      threats: () => this.play.threats(),
      new: () => newGameDialog(this, load("setup", FIRST_SETUP)),
      resign: () => this.main.resign(),
      play: () => this.setMode("play"),
      analyse: () => this.setMode("analyse"),
      puzzles: () => this.setMode("puzzles"),
      learn: () => location.assign("/learn"),
      review: () => this.analyse.review(),
      live: () => this.analyse.toggleLive(),
      import: () => importDialog(this),
      export: () => exportDialog(this),
      share: () => sharePosition(this),
      picture: () => savePicture(this),
      animation: () => saveAnimation(this),
      archive: () => archiveDialog(this),
      setup: () => this.analyse.toggleSetup(),
      type: () => typeMove(this),
      sound: () => this.restyle("sound", !settings.sound),
      theme: () => {
        this.restyle("theme", nextTheme(settings.theme));
        toast(t(`theme.${settings.theme}`));
      },
      language: () => this.restyle("language", language() === "zh" ? "en" : "zh"),
      settings: () => openSettings(this),
      keys: () => showKeys(),
      numbers: () => this.restyle("numbers", !settings.numbers),
      now: () => (this.mode === "puzzles" ? this.puzzles.next() : this.play.space()),
      easier: () => this.setLevel(Math.max(1, settings.level - 1)),
      harder: () => this.setLevel(Math.min(STRONGEST, settings.level + 1)),
      first: () => this.game.step("first"),
      back: () => this.game.step("back"),
      next: () => this.game.step("next"),
      last: () => this.game.step("last"),
    };
    if (actions[name]) actions[name]();
  }
}
