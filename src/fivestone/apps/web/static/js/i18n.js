// English and Chinese. Keys are looked up in both; a missing Chinese one falls back to English.

import { settings } from "./store.js";
import { EN } from "./text-en.js";
import { ZH } from "./text-zh.js";

const TABLES = { en: EN, zh: ZH };

export function language() {
  if (settings.language in TABLES) return settings.language;
  return (navigator.language || "en").startsWith("zh") ? "zh" : "en";
}

export function t(key, values = {}) {
  const text = TABLES[language()][key] ?? EN[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// Fills the elements of the page that carry data-t (text) or data-title (label and tooltip).
export function translatePage() {
  document.documentElement.lang = language();
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-title]")) {
    element.title = t(`title.${element.dataset.title}`);
    element.setAttribute("aria-label", element.title);
  }
}
