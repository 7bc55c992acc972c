// A square matrix of cosines as a picture to walk over by pointer or keyboard, with downloads. Runs after canvas.js.

const state = { value: null, at: null };
let cosines = null; // Float32Array [row, column] from -1 to 1
const title = make("h4");
const trust = make("p", { className: "attention-limit" });
const canvas = make("canvas", { tabIndex: 0, attributes: { role: "img" } });
const readout = make("p", { className: "attention-readout", attributes: { "aria-live": "polite" } });
const tools = make("div", { className: "attention-tools" });
const root = make("div", { className: "heat-map", hidden: true }, title, trust, canvas, readout, tools);
element.append(root);

const COLD = [234, 88, 12];
const side = () => state.value.matrix.rows;
const width = () => Math.min(440, Math.max(200, element.clientWidth));
const draw = (target = null) => {
  if (!cosines || root.hidden) return;
  const edge = width(), count = side();
  const context = target ? fit(target, edge, edge) : fit(canvas, edge, edge);
  context.imageSmoothingEnabled = edge < count;
  for (const [sign, colour] of [[1, HUE], [-1, COLD]]) {
    const image = picture(count, count, (row, column) => Math.max(0, sign * cosines[row * count + column]), colour);
    context.drawImage(image, 0, 0, edge, edge);
  }
  if (target || !state.at) return;
  const [row, column] = state.at, cell = edge / count;
  context.strokeStyle = ink();
  context.strokeRect(0, row * cell, edge, Math.max(1, cell));
  context.strokeRect(column * cell, 0, Math.max(1, cell), edge);
};
const goTo = (row, column) => {
  const count = side(), inside = (place) => Math.max(0, Math.min(count - 1, place));
  state.at = [inside(row), inside(column)];
  draw();
  const { position } = state.value.labels, [first, second] = state.at;
  readout.textContent = `${position} ${first} · ${position} ${second}: ${cosines[first * count + second].toFixed(2)}`;
};
canvas.addEventListener("pointermove", (event) => {
  const cell = width() / side();
  goTo(Math.floor(event.offsetY / cell), Math.floor(event.offsetX / cell));
});
canvas.addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step) return;
  event.preventDefault();
  const [row, column] = state.at ?? [0, 0];
  goTo(row + step[0], column + step[1]);
});

const whole = () => {
  const made = make("canvas");
  draw(made);
  return made;
};
const rows = () => Array.from({ length: side() }, (_, row) =>
  Array.from(cosines.subarray(row * side(), (row + 1) * side()), (cosine) => Number(cosine.toFixed(2))));
const DOWNLOADS = {
  PNG: () => savePng(`${state.value.name}.png`, whole()),
  SVG: () => save(`${state.value.name}.svg`, `<svg xmlns="http://www.w3.org/2000/svg" width="${width()}" height="${width()}">` +
    `<title>${escapeXml(state.value.title)}</title><image width="${width()}" height="${width()}" href="${whole().toDataURL("image/png")}"/></svg>`, "image/svg+xml"),
  CSV: () => { const names = [...Array(side()).keys()].map(String); save(`${state.value.name}.csv`, toCsv("", names, names, rows()), "text/csv"); },
  JSON: () => save(`${state.value.name}.json`, JSON.stringify({ title: state.value.title, cosines: rows() }), "application/json"),
};
tools.append(...Object.entries(DOWNLOADS).map(([name, onclick]) =>
  make("button", { type: "button", textContent: name, onclick, dataset: { name: name.toLowerCase() } })));

const open = async (value) => {
  if (!value) { root.hidden = true; return; }
  const unpacked = await unpack(value.matrix);
  cosines = unpacked.values.map((share) => 2 * share - 1);
  Object.assign(state, { value, at: null });
  root.hidden = false;
  title.textContent = value.title;
  trust.textContent = value.trust;
  readout.textContent = value.labels.help;
  canvas.setAttribute("aria-label", `${value.title}. ${value.labels.help}`);
  draw();
  root.dataset.drawn = "true";
};
onLook(element, () => draw());
watch("value", () => open(props.value));
open(props.value);
