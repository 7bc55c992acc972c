// Attention of one text on a canvas: lines, matrix, all heads, rollout, roles of heads. Weights arrive layer by layer
// as bytes; the server gives the exact numbers that are read out. `attention_draw.js` draws; this file has state and
// events.

const MODES = ["lines", "matrix", "grid", "rollout", "roles"];
const state = {
  opening: null, labels: {}, mode: "lines", layer: 0, heads: new Set([0]), average: false, threshold: 0,
  hideSpecial: false, hideFirst: false, acrossOnly: false, focus: null, cell: [0, 0], sort: [1, true],
};
let layers = new Map(); // layer -> unpacked weights
let rollouts = new Map();
let grid = null;
let roles = null; // [layer][head][role]
let exactRows = new Map();
let opened = 0; // counts texts, so that a late answer to an earlier one is dropped

const about = make("div", { className: "model" });
const finding = make("p", { className: "note", hidden: true });
const toolbar = make("div", { className: "attention-tools" });
const canvas = make("canvas", { tabIndex: 0 });
const spacer = make("div", { className: "attention-spacer" }, canvas);
const scroller = make("div", { className: "attention-scroller" }, spacer);
const table = make("div", { className: "scroll", hidden: true });
const readout = make("p", { className: "attention-readout", attributes: { "aria-live": "polite" } });
const note = make("p", { className: "attention-limit" });
const footer = make("div", { className: "attention-tools" });
const root = make("div", { className: "attention-view", hidden: true }, about, finding, toolbar, scroller, table, note, readout, footer);
element.append(root);

const say = (key, values = {}) =>
  Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), state.labels[key] ?? key);
const source = () => ({ text: state.opening.text, second: state.opening.second, model: state.opening.model });
const size = () => state.opening.tokens.length;
const rolled = () => state.mode === "rollout";
const chosen = () => [...state.heads].sort((a, b) => a - b);

/** Ask the server; a refusal appears in place of the numbers. */
const ask = async (name, question) => {
  const mine = opened;
  const answer = await server[name]({ ...source(), ...question });
  if (mine !== opened) return null;
  if (answer?.error) { readout.textContent = answer.error; return null; }
  return answer;
};

/** Fetch what the current view needs; only a few layers are kept if each is large. */
const needed = async () => {
  const { layer, mode } = state;
  const kept = mode === "rollout" ? rollouts : layers;
  if (mode === "grid") {
    if (!grid) { const answer = await ask("all_heads_pictures", {}); if (answer) grid = await unpack(answer); }
    return;
  }
  if (mode === "roles") {
    if (!roles) { const answer = await ask("roles", {}); if (answer) ({ roles } = answer); }
    return;
  }
  if (kept.has(layer)) return;
  const answer = await ask(mode === "rollout" ? "rollout" : "layer", { layer });
  if (!answer) return;
  if (size() > 256 && kept.size >= 4) kept.delete(kept.keys().next().value);
  kept.set(layer, await unpack(answer));
};

/** The matrices to draw: one per chosen head, or their mean, or the rollout. */
const shown = () => {
  const squares = size() ** 2;
  const kept = (rolled() ? rollouts : layers).get(state.layer);
  if (!kept) return [];
  if (rolled()) return [{ hue: HUE, values: kept.values }];
  const parts = chosen().map((head) => ({ hue: hueOf(head), values: kept.values.subarray(head * squares, (head + 1) * squares) }));
  if (parts.length < 2 || !(state.average || state.mode === "matrix")) return parts;
  const mean = new Float32Array(squares);
  for (const { values } of parts) for (let at = 0; at < squares; at++) mean[at] += values[at] / parts.length;
  return [{ hue: HUE, values: mean }];
};

/** Indices of the queries and keys that pass the filters. */
const left = () => {
  const { special, segments, tokens } = state.opening;
  const all = tokens.map((_, index) => index);
  const kept = all.filter((index) => !(state.hideSpecial && special[index]) && !(state.hideFirst && index === 0));
  if (!state.acrossOnly) return [kept, kept];
  return [kept.filter((index) => segments[index] === 0), kept.filter((index) => segments[index] === 1)];
};

const update = async () => {
  if (!state.opening) return;
  const mine = opened;
  root.dataset.busy = "true";
  await needed();
  if (mine !== opened) return;
  scroller.hidden = state.mode === "roles";
  table.hidden = state.mode !== "roles";
  if (state.mode === "roles") { if (roles) drawRoles(); }
  else redraw();
  drawTools();
  readOut();
  const { role, layer, head } = state.opening;
  finding.hidden = !role || rolled() || state.mode === "roles" || state.layer !== layer || String(chosen()) !== String(head);
  delete root.dataset.busy;
  Object.assign(root.dataset, { mode: state.mode, layer: state.layer, heads: chosen().join(",") });
};
const redraw = () => {
  if (!state.opening || root.hidden || state.mode === "roles") return;
  draw();
  root.dataset.drawn = performance.now().toFixed(1);
};

const open = async (value) => {
  if (!value) { root.hidden = true; state.opening = null; return; }
  opened += 1;
  const { labels, ...opening } = JSON.parse(value);
  const mine = opened;
  const first = await unpack(opening.weights);
  if (mine !== opened) return;
  layers = new Map([[opening.layer, first]]);
  rollouts = new Map();
  exactRows = new Map();
  grid = null;
  roles = null;
  Object.assign(state, { opening, labels, layer: opening.layer, focus: opening.query === null ? null : { query: opening.query, key: null }, cell: [opening.layer, opening.head] });
  const look = window.playground?.look(root) ?? {};
  if (/^\d+$/.test(look.layer) && Number(look.layer) < opening.layers) state.layer = Number(look.layer);
  state.heads = new Set((look.heads ?? [opening.head]).filter((head) => head >= 0 && head < opening.heads));
  if (!state.heads.size) state.heads.add(0);
  if (!opening.segments.includes(1)) state.acrossOnly = false;
  const { title, name, said, ask } = opening.about;
  const more = make("details");
  more.append(make("summary", { textContent: ask }), make("p", { textContent: said }));
  const key = title === name ? [] : [" ", make("code", { textContent: name })];
  about.replaceChildren(make("strong", { textContent: title }), ...key, more);
  const { layer, head, share } = opening, named = (at) => (at === null ? "" : opening.tokens[at].trim());
  finding.textContent = say(`finding.${opening.role}`, { layer, head, share: `${share < 1 ? Math.min(99, Math.round(100 * share)) : 100}%`, query: named(opening.query), key: named(opening.key) });
  root.hidden = false;
  if (state.focus) readOut();
  else readout.textContent = say("help." + state.mode);
  await update();
};

/** Read out the focus: at once from the bytes, then exactly from the server. */
let resting = 0;
const readOut = () => {
  const { focus, opening } = state;
  clearTimeout(resting);
  if (!focus) { readout.textContent = say("help." + state.mode); return; }
  const row = exactRows.get(rowKey(focus.query));
  readout.textContent = describe(row);
  if (!row && focus.query !== null) resting = setTimeout(() => fetchRow(focus.query), 80);
};
const rowKey = (query) => `${rolled() ? "rollout" : chosen()}|${state.layer}|${query}`;
const fetchRow = async (query) => {
  const key = rowKey(query);
  const answer = await ask("row", { layer: state.layer, heads: rolled() ? null : chosen(), query });
  if (!answer) return;
  exactRows.set(key, answer.weights);
  if (state.focus && rowKey(state.focus.query) === key) readout.textContent = describe(answer.weights);
};
const describe = (row) => {
  const { tokens } = state.opening;
  const { query, key } = state.focus;
  const name = (index) => `${visible(tokens[index])} (${index})`;
  const several = !rolled() && state.heads.size > 1 ? ` · ${say("mean_of", { count: state.heads.size })}` : "";
  const weights = row ?? approximate(query);
  const shownAs = (weight) => (row ? weight.toPrecision(6) : `≈ ${weight.toFixed(3)}`);
  if (query === null) return say("to", { token: name(key) }) + several;
  if (key !== null) return `${name(query)} → ${name(key)}: ${shownAs(weights[key])}${several}`;
  const best = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, 5);
  return `${name(query)} → ${best.map((index) => `${name(index)} ${shownAs(weights[index])}`).join(", ")}${several}`;
};
/** A row from the bytes at hand: the mean of the chosen heads. */
const approximate = (query) => {
  if (query === null) return [];
  const parts = shown();
  return Array.from({ length: size() }, (_, key) =>
    parts.reduce((sum, { values }) => sum + values[query * size() + key], 0) / (parts.length || 1));
};

const focusOn = (focus) => {
  if (JSON.stringify(focus) === JSON.stringify(state.focus)) return;
  state.focus = focus;
  redraw();
  readOut();
};

let pinned = false;
canvas.addEventListener("pointermove", (event) => { if (!pinned && state.opening) pointAt(event); });
canvas.addEventListener("pointerleave", () => { if (!pinned && state.mode !== "grid") focusOn(null); });
canvas.addEventListener("click", (event) => {
  if (!state.opening) return;
  const before = JSON.stringify(state.focus);
  pointAt(event);
  if (state.mode === "grid") openHead(...state.cell);
  else pinned = !(pinned && before === JSON.stringify(state.focus)) && state.focus !== null;
  canvas.focus({ preventScroll: true });
});
canvas.addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (step) { pinned = true; moveBy(...step); }
  else if (event.key === "Enter" || event.key === " ") { if (state.mode === "grid") openHead(...state.cell); else showSteps(); }
  else if (event.key === "Escape") { pinned = false; focusOn(null); }
  else return;
  event.preventDefault();
});
scroller.addEventListener("scroll", redraw, { passive: true });

const openHead = (layer, head) => {
  pinned = false;
  Object.assign(state, { layer, heads: new Set([head]), mode: "lines", focus: null });
  readout.textContent = say("help.lines");
  update();
};
const showSteps = () => {
  if (!state.opening.with_steps) return;
  const query = state.focus?.query ?? state.opening.special.indexOf(false);
  trigger("select", { ...source(), layer: state.layer, head: chosen()[0], query: Math.max(0, query) });
};

onLook(scroller, redraw);
watch("value", () => open(props.value));
open(props.value);
