// A small GIF89a encoder: a palette of the commonest colours, changed rectangles only, LZW as the format asks.

const key = (r, g, b) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);

// The 256 commonest colours of the pictures, in buckets of 8 levels a channel.
export function makePalette(pictures) {
  const buckets = new Map();
  for (const { data } of pictures) {
    for (let i = 0; i < data.length; i += 4) {
      const k = key(data[i], data[i + 1], data[i + 2]);
      const bucket = buckets.get(k) || [0, 0, 0, 0];
      bucket[0] += data[i];
      bucket[1] += data[i + 1];
      bucket[2] += data[i + 2];
      bucket[3]++;
      buckets.set(k, bucket);
    }
  }
  const common = [...buckets.values()].sort((a, b) => b[3] - a[3]).slice(0, 256);
  return common.map(([r, g, b, n]) => [Math.round(r / n), Math.round(g / n), Math.round(b / n)]);
}

// Palette indices of a picture's pixels, by nearest colour.
export function indexPicture({ data }, palette, cache = new Map()) {
  const out = new Uint8Array(data.length / 4);
  for (let i = 0, p = 0; i < data.length; i += 4, p++) {
    const k = key(data[i], data[i + 1], data[i + 2]);
    let index = cache.get(k);
    if (index === undefined) {
      let best = Infinity;
      for (let c = 0; c < palette.length; c++) {
        const [r, g, b] = palette[c];
        const distance = (r - data[i]) ** 2 + (g - data[i + 1]) ** 2 + (b - data[i + 2]) ** 2;
        if (distance < best) [best, index] = [distance, c];
      }
      cache.set(k, index);
    }
    out[p] = index;
  }
  return out;
}

// The smallest rectangle in which two indexed pictures differ; one pixel when they are the same.
export function changedBox(before, after, width) {
  let [left, top, right, bottom] = [width, Infinity, -1, -1];
  for (let p = 0; p < after.length; p++) {
    if (before[p] === after[p]) continue;
    const x = p % width;
    const y = (p - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return right < 0 ? { x: 0, y: 0, width: 1, height: 1 } : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

// LZW with 8-bit symbols, packed least significant bit first.
export function compress(pixels) {
  const bytes = [];
  let [buffer, bits] = [0, 0];
  const CLEAR = 256;
  let width = 9;
  let next = 258;
  let table = new Map();
  const emit = (code) => {
    buffer |= code << bits;
    bits += width;
    while (bits >= 8) {
      bytes.push(buffer & 255);
      buffer >>>= 8;
      bits -= 8;
    }
  };
  emit(CLEAR);
  let prefix = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const pair = (prefix << 8) | pixels[i];
    const known = table.get(pair);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    if (next === 4096) {
      emit(CLEAR);
      table = new Map();
      width = 9;
      next = 258;
    } else {
      table.set(pair, next++);
      if (next > 1 << width && width < 12) width++;
    }
    prefix = pixels[i];
  }
  emit(prefix);
  emit(257);
  if (bits) bytes.push(buffer & 255);
  return bytes;
}

const word = (value) => [value & 255, value >> 8];

// frames: [{ pixels: indices of the whole picture, delay: hundredths of a second }]
export function encodeGif(width, height, palette, frames) {
  const parts = [];
  const push = (bytes) => parts.push(Uint8Array.from(bytes));
  push([...new TextEncoder().encode("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0]);
  const colors = palette.flat();
  while (colors.length < 768) colors.push(0);
  push(colors);
  push([0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0]);
  let before = null;
  for (const { pixels, delay } of frames) {
    const box = before ? changedBox(before, pixels, width) : { x: 0, y: 0, width, height };
    const part = new Uint8Array(box.width * box.height);
    for (let row = 0; row < box.height; row++) {
      const start = (box.y + row) * width + box.x;
      part.set(pixels.subarray(start, start + box.width), row * box.width);
    }
    push([0x21, 0xf9, 4, 0x04, ...word(delay), 0, 0]);
    push([0x2c, ...word(box.x), ...word(box.y), ...word(box.width), ...word(box.height), 0, 8]);
    const data = compress(part);
    for (let i = 0; i < data.length; i += 255) push([Math.min(255, data.length - i), ...data.slice(i, i + 255)]);
    push([0]);
    before = pixels;
  }
  push([0x3b]);
  return new Blob(parts, { type: "image/gif" });
}
