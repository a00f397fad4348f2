// Runs before the first paint, so that the page never flashes in the wrong colours. Not a module for that reason.
(function () {
  "use strict";
  let settings = {};
  try {
    settings = JSON.parse(localStorage.getItem("fivestone.settings")) || {};
  } catch {
    settings = {};
  }
  const root = document.documentElement;
  root.dataset.theme = ["light", "dark", "contrast"].includes(settings.theme) ? settings.theme : "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (root.dataset.system = dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  follow();
  if (settings.language === "zh") root.lang = "zh";
})();
