// The finished games that the browser keeps.

import { h, icon, openDialog, toast } from "./dom.js";
import { language, t } from "./i18n.js";
import { playerName } from "./seats.js";
import { load, write } from "./store.js";
import { unpack } from "./tree.js";

const MOST = 60;

// Keeps a finished game; the same game finished again replaces what was kept of it.
export function keepGame(game) {
  if (game.tip.depth < 5) return;
  const kept = { ...game.save(), winner: game.winner };
  const others = load("archive", []).filter((saved) => saved.id !== game.id);
  write("archive", [kept, ...others].slice(0, MOST));
}

function describe(saved) {
  const date = new Date(saved.saved).toLocaleDateString(language() === "zh" ? "zh-CN" : "en-GB");
  const names = [1, 2].map((color) => playerName(saved.players[color])).join(" – ");
  const result = saved.winner ? t("status.wins", { color: t(saved.winner === 1 ? "black" : "white") }) : t("status.draw");
  return `${date} · ${saved.size}×${saved.size} · ${names} · ${result} (${saved.tip.length})`;
}

export function archiveDialog(app) {
  const saved = load("archive", []);
  if (!saved.length) {
    toast(t("archive.empty"));
    return;
  }
  const remove = (game, row) => {
    write("archive", load("archive", []).filter((other) => other.id !== game.id));
    row.remove();
  };
  const row = (game) => {
    const open = () => {
      dialog.close();
      app.analyse.clear();
      const { size, rule, setup = null } = game;
      app.openGame({ size, rule, setup, root: unpack(game.tree, { area: size * size, turn: setup ? setup.turn : 1 }) });
    };
    const item = h("li", {}, h("button", { type: "button", onclick: open }, describe(game)), h("button", { type: "button", class: "icon-button", "aria-label": t("archive.remove"), onclick: () => remove(game, item) }, icon("close")));
    return item;
  };
  const dialog = openDialog(t("archive.title"), t("close"), h("ul", { class: "game-list", id: "game-list" }, ...saved.map(row)));
}
