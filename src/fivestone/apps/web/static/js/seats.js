// Who plays which colour, and how long they have thought.

import { h } from "./dom.js";
import { isHuman } from "./game.js";
import { t } from "./i18n.js";

const NAMED = { 2: "easy", 5: "normal", 8: "hard" };

// One step above the ten levels stands the strongest player there is.
export const STRONGEST = 11;

export const computerAt = (level) => (level >= STRONGEST ? { kind: "max" } : { kind: "level", level });

export const isLevel = (player) => player.kind === "level" || player.kind === "max";

export function playerName(player) {
  if (player.kind === "human") return t("person");
  if (player.kind === "fool") return t("fool");
  if (player.kind === "net") return t("net", { net: player.net });
  if (player.kind === "max") return t("max");
  const level = t("level", { level: player.level });
  return player.level in NAMED ? `${level} · ${t(NAMED[player.level])}` : level;
}

// What is known of a player's strength on this board under this rule.
export function playerNote(player, known, { size, rule }) {
  if (player.kind === "fool") return t("fool.note");
  if (player.kind === "net") return t("net.note", { visits: player.visits });
  const entry = known.find((candidate) => candidate.kind === player.kind && candidate.level === player.level);
  if (!entry) return "";
  const elo = (entry.elo[rule] || {})[size];
  return elo ? t(`elo.${elo.kind}`, elo) : t("elo.unknown");
}

export function formatSeconds(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function seatCards(game, known) {
  return [1, 2].map((color) => {
    const player = game.players[color];
    const name = game.seat === color ? t("you") : playerName(player);
    const busy = game.thinking && game.turn === color;
    const note = busy ? h("span", { class: "note dots" }, t("thinking")) : h("span", { class: "note" }, isHuman(player) ? t(color === 1 ? "black" : "white") : playerNote(player, known, game) || t(color === 1 ? "black" : "white"));
    return h(
      "div",
      { class: `seat ${!game.over && game.turn === color ? "active" : ""}`, "data-color": color },
      h("span", { class: `disc ${color === 1 ? "black" : "white"}`, "aria-hidden": "true" }),
      h("div", {}, h("div", { class: "who" }, name), note),
      h("span", { class: "clock" }, formatSeconds(game.secondsOf(color))),
    );
  });
}
