// Downloads of every plot drawn as HTML: its picture as PNG and SVG, its numbers as CSV and JSON. Runs once per page,
// after canvas.js; `views/downloads.py` draws the buttons and adds the numbers.

const SVG = "http://www.w3.org/2000/svg";

/** `rgba(1, 2, 3, .5)` as attributes that every SVG viewer knows; empty if it is invisible. */
const paint = (colour, attribute, opacity = 1) => {
  const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  if (red === undefined || alpha * opacity < 0.004) return "";
  return `${attribute}="rgb(${[red, green, blue].map(Math.round)})" ${attribute}-opacity="${(alpha * opacity).toFixed(3)}"`;
};
const measure = make("canvas").getContext("2d");
/** The baseline of a line of text, from the top of its box. */
const baseline = (style, height) => {
  measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = measure.measureText("x");
  return (up / (up + down)) * height;
};
/** A run of text as the browser wrapped it: a box and words for each line. */
const linesOf = (node) => {
  const range = document.createRange(), lines = [];
  for (const { index, 0: word } of node.data.matchAll(/\S+\s*|^\s+/g)) {
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    for (const box of range.getClientRects()) { // several if a long word is broken
      if (box.width < 0.1) continue;
      const last = lines.at(-1);
      const whole = range.getClientRects().length === 1 ? word : "";
      if (last && Math.abs(last.top - box.top) < 2) Object.assign(last, { right: box.right, text: last.text + whole });
      else lines.push({ left: box.left, top: box.top, right: box.right, height: box.height, text: whole || word });
    }
  }
  return lines;
};

/** The visible part of an element as SVG: backgrounds, borders, words and pictures, placed as in the browser. */
const draw = (root) => {
  const frame = root.getBoundingClientRect(), parts = [];
  let width = frame.width, height = frame.height;
  const x = (place) => (place - frame.left).toFixed(1), y = (place) => (place - frame.top).toFixed(1);
  const reach = (box) => { width = Math.max(width, box.right - frame.left); height = Math.max(height, box.bottom - frame.top); };
  const drawText = (node, style, opacity) => {
    for (const { left, top, right, height, text } of linesOf(node)) {
      reach({ right, bottom: top + height });
      const font = `font-size="${style.fontSize}" font-weight="${style.fontWeight}" font-style="${style.fontStyle}" ` +
        `font-family="${escapeXml(style.fontFamily)}"`;
      parts.push(`<text x="${x(left)}" y="${y(top + baseline(style, height))}" textLength="${(right - left).toFixed(1)}" ` +
        `lengthAdjust="spacingAndGlyphs" ${font} ${paint(style.color, "fill", opacity)} xml:space="preserve">${escapeXml(text)}</text>`);
    }
  };
  const drawBox = (box, style, opacity) => {
    const place = `x="${x(box.left)}" y="${y(box.top)}" width="${box.width.toFixed(1)}" height="${box.height.toFixed(1)}"`;
    const ground = paint(style.backgroundColor, "fill", opacity);
    if (ground) parts.push(`<rect ${place} rx="${parseFloat(style.borderTopLeftRadius) || 0}" ${ground}/>`);
    // A strip: pairs of stops, with one colour from the first to the second.
    const stops = [...style.backgroundImage.matchAll(/(rgba?\([^)]*\)) ([\d.]+)%/g)];
    for (let at = 0; at + 1 < stops.length; at += 2) {
      const [from, to] = [stops[at], stops[at + 1]].map((stop) => (box.width * Number(stop[2])) / 100);
      const colour = paint(stops[at][1], "fill", opacity);
      if (colour) parts.push(`<rect x="${x(box.left + from)}" y="${y(box.top)}" width="${(to - from).toFixed(2)}" height="${box.height}" ${colour}/>`);
    }
    for (const [side, x1, y1, x2, y2] of [["Top", box.left, box.top, box.right, box.top], ["Bottom", box.left, box.bottom, box.right, box.bottom],
      ["Left", box.left, box.top, box.left, box.bottom], ["Right", box.right, box.top, box.right, box.bottom]]) {
      const thick = parseFloat(style[`border${side}Width`]), colour = paint(style[`border${side}Color`], "stroke", opacity);
      if (thick && style[`border${side}Style`] !== "none" && colour)
        parts.push(`<line x1="${x(x1)}" y1="${y(y1)}" x2="${x(x2)}" y2="${y(y2)}" stroke-width="${thick}" ${colour}/>`);
    }
  };
  const drawPicture = (element, box) => {
    const place = { x: x(box.left), y: y(box.top), width: box.width, height: box.height };
    if (element.tagName === "CANVAS") return `<image ${Object.entries(place).map(([key, value]) => `${key}="${value}"`).join(" ")} href="${element.toDataURL()}"/>`;
    const copy = element.cloneNode(true), own = [element, ...element.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((part, at) => {
      const style = getComputedStyle(own[at]);
      for (const key of ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "opacity", "font-family", "font-size"])
        part.setAttribute(key, style.getPropertyValue(key));
      part.removeAttribute("class");
    });
    Object.entries(place).forEach(([key, value]) => copy.setAttribute(key, value));
    return new XMLSerializer().serializeToString(copy);
  };
  const visit = (element, before) => {
    const style = getComputedStyle(element), opacity = before * Number(style.opacity);
    if (style.visibility === "hidden" || element.matches(".downloads, .modebar, [hidden], button.open")) return;
    const box = element.getBoundingClientRect();
    if (box.width && box.height) { reach(box); drawBox(box, style, opacity); }
    if (element.tagName === "CANVAS" || element.namespaceURI === SVG) { parts.push(drawPicture(element, box)); return; }
    if (style.display === "list-item" && style.listStyleType === "decimal") {
      const number = [...element.parentElement.children].indexOf(element) + 1, size = parseFloat(style.fontSize);
      parts.push(`<text x="${x(box.left - 6)}" y="${y(box.top + size * 1.15)}" text-anchor="end" font-size="${size}" ` +
        `font-family="${escapeXml(style.fontFamily)}" ${paint(style.color, "fill", opacity)}>${number}.</text>`);
    }
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) drawText(child, style, opacity);
      else if (child.nodeType === Node.ELEMENT_NODE && !(child.tagName === "DETAILS" && !child.open)) visit(child, opacity);
    }
  };
  let behind = root;
  while (behind && !paint(getComputedStyle(behind).backgroundColor, "fill")) behind = behind.parentElement;
  visit(root, 1);
  const ground = paint(behind ? getComputedStyle(behind).backgroundColor : "rgb(255,255,255)", "fill");
  [width, height] = [Math.ceil(width) + 1, Math.ceil(height) + 1];
  return { width, height, svg: `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="100%" height="100%" ${ground}/>${parts.join("")}</svg>` };
};

/** The same in pixels, two per CSS pixel. */
const toPng = async ({ svg, width, height }, name) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, 16_000 / Math.max(width, height));
  const canvas = make("canvas", { width: width * scale, height: height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  savePng(name, canvas);
};

const KINDS = {
  png: (name, plot) => toPng(draw(plot), name),
  svg: (name, plot) => save(name, draw(plot).svg, "image/svg+xml"),
  csv: (name, plot, { columns, rows }) => save(name, "\ufeff" + tableToCsv(columns, rows), "text/csv"),
  json: (name, plot, table) => save(name, JSON.stringify(table, null, 1), "application/json"),
};
document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".downloads button[data-save]");
  if (!button) return;
  const { name, table, plot } = button.parentElement.dataset, kind = button.dataset.save;
  const drawn = plot ? document.querySelector(plot) : button.closest(".plot, .answer, figure, .alignment");
  KINDS[kind](`${name}.${kind}`, drawn, JSON.parse(table));
});
playground.drawn = (root) => draw(root).svg; // for pictures of answers in a report
