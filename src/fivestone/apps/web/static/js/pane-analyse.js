// The Analyse pane: live search with candidate moves, the graph, the review of the whole game, files.

import { h, icon, toast } from "./dom.js";
import { Editor } from "./editor.js";
import { Graph } from "./graph.js";
import { t } from "./i18n.js";
import { nameOf } from "./notation.js";
import { candidateMarks, chance, percent, shortCount } from "./overlay.js";
import { reasonText } from "./reasons.js";
import { computerAt } from "./seats.js";
import { settings, set } from "./store.js";

const PHONE = matchMedia("(max-width: 860px) and (orientation: portrait)"); // the panel is below the board
export const FLAWS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export class AnalysePane {
  constructor(app, box) {
    this.app = app;
    this.box = box;
    this.search = null; // the request under way
    this.result = null; // its last result
    this.node = null; // the position it is about
    this.hovered = null; // what shows its line: a row of the list or a candidate on the board
    this.pinned = null; // a line of the review that stays on the board until another position is shown
    this.reviewing = null;
    this.report = null;
    this.editor = new Editor(app);
  }

  build() {
    const { app } = this;
    this.graph = new Graph((node) => app.main.view(node));
    const tall = (id, onclick, ...content) => h("button", { type: "button", class: "tall", id, onclick }, ...content);
    this.liveButton = tall("do-live", () => this.toggleLive());
    this.counter = h("span", { class: "small muted", id: "search-counter" });
    this.lines = h("ol", { class: "lines", id: "lines" });
    this.rows = [];
    this.reviewButton = tall("do-review-game", () => this.review());
    this.progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("review") });
    this.mistakes = h("div", { id: "mistakes", class: "mistakes" });
    this.reviewCard = h("div", { class: "card stack", hidden: true }, this.progress, this.mistakes);
    this.branch = h(
      "div",
      { class: "card buttons", hidden: true },
      h("button", { type: "button", class: "grow", id: "do-promote", onclick: () => this.promote() }, icon("branch"), t("branch.main")),
      h("button", { type: "button", class: "grow", id: "do-prune", onclick: () => app.act("undo") }, icon("close"), t("branch.remove")),
    );
    this.desk = h("div", { id: "desk" }, this.editor.build()); // where a position is set up
    this.box.replaceChildren(
      this.desk,
      h("div", { class: "card actions" }, this.liveButton, tall("do-show-threats", () => app.act("threats"), icon("eye"), t("threats")), this.reviewButton, tall("do-play-here", () => this.playHere(), icon("stone"), t("play.here")), tall("do-setup", () => app.act("setup"), icon("pen"), t("setup"))),
      h("div", { class: "card" }, h("h3", {}, t("graph.title")), this.graph.box),
      this.branch,
      this.reviewCard,
      h("div", { class: "card stack lines-card" }, this.counter, this.lines),
    );
    this.showReview();
  }

  enter() {
    this.update();
  }

  leave() {
    this.editor.close();
    this.stop();
    this.app.showMarks();
  }

  clear() {
    this.stop();
    if (this.reviewing) this.reviewing.drop();
    this.reviewing = null;
    this.report = null;
    if (this.mistakes) this.showReview();
  }

  mayPlace() {
    return this.editor.active || Boolean(this.app.main.cursor.facts) && !this.app.main.cursor.facts.over;
  }

  place(move) {
    this.app.main.explore(move);
  }

  // The variation that is shown becomes the game.
  promote() {
    const { main } = this.app;
    main.cursor.promote();
    main.tip = main.root.end();
    this.app.update();
  }

  playHere() {
    const { app } = this;
    const { main } = app;
    if (main.seat === null) {
      const turn = main.cursor.turn;
      main.players = { [turn]: { kind: "human" }, [3 - turn]: computerAt(settings.level) };
    }
    main.tip = main.cursor;
    app.setMode("play");
    main.playFromHere();
  }

  // Live search of the position that is shown.

  toggleLive() {
    set("live", settings.live === false);
    if (this.app.mode !== "analyse") this.app.setMode("analyse");
    else this.update();
  }

  stop() {
    if (this.search) this.search.drop();
    this.search = null;
    this.node = null;
    this.result = null;
    this.hovered = null;
    clearTimeout(this.timer);
  }

  follow() {
    const { main } = this.app;
    const wanted = settings.live !== false && main.cursor.facts && !main.cursor.facts.over ? main.cursor : null;
    if (wanted === this.node) return;
    this.stop();
    this.node = wanted;
    if (wanted) this.timer = setTimeout(() => this.begin(wanted), 120); // stepping fast asks for nothing
  }

  async begin(node) {
    const { app } = this;
    const take = (message) => {
      if (this.node !== node || !message.moves) return;
      this.result = message;
      const own = chance(message.value);
      node.value = node.turn === 1 ? own : 1 - own;
      this.show();
    };
    const request = app.link.request("analyze", { game: app.main.position(node), lines: 6 }, take);
    this.search = request;
    try {
      take(await request);
    } catch (error) {
      if (this.search === request) app.trouble(error);
    }
    if (this.search === request) this.search = null;
    if (this.node === node) this.show();
  }

  status() {
    return this.editor.active ? [t("setup.title"), t("setup.help")] : this.app.gameStatus();
  }

  // Opens the desk with the position that is shown, or leaves it without taking anything over.
  toggleSetup() {
    if (this.editor.active) {
      this.editor.close();
      return;
    }
    if (this.app.mode !== "analyse") this.app.setMode("analyse");
    this.stop();
    this.app.play.clearAdvice();
    this.editor.open();
    this.desk.replaceChildren(this.editor.build());
  }

  update() {
    this.box.classList.toggle("editing", this.editor.active);
    if (this.editor.active) {
      this.app.showMarks();
      return;
    }
    this.follow();
    this.show();
  }

  show() {
    const { app } = this;
    if (app.mode !== "analyse") return;
    const { main } = app;
    const live = settings.live !== false;
    this.branch.hidden = main.cursor.isMain;
    this.liveButton.replaceChildren(icon(live ? "stop" : "search"), t(live ? "live.off" : "live.on"));
    this.liveButton.setAttribute("aria-pressed", String(live));
    this.graph.draw(main);
    const shown = this.node === main.cursor ? this.result : null;
    this.counter.textContent = shown ? this.counterText(shown) : live && this.node ? t("live.waiting") : "";
    this.showLines(shown ? shown.moves : [], main);
    if (this.pinned && this.pinned.node !== main.cursor) this.pinned = null;
    if (this.pinned) app.showMarks({ variation: this.pinned.moves, since: this.pinned.since });
    else if (app.play.marks.variation) app.showMarks(app.play.marks);
    else if (shown && this.hovered) app.showMarks({ variation: this.hovered.info.pv.length ? this.hovered.info.pv : [this.hovered.info.move] });
    else app.showMarks({ ...app.play.marks, candidates: shown ? candidateMarks(app.board, shown.moves, (info) => this.hover({ info, onBoard: true }), (info) => this.place(info.move)) : [] });
  }

  counterText(shown) {
    const parts = [];
    if (shown.depth) parts.push(t("live.depth", { depth: shown.depth }));
    if (shown.visits) parts.push(t("live.visits", { count: shortCount(shown.visits) }));
    if (shown.nodes) parts.push(t("live.nodes", { count: shortCount(shown.nodes) }));
    if (shown.proven === 1) parts.push(t("live.win"));
    if (shown.proven === -1) parts.push(t("live.loss"));
    return parts.join(" · ");
  }

  // Rows stay while the search deepens and only their words change, so that a click or the focus on one is not lost.
  showLines(infos, main) {
    while (this.rows.length < infos.length) this.rows.push(this.row());
    while (this.rows.length > infos.length) {
      const row = this.rows.pop();
      if (this.hovered === row) this.hovered = null;
      row.item.remove();
    }
    infos.forEach((info, i) => {
      const pv = info.pv.length ? info.pv : [info.move];
      this.rows[i].info = info;
      this.rows[i].button.replaceChildren(
        h("strong", {}, `${percent(chance(info.value))}%`),
        h("span", { class: "pv" }, pv.map((move) => nameOf(move, main.size)).join(" ")),
        h("span", { class: "muted small" }, info.visits ? shortCount(info.visits) : ""),
      );
    });
  }

  row() {
    const row = { info: null };
    row.button = h("button", { type: "button", class: "plain", onclick: () => this.place(row.info.move), onfocus: () => this.hover(row), onblur: () => this.hover(null) });
    row.item = h("li", { onpointerenter: () => this.hover(row), onpointerleave: () => this.hover(null) }, row.button);
    this.lines.append(row.item);
    return row;
  }

  // The line under the pointer or the focus is shown on the board, and goes on being shown as the search deepens.
  // source: a row of the list, or a candidate on the board.
  hover(source) {
    this.hovered = source;
    this.show();
  }

  // A candidate on the board gives way to its line, so only the pointer's place tells that it has left.
  pointedAt(move) {
    if (this.hovered && this.hovered.onBoard && this.hovered.info.move !== move) this.hover(null);
  }

  // Review of the whole game.

  async review() {
    const { app } = this;
    const { main } = app;
    if (this.reviewing) {
      this.reviewing.stop();
      return;
    }
    if (app.mode !== "analyse") app.setMode("analyse");
    const end = main.tip.end();
    const nodes = [main.root, ...end.line()];
    if (nodes.length < 2) {
      toast(t("no.moves"));
      return;
    }
    this.report = null;
    const request = app.link.request("review", { game: main.position(end) }, (part) => {
      if (part.total) this.progress.value = part.done / part.total;
      if (part.values) part.values.forEach((value, i) => this.setValue(nodes[i], value));
      this.show();
    });
    this.reviewing = request;
    this.showReview();
    try {
      const answer = await request;
      answer.values.forEach((value, i) => this.setValue(nodes[i], value));
      this.report = { mistakes: answer.mistakes, nodes };
      for (const node of nodes) node.flaw = null;
      for (const flaw of answer.mistakes) nodes[flaw.ply].flaw = FLAWS[flaw.verdict] || "";
      app.puzzles.collect(answer.puzzles || [], main);
    } catch (error) {
      app.trouble(error);
    }
    this.reviewing = null;
    this.showReview();
    app.update();
    if (this.report && PHONE.matches) this.reviewCard.scrollIntoView({ block: "start" });
  }

  setValue(node, value) {
    if (node && typeof value === "number") node.value = value;
  }

  showReview() {
    this.reviewButton.replaceChildren(icon(this.reviewing ? "stop" : "graph"), t(this.reviewing ? "review.stop" : "review"));
    this.progress.hidden = !this.reviewing;
    this.reviewCard.hidden = !this.reviewing && !this.report;
    if (!this.report) {
      this.mistakes.replaceChildren();
      return;
    }
    const { mistakes, nodes } = this.report;
    if (!mistakes.length) this.mistakes.replaceChildren(h("p", { class: "flat muted" }, t("review.clean")));
    else this.mistakes.replaceChildren(...mistakes.map((flaw) => this.flaw(flaw, nodes)));
  }

  // What the move allows, in words.
  refutationText(flaw, nodes) {
    const { size } = this.app.main;
    const color = t(nodes[flaw.ply].color === 1 ? "white" : "black"); // the opponent
    const line = flaw.refutation.slice(0, flaw.forced ? 9 : 5).map((move) => nameOf(move, size));
    if (!line.length) return "";
    return t(flaw.forced ? "review.forced" : "review.allows", { color, line: line.join(" ") + (flaw.refutation.length > line.length ? " …" : ".") });
  }

  flaw(flaw, nodes) {
    const { app } = this;
    const { size } = app.main;
    const name = (move) => nameOf(move, size);
    const before = nodes[flaw.ply - 1];
    const show = (moves) => () => {
      this.pinned = { node: before, moves, since: performance.now() };
      app.main.view(before);
    };
    const color = t(nodes[flaw.ply].color === 1 ? "black" : "white");
    return h(
      "div",
      { class: `flaw-card ${flaw.verdict}` },
      h("button", { type: "button", class: "plain flaw-head", onclick: () => app.main.view(nodes[flaw.ply]) }, h("span", { class: "flaw-mark" }, FLAWS[flaw.verdict]), h("strong", {}, `${flaw.ply}. ${name(flaw.move)}`), h("span", { class: "muted small" }, t("review.lost", { color, percent: percent(flaw.loss) }))),
      h("p", { class: "flat small" }, this.refutationText(flaw, nodes)),
      flaw.reason ? h("p", { class: "flat small" }, t("review.better", { reason: reasonText(flaw.reason, size) })) : null,
      h("div", { class: "buttons" }, flaw.refutation.length ? h("button", { type: "button", onclick: show([flaw.move, ...flaw.refutation]) }, t("review.why")) : null, flaw.line.length ? h("button", { type: "button", onclick: show(flaw.line) }, t("review.instead")) : null),
    );
  }
}
