// The settings dialog.

import { h, openDialog } from "./dom.js";
import { language, t } from "./i18n.js";
import { choices } from "./setup.js";
import { settings } from "./store.js";

const THEMES = ["auto", "light", "dark", "contrast"];
const SWITCHES = ["numbers", "coordinates", "sound", "confirmTouch", "teach"];

export const nextTheme = (theme) => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];

export function openSettings(app) {
  const toggle = (name) =>
    h(
      "label",
      { class: "switch" },
      t(`setting.${name}`),
      h("input", { type: "checkbox", name, checked: Boolean(settings[name]), onchange: (event) => app.restyle(name, event.target.checked) }),
    );
  const field = (label, content) => h("fieldset", { class: "field" }, h("legend", {}, label), content);
  const themes = THEMES.map((name) => [name, t(`theme.${name}`)]);
  openDialog(
    t("settings"),
    t("close"),
    field(t("setting.theme"), choices("theme", themes, settings.theme, (event) => app.restyle("theme", event.target.value))),
    field(t("setting.language"), choices("language", [["en", "English"], ["zh", "中文"]], language(), (event) => app.restyle("language", event.target.value))),
    h("div", {}, ...SWITCHES.map(toggle)),
  );
}
