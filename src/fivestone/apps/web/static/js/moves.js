// The list of moves, with variations in brackets.

import { $, h } from "./dom.js";
import { t } from "./i18n.js";
import { nameOf } from "./notation.js";

export function drawMoves(app) {
  const { game } = app;
  const box = $("moves");
  const button = (node) =>
    h(
      "button",
      { type: "button", class: "plain", "aria-current": node === game.cursor ? "true" : "false", onclick: () => game.view(node) },
      nameOf(node.move, game.size),
      node.flaw ? h("span", { class: "flaw" }, node.flaw) : null,
    );
  const parts = [];
  const add = (start, out) => {
    for (let node = start, first = true; node; node = node.children[0], first = false) {
      if (node.color === 1 || first) out.push(h("span", { class: "no" }, `${node.depth}.`));
      out.push(button(node));
      for (const other of node.parent.children.slice(1)) {
        if (node !== node.parent.children[0]) break;
        const branch = h("span", { class: "branch" }, " (");
        const inner = [];
        add(other, inner);
        branch.append(...inner, ") ");
        out.push(branch);
      }
    }
  };
  if (game.root.children.length) add(game.root.children[0], parts);
  else parts.push(h("span", { class: "empty small" }, t("no.moves")));
  box.replaceChildren(...parts);
  const current = box.querySelector('[aria-current="true"]');
  if (current) box.scrollTop += current.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
}
