// Short sounds made on the spot: a stone on wood, a win, a loss.

import { settings } from "./store.js";

let context = null;

function audio() {
  if (!settings.sound || !("AudioContext" in window)) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

export function playStone() {
  const ctx = audio();
  if (!ctx) return;
  const now = ctx.currentTime;
  const length = Math.floor(ctx.sampleRate * 0.06);
  const buffer = ctx.createBuffer(1, length, ctx.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * Math.exp(-i / (length * 0.12));
  const noise = ctx.createBufferSource();
  noise.buffer = buffer;
  const band = ctx.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = 1500 + Math.random() * 300;
  band.Q.value = 1.4;
  const gain = ctx.createGain();
  gain.gain.value = 0.5;
  noise.connect(band).connect(gain).connect(ctx.destination);
  noise.start(now);
  tone(190, now, 0.07, 0.16);
}

function tone(frequency, start, length, level) {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(level, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

export function playNotes(frequencies) {
  const ctx = audio();
  if (!ctx) return;
  frequencies.forEach((frequency, i) => tone(frequency, ctx.currentTime + i * 0.13, 0.4, 0.12));
}

export const playWin = () => playNotes([523, 659, 784, 1047]);
export const playLoss = () => playNotes([392, 330, 262]);
export const playDraw = () => playNotes([440, 440]);
export const playWarning = () => playNotes([330, 311]);
