// Small helpers to build elements. Text goes in as text nodes only: nothing is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else if (key in element && typeof value === "boolean") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const ICONS = {
  sound: "M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  mute: "M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 18h.01",
  first: "M18 6l-8 6 8 6zM6 6v12",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  last: "M6 6l8 6-8 6zM18 6v12",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5 1 1.3 1 2.1h5c0-.8.4-1.6 1-2.1A6 6 0 0 0 12 3z",
  eye: "M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  flag: "M5 21V4M5 4h12l-2.5 4L17 12H5",
  plus: "M12 5v14M5 12h14",
  stop: "M6 6h12v12H6z",
  play: "M7 4.5l12 7.5-12 7.5z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  stone: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z",
  pause: "M8 5v14M16 5v14",
  graph: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  share: "M4 12v7h16v-7M12 15V4M8 8l4-4 4 4",
  download: "M4 14v5h16v-5M12 4v11M8 11l4 4 4-4",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  branch: "M6 4v16M6 12c6 0 10-1 10-6M16 6m-2 0a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6",
  close: "M6 6l12 12M18 6L6 18",
  pen: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  check: "M5 12.5l4.5 4.5L19 7",
  swap: "M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.6 1.6M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.6-1.6",
};

export const icon = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

export function toast(text, kind = "") {
  const note = h("div", { class: `toast ${kind}` }, text);
  $("toasts").append(note);
  setTimeout(() => note.remove(), kind === "bad" ? 5000 : 2600);
}

export function announce(text) {
  $("announcer").textContent = text;
}

// A modal dialog that closes with Escape, a click outside or its own button, and leaves nothing behind.
export function openDialog(title, closeLabel, ...content) {
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h(
      "div",
      { class: "inner" },
      h(
        "header",
        {},
        h("h2", {}, title),
        h("button", { class: "icon-button", type: "button", "aria-label": closeLabel, onclick: () => dialog.close() }, icon("close")),
      ),
      ...content,
    ),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function saveFile(name, blob) {
  const url = URL.createObjectURL(blob);
  const anchor = h("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
