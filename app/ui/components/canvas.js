// Shared by our canvas components. Runs in `js_on_load`, before a component's own script.

/** An element with properties and children; text is always set as text, so visitors' text never becomes HTML. */
const make = (tag, properties = {}, ...children) => {
  const { dataset, style, attributes, ...own } = properties;
  const made = Object.assign(document.createElement(tag), own);
  Object.assign(made.dataset, dataset);
  Object.assign(made.style, style);
  for (const [name, value] of Object.entries(attributes ?? {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

/** Base64 of zlib to bytes. */
const inflate = async (base64) => {
  const binary = atob(base64), bytes = new Uint8Array(binary.length); // a callback per byte would be ten times as slow
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/** The content of `results.attention.Packed` as one Float32Array [matrix, row, column] from 0 to 1. */
const unpack = async ({ matrices, rows, columns, scales, data }) => {
  const bytes = await inflate(data);
  const lines = matrices * rows;
  const largest = scales ? new Float32Array(bytes.buffer, 0, lines) : null;
  const start = scales ? 4 * lines : 0;
  const values = new Float32Array(lines * columns);
  for (let line = 0, at = 0; line < lines; line++) {
    const scale = (largest ? largest[line] : 1) / 255;
    for (let column = 0; column < columns; column++, at++) values[at] = bytes[start + at] * scale;
  }
  return { matrices, rows, columns, values };
};

/** Give a canvas a size in CSS pixels, sharp on every screen; returns its context. */
const fit = (canvas, width, height) => {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
};

/** A matrix as a picture with one pixel per cell: the larger, the more opaque. `value(row, column)` is from 0 to 1. */
const picture = (rows, columns, value, [red, green, blue]) => {
  const canvas = make("canvas", { width: Math.max(1, columns), height: Math.max(1, rows) });
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += 4) {
      image.data[at] = red;
      image.data[at + 1] = green;
      image.data[at + 2] = blue;
      image.data[at + 3] = 255 * value(row, column);
    }
  }
  context.putImageData(image, 0, 0);
  return canvas;
};

/** Colour a slider's track up to its knob, as Gradio does with its own. */
const fillTrack = (input) => {
  const { value, min, max } = input;
  input.style.setProperty("--range_progress", `${(100 * (value - min)) / (max - min || 1)}%`);
};

/** Offer content as a file, which is made here without a request. */
const save = (name, content, type) => {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
const savePng = (name, canvas) => canvas.toBlob((blob) => save(name, blob, "image/png"), "image/png");

const escapeXml = (text) =>
  String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "");

/** A table as CSV. Text that spreadsheets would take for a formula gets a quote in front. */
const tableToCsv = (columns, rows) => {
  const cell = (value) => {
    if (typeof value === "number" || value == null) return value ?? "";
    const text = String(value);
    return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
};
/** Rows of numbers with their labels as CSV. */
const toCsv = (corner, rowLabels, columnLabels, rows) =>
  tableToCsv([corner, ...columnLabels], rows.map((row, index) => [String(rowLabels[index]), ...row]));

/** A token of nothing but spaces becomes an open box. */
const visible = (token) => (token.trim() ? token : token.replaceAll(" ", "␣").replaceAll("\n", "⏎") || "␣");

const HUE = [13, 148, 136];
const ink = () => getComputedStyle(element).color;
/** Call back when an element's width changes or the page switches to dark mode. */
const onLook = (watched, redraw) => {
  let width = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - width) < 1) return;
    width = entry.contentRect.width;
    redraw();
  }).observe(watched);
  new MutationObserver(redraw).observe(document.body, { attributeFilter: ["class"] });
};
