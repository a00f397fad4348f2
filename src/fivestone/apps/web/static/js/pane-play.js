// The Play pane: actions, help while playing, levels, swap2 and watching the computer play itself.

import { $, h, icon, toast } from "./dom.js";
import { isHuman } from "./game.js";
import { t } from "./i18n.js";
import { chance, percent } from "./overlay.js";
import { reasonShapes, reasonText, threatText } from "./reasons.js";
import { STRONGEST, computerAt, isLevel, playerName, playerNote } from "./seats.js";
import { playWarning } from "./sound.js";
import { set, settings } from "./store.js";

const LONG_THOUGHT = 1500; // milliseconds

export class PlayPane {
  constructor(app, box) {
    this.app = app;
    this.box = box;
    this.marks = {};
    this.threatsShown = false;
    this.judging = null;
  }

  build() {
    const { app } = this;
    const action = (name, symbol) =>
      h("button", { type: "button", class: "tall", id: `do-${name}`, title: `${t(name)} (${t(`key.${name}`)})`, onclick: () => app.act(name) }, icon(symbol), t(name));
    this.actions = h("div", { class: "card actions" }, action("undo", "undo"), action("hint", "hint"), action("threats", "eye"), action("resign", "flag"), action("new", "plus"));
    this.advice = $("advice");
    this.choice = h("div", { class: "card", id: "swap-choice", hidden: true });
    this.after = h(
      "div",
      { class: "card buttons", id: "after-game", hidden: true },
      h("button", { type: "button", class: "primary grow", id: "do-rematch", onclick: () => this.rematch() }, t("rematch")),
      h("button", { type: "button", class: "grow", id: "do-review", onclick: () => app.act("review") }, icon("graph"), t("review")),
    );
    this.nowButton = h("button", { type: "button", class: "grow", id: "do-now", onclick: () => app.act("now") });
    this.now = h("div", { class: "card buttons", hidden: true }, this.nowButton);
    this.here = h(
      "div",
      { class: "card buttons", hidden: true },
      h("button", { type: "button", class: "grow", id: "do-here", onclick: () => app.main.playFromHere() }, icon("play"), t("play.here")),
      h("button", { type: "button", class: "grow", onclick: () => app.act("last") }, t("back.to.game")),
    );
    this.box.replaceChildren(this.choice, this.now, this.after, this.here, this.actions, this.buildLevel(), this.buildWatch(), this.buildFool(), this.buildTeacher());
  }

  buildLevel() {
    this.levelName = h("output", { id: "level-name" });
    this.levelElo = h("span", { class: "elo", id: "level-elo" });
    this.levelInput = h("input", { type: "range", min: 1, max: 10, step: 1, id: "level", "aria-label": t("opponent"), oninput: (event) => this.app.setLevel(Number(event.target.value)) });
    const named = Object.entries({ easy: 2, normal: 5, hard: 8, max: STRONGEST }).map(([name, level]) =>
      h("button", { type: "button", class: "grow", id: `level-${name}`, "data-level": level, onclick: () => this.app.setLevel(level) }, t(name)),
    );
    this.levelCard = h("div", { class: "card level", id: "level-card" }, h("div", { class: "row" }, this.levelName, this.levelElo), this.levelInput, h("div", { class: "buttons" }, ...named));
    return this.levelCard;
  }

  buildWatch() {
    this.pauseButton = h("button", { type: "button", class: "grow", id: "do-pause", onclick: () => this.app.main.setPaused(!this.app.main.paused) });
    const speed = h("input", { type: "range", min: 0, max: 2000, step: 100, value: 2000 - settings.speed, "aria-label": t("speed"), id: "speed", oninput: (event) => set("speed", 2000 - Number(event.target.value)) });
    this.watchCard = h("div", { class: "card level", id: "watch-card", hidden: true }, h("label", {}, t("speed"), speed), h("div", { class: "buttons" }, this.pauseButton));
    return this.watchCard;
  }

  buildFool() {
    this.foolCard = h("div", { class: "card", id: "fool-card", hidden: true }, h("h3", {}, t("fool")), h("p", { class: "small flat" }, t("fool.explain")));
    return this.foolCard;
  }

  buildTeacher() {
    this.teachInput = h("input", { type: "checkbox", id: "teach", onchange: (event) => set("teach", event.target.checked) });
    this.teachCard = h("div", { class: "card slim" }, h("label", { class: "switch" }, t("setting.teach"), this.teachInput));
    return this.teachCard;
  }

  enter() {}

  leave() {
    this.clearAdvice();
  }

  rematch() {
    const { main } = this.app;
    const players = main.seat === null ? main.players : { 1: main.players[2], 2: main.players[1] };
    this.clearAdvice();
    main.start({ size: main.size, rule: main.rule, players, opening: main.opening });
  }

  // Placing, with the teacher in between when asked for.

  mayPlace() {
    return this.app.main.canPlay && !this.judging;
  }

  place(move) {
    const { main } = this.app;
    this.clearAdvice();
    if (settings.teach && main.seat !== null && !main.swap) this.judge(move);
    else main.play(move);
  }

  async judge(move) {
    const { app } = this;
    const node = app.main.tip;
    const request = app.link.request("judge", { game: app.main.position(), move });
    this.judging = request;
    this.say(h("p", { class: "flat muted dots" }, t("teach.looking")));
    app.pending = null;
    app.board.drawPointer({ ghost: move, color: node.turn });
    let answer = null;
    try {
      answer = await request;
    } catch (error) {
      app.trouble(error);
    }
    if (this.judging !== request || app.main.tip !== node) return;
    this.judging = null;
    this.clearAdvice();
    if (answer && answer.verdict === "blunder") this.warn(node, move, answer);
    else app.main.play(move);
  }

  warn(node, move, answer) {
    const { app } = this;
    playWarning();
    const anyway = () => {
      this.clearAdvice();
      if (app.main.tip === node) app.main.play(move);
    };
    const show = this.lineButton(t("teach.show"), [move, ...answer.refutation]);
    this.say(
      h("h3", {}, t("teach.title")),
      h("p", { class: "flat" }, answer.refutation.length ? t("teach.loses") : t("teach.drops", { percent: percent(answer.loss) })),
      h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", id: "teach-back", onclick: () => this.clearAdvice() }, t("teach.back")), h("button", { type: "button", id: "teach-anyway", onclick: anyway }, t("teach.anyway")), answer.refutation.length ? show : null),
    );
    app.board.drawPointer({ ghost: move, color: node.turn });
  }

  // Help.

  // Advice is about one position and goes when another one is shown.
  say(...content) {
    this.about = this.app.game.cursor;
    this.advice.replaceChildren(...content);
    this.advice.hidden = false;
  }

  clearAdvice() {
    if (this.judging) this.judging.drop();
    this.judging = null;
    this.about = null;
    this.threatsShown = false;
    this.marks = {};
    if (this.advice) this.advice.hidden = true;
    if (this.app.mode === "play") this.app.showMarks();
    else this.app.analyse?.show(); // a live search that has ended draws nothing more by itself
    this.app.showPointer();
  }

  // A button that plays a line out on the board, stone by stone.
  lineButton(label, variation, turn = this.app.game.cursor.turn) {
    const run = () => {
      this.marks = { variation, turn, since: performance.now() };
      if (this.app.mode === "analyse") this.app.analyse.show();
      else this.app.showMarks(this.marks);
    };
    return h("button", { type: "button", class: "show-line", onclick: run }, icon("branch"), label);
  }

  async hint() {
    const { app } = this;
    const { game } = app;
    const node = game.cursor;
    this.say(h("p", { class: "flat muted dots" }, t("hint.looking")));
    try {
      const answer = await app.link.request("hint", { game: game.position(node) });
      if (game.cursor !== node) return;
      this.marks = { hint: answer.move, threats: reasonShapes(answer.reason, node.turn) };
      const line = answer.reason.line.length ? answer.reason.line : answer.pv;
      const turn = answer.reason.kind === "stops forced win" ? 3 - node.turn : node.turn; // what would come without it
      this.say(
        h("h3", {}, t("hint")),
        h("p", { class: "flat", id: "hint-text" }, reasonText(answer.reason, game.size)),
        h("p", { class: "flat small muted" }, t("hint.chance", { percent: percent(chance(answer.value)) })),
        line.length > 1 ? h("div", { class: "buttons" }, this.lineButton(t("hint.line"), line, turn)) : null,
      );
      app.showMarks(this.marks);
    } catch (error) {
      this.clearAdvice();
      app.trouble(error);
    }
  }

  async threats() {
    const { app } = this;
    const { game } = app;
    const node = game.cursor;
    if (app.mode === "puzzles") return;
    if (this.threatsShown) {
      this.clearAdvice();
      return;
    }
    try {
      const answer = await app.link.request("threats", { game: game.position(node) });
      if (game.cursor !== node) return;
      this.threatsShown = true;
      this.marks = { threats: answer.threats };
      const lines = answer.threats.map((threat) => h("li", { class: threat.color === node.turn ? "mine" : "theirs" }, threatText(threat, game.size)));
      if (!lines.length) lines.push(h("li", {}, t("threats.none")));
      const extra = [];
      if (answer.win) extra.push(h("p", { class: "flat" }, t(`threats.win.${answer.win.kind}`)), this.lineButton(t("hint.line"), answer.win.line));
      if (answer.danger.length) extra.push(h("p", { class: "flat" }, t("threats.danger")), this.lineButton(t("hint.line"), answer.danger, 3 - node.turn));
      this.say(h("h3", {}, t("threats")), h("ul", { class: "threat-list", id: "threat-list" }, ...lines), ...extra);
      app.showMarks(this.marks);
    } catch (error) {
      app.trouble(error);
    }
  }

  undo() {
    this.clearAdvice();
    if (this.app.mode === "analyse") {
      const { cursor } = this.app.main;
      if (!cursor.parent) return;
      cursor.parent.remove(cursor);
      if (this.app.main.tip.line().includes(cursor)) this.app.main.tip = cursor.parent;
      this.app.main.view(cursor.parent);
    } else if (this.app.mode === "play" && !this.app.main.undo()) toast(t("undo.none"));
  }

  // The space bar: pause or go on when watching, move now when waiting.
  space() {
    const { main } = this.app;
    if (this.app.mode !== "play") return;
    if (this.watching || main.paused) main.setPaused(!main.paused);
    else main.hurry();
  }

  // The button that ends a long thought; a short one is over before it would be read. It also wakes a computer that
  // could not move, say because the server was busy.
  showThinking() {
    const { main } = this.app;
    const asleep = main.paused && !main.over && !this.watching;
    if (this.nowButton.dataset.asleep !== String(asleep)) {
      this.nowButton.dataset.asleep = String(asleep);
      this.nowButton.replaceChildren(icon(asleep ? "play" : "stop"), t(asleep ? "go.on" : "move.now"));
    }
    this.now.hidden = !asleep && (!main.thinking || main.swap || performance.now() - main.turnStart < LONG_THOUGHT);
  }

  // Whether two computers play.
  get watching() {
    const { main } = this.app;
    return main.seat === null && !isHuman(main.players[1]);
  }

  swapName() {
    const { swap, seat } = this.app.main;
    if (!swap) return "";
    if (seat === null && isHuman(swap.actor)) return t(swap.role === "opener" ? "swap.first" : "swap.second");
    return isHuman(swap.actor) ? t("you") : playerName(swap.actor);
  }

  showChoice() {
    const { main } = this.app;
    const asked = Boolean(main.swap) && main.swap.phase.startsWith("choose") && isHuman(main.swap.actor);
    this.choice.hidden = !asked;
    if (!asked) return;
    const pick = (name) => h("button", { type: "button", class: "grow", id: `swap-${name}`, onclick: () => main.chooseSide(name) }, t(`swap.take.${name}`));
    this.choice.replaceChildren(h("h3", {}, t("swap.pick", { who: this.swapName() })), h("div", { class: "buttons" }, pick("black"), pick("white"), main.swap.phase === "choose" ? pick("two") : null));
  }

  update() {
    const { app } = this;
    const { main } = app;
    const { level } = settings;
    const players = Object.values(main.players);
    const { watching } = this;
    const [one, two] = players;
    this.levelCard.hidden = !players.some(isLevel) || (watching && (one.kind !== two.kind || one.level !== two.level));
    this.foolCard.hidden = !players.some((player) => player.kind === "fool");
    this.watchCard.hidden = !watching || main.over;
    this.teachCard.hidden = main.seat === null || main.over;
    this.teachInput.checked = settings.teach;
    this.pauseButton.replaceChildren(icon(main.paused ? "play" : "pause"), t(main.paused ? "go.on" : "pause"));
    this.levelInput.value = level;
    this.levelName.textContent = playerName(computerAt(level));
    this.levelElo.textContent = playerNote(computerAt(level), app.players, main);
    for (const button of this.levelCard.querySelectorAll("[data-level]")) button.setAttribute("aria-pressed", String(Number(button.dataset.level) === level));
    this.after.hidden = !main.over || !main.atTip;
    this.here.hidden = main.atTip;
    this.showChoice();
    this.showThinking();
    const off = { undo: !main.tip.parent || Boolean(main.swap), resign: !main.resigner, hint: !main.cursor.facts || main.cursor.facts.over, threats: !main.cursor.facts };
    for (const [name, disabled] of Object.entries(off)) this.box.querySelector(`#do-${name}`).disabled = disabled;
    app.showMarks(this.marks);
  }
}

export const valueText = (value) => `${percent(chance(value))}%`;
