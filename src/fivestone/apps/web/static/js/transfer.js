// Games in and out: paste, file, drop; SGF, PSQ, move lists, the address, a picture, an animation.

import { $, h, icon, openDialog, saveFile, toast } from "./dom.js";
import { t } from "./i18n.js";
import { formatHash } from "./notation.js";
import { boardPng, gameGif } from "./picture.js";
import { playerName } from "./seats.js";
import { growTree, listTree } from "./tree.js";

const FORMATS = ["sgf", "psq", "txt"];
const LONGEST = 200_000;

export async function importText(app, text) {
  try {
    if (text.length > LONGEST) throw new Error(t("import.long"));
    const { game } = await app.link.request("import", { text });
    const { size, rule, setup } = game;
    const root = growTree(game.nodes, setup ? setup.turn : 1);
    app.analyse.clear();
    app.openGame({ size, rule, setup, root });
    toast(game.warnings.length ? game.warnings[0] : t("import.done", { moves: root.end().depth }));
    return true;
  } catch (error) {
    app.trouble(error);
    return false;
  }
}

export function importDialog(app) {
  const area = h("textarea", { id: "import-text", placeholder: t("import.placeholder"), "aria-label": t("import") });
  const file = h("input", { type: "file", accept: ".sgf,.psq,.txt,.rec", id: "import-file", "aria-label": t("import.file") });
  const dialog = openDialog(
    t("import"),
    t("close"),
    h("p", { class: "flat small muted" }, t("import.help")),
    area,
    file,
    h("footer", {}, h("button", { type: "button", class: "primary", id: "import-go", onclick: () => take(area.value) }, t("import"))),
  );
  const take = async (text) => {
    if (text.trim() && (await importText(app, text))) dialog.close();
  };
  file.addEventListener("change", async () => file.files.length && take(await file.files[0].text()));
  area.focus();
}

// A game that is dropped on the page, or pasted anywhere on it.
export function listenForGames(app) {
  document.addEventListener("paste", (event) => {
    if (event.target.closest("input, textarea") || document.querySelector("dialog[open]")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) importText(app, text);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const text = file ? await file.text() : event.dataTransfer.getData("text/plain");
    if (text) importText(app, text);
  });
}

export function exportDialog(app) {
  const { main } = app;
  const area = h("textarea", { id: "export-text", readonly: "", "aria-label": t("export") });
  let format = FORMATS[0];
  const write = async (name) => {
    format = name;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.format === name));
    try {
      const fields = { game: main.position(main.root.end()), format: name, resigned: main.resigned || 0 };
      if (name === "sgf") fields.nodes = listTree(main.root);
      for (const [side, color] of [["black", 1], ["white", 2]]) fields[side] = main.seat === color ? t("you") : playerName(main.players[color]);
      const answer = await app.link.request("export", fields);
      area.value = answer.text;
    } catch (error) {
      app.trouble(error);
    }
  };
  const buttons = FORMATS.map((name) => h("button", { type: "button", "data-format": name, onclick: () => write(name) }, t(`format.${name}`)));
  const save = () => saveFile(`fivestone.${format}`, new Blob([area.value], { type: "text/plain" }));
  openDialog(
    t("export"),
    t("close"),
    h("div", { class: "buttons" }, ...buttons),
    area,
    h("footer", {}, h("button", { type: "button", onclick: () => copy(area.value) }, t("copy")), h("button", { type: "button", class: "primary", id: "export-save", onclick: save }, icon("download"), t("save"))),
  );
  write(format);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    toast(t("copy.failed"), "bad");
  }
}

export function sharePosition(app) {
  const address = location.origin + location.pathname + formatHash(app.game.position(app.game.cursor));
  copy(address);
}

export async function savePicture(app) {
  const blob = await boardPng($("board"));
  saveFile(`fivestone-${app.game.cursor.depth}.png`, blob);
}

export function saveAnimation(app) {
  const { main } = app;
  const end = main.tip.end();
  if (!end.parent) {
    toast(t("no.moves"));
    return;
  }
  toast(t("animation.making"));
  setTimeout(() => saveFile("fivestone.gif", gameGif({ ...main.position(end), line: end.facts ? end.facts.line : [] })), 30);
}
