// What the browser keeps: settings, the game on the board and the finished ones. A full or forbidden store is no error.

const DEFAULTS = {
  theme: "auto",
  language: null,
  sound: true,
  numbers: false,
  coordinates: true,
  confirmTouch: true,
  teach: false,
  level: 5,
  speed: 600,
};

function read(key, fallback) {
  try {
    const value = JSON.parse(localStorage.getItem(`fivestone.${key}`));
    return value === null || typeof value !== typeof fallback ? fallback : value;
  } catch {
    return fallback;
  }
}

export function write(key, value) {
  try {
    localStorage.setItem(`fivestone.${key}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks refuse: the game goes on without.
  }
}

export const settings = { ...DEFAULTS, ...read("settings", {}) };

export function set(key, value) {
  settings[key] = value;
  write("settings", settings);
}

export const load = read;
