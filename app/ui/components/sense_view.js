// Where a word's occurrences lie at each layer: points that move, cosines, numbers, ELMo's mix. Runs after sense_draw.js.

const METHODS = ["pca", "tsne", "umap"];
const state = {
  panel: null, labels: {}, layer: 0, mixed: null, weights: null, method: "pca", dimensions: 2, colouring: "sense",
  chosen: null, other: null, turn: [0.5, 0.35],
};
let coordinates = new Map(); // method and dimensions -> [layer][occurrence][axis]
let drawnBy = new Map(); // method and dimensions -> [layer]: how it was really drawn
let cosines = []; // of each layer; the mix's behind them
let places = []; // what is on the canvas now
let shownPoints = [];
let moving = 0;
let opened = 0; // counts panels, so that a late answer for an earlier one is dropped

const heading = make("h3");
const trusted = make("p", { className: "trust" });
const toolbar = make("div", { className: "attention-tools" });
const layerbar = make("div", { className: "attention-tools sense-layers" });
const canvas = make("canvas", { tabIndex: 0, attributes: { role: "img" }, dataset: { name: "points" } });
const heat = make("canvas", { tabIndex: 0, attributes: { role: "img" }, dataset: { name: "cosines" } });
const curve = make("canvas", { attributes: { role: "img" }, dataset: { name: "curve" } });
const heatTitle = make("h4"), curveTitle = make("h4");
const legend = make("ul", { className: "legend" });
const readout = make("p", { className: "attention-readout", attributes: { "aria-live": "polite" } });
const numbers = make("div", { className: "scroll" });
const note = make("p", { className: "attention-limit" });
const mixer = make("div", { className: "attention-tools sense-mix" });
const root = make("div", { className: "attention-view sense-view", hidden: true },
  heading, trusted, toolbar, layerbar, mixer,
  make("div", { className: "sense-pictures" }, make("div", {}, canvas, legend, note, readout), make("div", {}, heatTitle, heat, curveTitle, curve)),
  numbers);
element.append(root);

const say = (key, values = {}) =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), state.labels[key] ?? key);
const source = () => {
  const { lines, word, model, inflected } = state.panel;
  return { lines, word, model, inflected };
};
const top = () => state.panel.layers.length - 1;
const edge = () => Math.max(240, Math.min(430, element.clientWidth - 2));
const small = () => Math.max(200, Math.min(260, element.clientWidth - 2));
const layerShown = () => (state.mixed ? state.mixed.layer : state.panel.layers[state.layer]);
const cosinesShown = () => (state.mixed ? state.mixed.cosines : cosines[state.layer]);
const kept = () => `${state.method} ${state.dimensions}`;

/** Ask the server; a refusal is read out. */
const ask = async (name, question) => {
  const mine = opened;
  const answer = await server[name]({ ...source(), ...question });
  if (mine !== opened) return null;
  if (answer?.error) { readout.textContent = answer.error; return null; }
  return answer;
};

/** The classes: by label, or by group. */
const naming = () => {
  const { occurrences } = state.panel;
  if (state.colouring === "cluster") {
    const groups = layerShown().clusters;
    return { classes: groups, names: [...new Set(groups)].sort((a, b) => a - b).map((group) => say("group", { number: group + 1 })) };
  }
  const names = [...new Set(occurrences.map(({ sense }) => sense ?? ""))];
  return { classes: occurrences.map(({ sense }) => names.indexOf(sense ?? "")), names: names.map((name) => name || say("no_label")) };
};

const target = () => {
  if (state.mixed) return state.mixed.points;
  return coordinates.get(kept())?.[state.layer] ?? [];
};

const paint = () => {
  if (!state.panel || root.hidden) return;
  const { classes } = naming();
  const size = edge();
  places = onScreen(shownPoints, size, state.turn);
  drawPoints(fit(canvas, size, size), size, places, classes, state.chosen);
};
const paintBeside = () => {
  if (!state.panel || root.hidden) return;
  const size = small(), { classes } = naming();
  const order = [...classes.keys()].sort((a, b) => classes[a] - classes[b]);
  const pair = state.chosen === null ? null : [state.chosen, state.other ?? state.chosen];
  drawCosines(fit(heat, size, size), size, cosinesShown(), order, pair);
  const measured = state.panel.layers.every(({ senses }) => senses);
  curve.hidden = curveTitle.hidden = !measured;
  if (measured) drawCurve(fit(curve, size, 130), size, 130, state.panel.layers, state.mixed ? -1 : state.layer);
};

/** Let the points go to where they belong now. */
const move = () => {
  const from = shownPoints, to = target();
  cancelAnimationFrame(moving);
  const settled = () => {
    shownPoints = to;
    paint();
    const [x, y] = places[0] ?? [0, 0];
    const spread = Math.sqrt(places.reduce((sum, [px, py]) => sum + (px - x) ** 2 + (py - y) ** 2, 0) / (places.length || 1));
    Object.assign(root.dataset, { layer: state.mixed ? "mix" : state.layer, method: state.method, dimensions: state.dimensions,
      spread: spread.toFixed(2), first: `${x.toFixed(1)},${y.toFixed(1)}`, drawn: performance.now().toFixed(1) });
  };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (still || from.length !== to.length || from[0]?.length !== to[0]?.length) { settled(); return; }
  const start = performance.now();
  const step = (now) => {
    const share = Math.min(1, (now - start) / 450), eased = share * share * (3 - 2 * share);
    if (share === 1) { settled(); return; }
    shownPoints = to.map((point, at) => point.map((value, axis) => from[at][axis] + (value - from[at][axis]) * eased));
    paint();
    moving = requestAnimationFrame(step);
  };
  moving = requestAnimationFrame(step);
};

const update = async () => {
  if (!state.panel) return;
  if (!coordinates.has(kept())) {
    root.dataset.busy = "true";
    note.textContent = state.method === "pca" ? "" : say("waiting");
    const asked = kept();
    const answer = await ask("moved", { method: state.method, dimensions: state.dimensions });
    delete root.dataset.busy;
    if (!answer) return;
    coordinates.set(asked, answer.points);
    drawnBy.set(asked, answer.drawn);
    if (asked !== kept()) return;
  }
  note.textContent = noteNow();
  move();
  paintBeside();
  drawTools();
  drawLegend();
  drawNumbers();
};
const noteNow = () => {
  const matrix = cosinesShown();
  if (matrix.length > 1 && matrix.every((value) => value > 0.995)) return say(state.panel.family === "static_vectors" ? "static" : "one_spot");
  const drawn = state.mixed ? state.mixed.drawn : drawnBy.get(kept())?.[state.layer];
  if (state.method === "pca" || !drawn) return "";
  if (drawn.method === "pca") return say("drawn.pca", { asked: say(`method.${state.method}`) });
  return `${say(`drawn.${drawn.method}`, { setting: Number(drawn.setting.toPrecision(3)) })} ${say("no_scale")}`;
};

const button = (text, pressed, click, name) =>
  make("button", { type: "button", textContent: text, onclick: click, dataset: { name },
    attributes: pressed === null ? {} : { "aria-pressed": String(pressed) } });
const group = (label, ...buttons) =>
  make("div", { className: "attention-modes", attributes: { role: "group", "aria-label": label } }, ...buttons);

const change = (changes) => { Object.assign(state, changes); return state.weights && state.mixed ? askMix() : update(); };
const drawTools = () => {
  const active = document.activeElement?.dataset?.name;
  toolbar.replaceChildren(
    group(say("method"), ...METHODS.map((name) => button(say(`method.${name}`), state.method === name, () => change({ method: name }), name))),
    group(say("space"), ...[2, 3].map((count) => button(say(`space.${count}`), state.dimensions === count, () => change({ dimensions: count }), `space-${count}`))),
    group(say("colour"), ...["sense", "cluster"].map((name) => button(say(`colour.${name}`), state.colouring === name, () => change({ colouring: name }), `colour-${name}`))),
  );
  canvas.setAttribute("aria-label", say("picture", { model: state.panel.model, layer: state.mixed ? say("mixed") : state.layer }));
  heat.setAttribute("aria-label", say("heat"));
  if (active) toolbar.querySelector(`[data-name="${active}"]`)?.focus({ preventScroll: true });
};

/** The slider over layers; made once per panel, so that a drag is not cut short. */
let playing = 0;
const layerOutput = make("output"), layerInput = make("input", { type: "range", min: 0, step: 1, dataset: { name: "layer" } });
const toLayer = (layer) => {
  Object.assign(state, { layer, mixed: null });
  layerInput.value = layer;
  layerOutput.textContent = say(layer === 0 ? "layer_0" : "layer_of", { layer, top: top() });
  update();
};
layerInput.oninput = () => { clearInterval(playing); toLayer(Number(layerInput.value)); };
const play = () => {
  clearInterval(playing);
  toLayer(0);
  playing = setInterval(() => {
    if (!state.panel || state.layer >= top() || root.hidden) { clearInterval(playing); return; }
    toLayer(state.layer + 1);
  }, 1100);
};
const drawLayers = () => {
  layerInput.max = top();
  layerbar.replaceChildren(make("label", {}, `${say("layer")} `, layerInput, " ", layerOutput), button(say("play"), null, play, "play"));
  layerbar.hidden = top() === 0;
};

/** ELMo's scalar mix: one slider a layer, answered without a run of the model. */
let resting = 0, mixes = 0;
const shares = (weights) => {
  const raised = weights.map(Math.exp), sum = raised.reduce((total, value) => total + value, 0);
  return raised.map((value) => value / sum);
};
const drawMixer = () => {
  mixer.hidden = state.panel.family !== "elmo";
  if (mixer.hidden) return;
  state.weights = state.panel.layers.map(() => 0);
  const outputs = state.weights.map(() => make("output"));
  const tell = () => shares(state.weights).forEach((share, layer) => { outputs[layer].textContent = `${(100 * share).toFixed(0)} %`; });
  const sliders = state.weights.map((weight, layer) => {
    const input = make("input", { type: "range", min: -4, max: 4, step: 0.1, value: weight, dataset: { name: `weight-${layer}` } });
    input.oninput = () => {
      state.weights[layer] = Number(input.value);
      tell();
      clearTimeout(resting);
      resting = setTimeout(askMix, 40);
    };
    return make("label", {}, `${say("mix_layer", { layer })} `, input, " ", outputs[layer]);
  });
  tell();
  mixer.replaceChildren(button(say("mix"), null, askMix, "mix"), ...sliders);
};
const askMix = async () => {
  const mine = ++mixes;
  clearInterval(playing);
  const answer = await ask("mixed", { weights: state.weights, method: state.method, dimensions: state.dimensions });
  if (!answer || mine !== mixes) return;
  const { values } = await unpack(answer.layer.similarity);
  state.mixed = { layer: answer.layer, points: answer.points, drawn: answer.drawn, cosines: values.map((share) => 2 * share - 1) };
  layerOutput.textContent = say("mixed");
  note.textContent = noteNow();
  move();
  paintBeside();
  drawTools();
  drawLegend();
  drawNumbers();
};

const drawLegend = () => {
  const { classes, names } = naming();
  legend.replaceChildren(...names.map((name, number) =>
    make("li", {}, markOf(number), ` ${name} (${classes.filter((one) => one === number).length})`)));
};
const shown = (value, signed = false) => (value === null ? "–" : `${signed && value > 0 ? "+" : ""}${value.toFixed(3)}`);
const drawNumbers = () => {
  const { layers } = state.panel;
  if (!layers[0].senses) { numbers.replaceChildren(make("p", { className: "attention-limit", textContent: say("label_them") })); return; }
  const cell = (text, tag = "td") => make(tag, { textContent: text });
  const keys = ["layer", "same", "different", "margin", "one_nn", "most_frequent"];
  const row = (name, { senses }, here) => {
    const made = make("tr", { className: here ? "here" : "", dataset: { row: name } }, cell(name, "th"), cell(shown(senses.same)),
      cell(shown(senses.different)), cell(shown(senses.margin, true)), cell(shown(senses.one_nn_accuracy)), cell(shown(senses.most_frequent_accuracy)));
    made.firstChild.scope = "row";
    return made;
  };
  const rows = layers.map((layer, number) => row(String(number), layer, !state.mixed && number === state.layer));
  if (state.mixed?.layer.senses) rows.push(row(say("mixed"), state.mixed.layer, true));
  numbers.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...keys.map((key) => cell(say(key), "th")))), make("tbody", {}, ...rows)));
};

/** A sentence with the word in bold; text is only ever set as text. */
const sentenceOf = (at) => {
  const { sentence, start, end, sense } = state.panel.occurrences[at];
  const characters = Array.from(state.panel.sentences[sentence]); // offsets count characters, not UTF-16 units
  const part = (from, to) => characters.slice(from, to).join("");
  return make("span", {}, sense ? `${sense} · ` : "", part(Math.max(0, start - 90), start), make("b", { textContent: part(start, end) }), part(end, end + 90));
};
const read = () => {
  if (state.chosen === null) { readout.textContent = say("help"); return; }
  const count = state.panel.occurrences.length;
  if (state.other === null || state.other === state.chosen) { readout.replaceChildren(sentenceOf(state.chosen)); return; }
  const cosine = cosinesShown()[state.chosen * count + state.other];
  readout.replaceChildren(sentenceOf(state.chosen), make("br"), sentenceOf(state.other), make("br"), say("cosine", { cosine: cosine.toFixed(2) }));
};
const choose = (chosen, other = null) => {
  if (chosen === state.chosen && other === state.other) return;
  Object.assign(state, { chosen, other });
  paint();
  paintBeside();
  read();
};
const askNear = () => {
  if (state.chosen === null) return;
  trigger("select", { ...source(), occurrence: state.chosen, layer: state.layer, weights: state.mixed ? state.weights : null });
};

const nearest = (event) => {
  let best = null, distance = 22 ** 2;
  places.forEach(([x, y], at) => {
    const here = (event.offsetX - x) ** 2 + (event.offsetY - y) ** 2;
    if (here < distance) [best, distance] = [at, here];
  });
  return best;
};
let held = null;
canvas.addEventListener("pointerdown", (event) => { held = { x: event.clientX, y: event.clientY, turn: [...state.turn], moved: false }; });
canvas.addEventListener("pointermove", (event) => {
  if (!state.panel) return;
  if (held && event.buttons && state.dimensions === 3) {
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(dx, dy) > 4;
    state.turn = [held.turn[0] + dx / 120, Math.max(-1.5, Math.min(1.5, held.turn[1] + dy / 120))];
    paint();
    return;
  }
  const at = nearest(event);
  if (at !== null) choose(at);
});
canvas.addEventListener("click", (event) => {
  if (held?.moved) return;
  const at = nearest(event);
  if (at === null) return;
  choose(at);
  askNear();
});
canvas.addEventListener("keydown", (event) => {
  if (!state.panel) return;
  const turn = { ArrowUp: [0, -0.15], ArrowDown: [0, 0.15], ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0] }[event.key];
  if (turn && event.shiftKey && state.dimensions === 3) {
    event.preventDefault();
    state.turn = state.turn.map((angle, axis) => angle + turn[axis]);
    paint();
    return;
  }
  const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key], count = state.panel.occurrences.length;
  if (step) {
    event.preventDefault();
    choose(state.chosen === null ? 0 : (state.chosen + step + count) % count);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    askNear();
  }
});
const cellAt = (row, column) => {
  const { classes } = naming();
  const order = [...classes.keys()].sort((a, b) => classes[a] - classes[b]), last = order.length - 1;
  choose(order[Math.max(0, Math.min(last, row))], order[Math.max(0, Math.min(last, column))]);
};
heat.addEventListener("pointermove", (event) => {
  if (!state.panel) return;
  const cell = small() / state.panel.occurrences.length;
  cellAt(Math.floor(event.offsetY / cell), Math.floor(event.offsetX / cell));
});
heat.addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step || !state.panel) return;
  event.preventDefault();
  const { classes } = naming(), order = [...classes.keys()].sort((a, b) => classes[a] - classes[b]);
  const [row, column] = state.chosen === null ? [0, 0] : [order.indexOf(state.chosen), order.indexOf(state.other ?? state.chosen)];
  cellAt(row + step[0], column + step[1]);
});

const open = async (value) => {
  clearInterval(playing);
  if (!value) { root.hidden = true; state.panel = null; return; }
  const mine = ++opened;
  const { labels, trust, ...panel } = value;
  const found = await Promise.all(panel.layers.map(({ similarity }) => unpack(similarity)));
  if (mine !== opened) return;
  cosines = found.map(({ values }) => values.map((share) => 2 * share - 1));
  coordinates = new Map([["pca 2", panel.points]]);
  drawnBy = new Map();
  Object.assign(state, { panel, labels, mixed: null, weights: null, chosen: null, other: null });
  shownPoints = [];
  root.hidden = false;
  heading.textContent = panel.model;
  trusted.textContent = trust;
  heatTitle.textContent = say("heat");
  curveTitle.replaceChildren(say("curve"), make("span", { className: "sense-key" },
    make("i", { style: { background: "#0072b2" } }), say("one_nn"), make("i", { style: { background: "#d55e00" } }), say("margin"),
    make("i", { style: { background: "#8a8a8a" } }), say("most_frequent")));
  drawLayers();
  drawMixer();
  read();
  const { layer } = window.playground?.look(root) ?? {};
  toLayer(/^\d+$/.test(layer) && Number(layer) <= top() ? Number(layer) : top());
};
onLook(element, () => { paint(); paintBeside(); });
watch("value", () => open(props.value));
open(props.value);
