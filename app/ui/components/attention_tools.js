// Controls, table of heads and downloads of the attention view.

const ROLES = ["previous", "next", "itself", "first_or_separator", "same_word"];

const button = (text, pressed, click, name) =>
  make("button", { type: "button", textContent: text, onclick: click, dataset: { name },
    attributes: pressed === null ? {} : { "aria-pressed": String(pressed) } });
const check = (key, name) => {
  const box = make("input", { type: "checkbox", checked: state[name], dataset: { name } });
  box.onchange = () => { state[name] = box.checked; state.focus = null; update(); };
  return make("label", {}, box, ` ${say(key)}`);
};
const slider = (key, low, high, step, value, change, name) => {
  const output = make("output", { textContent: value });
  const input = make("input", { type: "range", min: low, max: high, step, value, dataset: { name } });
  fillTrack(input);
  input.oninput = () => { fillTrack(input); output.textContent = input.value; change(Number(input.value)); };
  return make("label", {}, `${say(key)} `, input, " ", output);
};

/** Draw the controls again; the keyboard focus stays where it was. */
const drawTools = () => {
  const active = document.activeElement?.dataset?.name;
  const { opening, mode } = state;
  const modes = make("div", { className: "attention-modes", attributes: { role: "group", "aria-label": say("view") } },
    ...MODES.map((name) => button(say("mode." + name), mode === name, () => change({ mode: name, focus: null }), name)));
  const parts = [modes];
  if (mode !== "grid" && mode !== "roles" && opening.layers > 1) parts.push(slider(rolled() ? "through_layer" : "layer", 0,
    opening.layers - 1, 1, state.layer, (layer) => change({ layer }), "layer"));
  if (mode === "lines" || mode === "matrix") parts.push(drawHeads());
  if (mode === "lines" && state.heads.size > 1) parts.push(check("average", "average"));
  if (mode === "lines") parts.push(slider("threshold", 0, 0.9, 0.01, state.threshold, (threshold) => { state.threshold = threshold; redraw(); }, "threshold"));
  if (mode !== "grid" && mode !== "roles") {
    if (opening.special.includes(true)) parts.push(check("hide_special", "hideSpecial"));
    parts.push(check("hide_first", "hideFirst"));
    if (opening.segments.includes(1)) parts.push(check("across_only", "acrossOnly"));
  }
  toolbar.replaceChildren(...parts);
  footer.replaceChildren(...drawDownloads());
  canvas.setAttribute("role", "img"); // only now that it has a name
  canvas.setAttribute("aria-label", say("picture", { mode: say("mode." + mode), model: opening.model, layer: state.layer }));
  if (active) root.querySelector(`[data-name="${active}"]`)?.focus({ preventScroll: true });
};
const change = (changes) => {
  pinned = false;
  const before = state.mode;
  Object.assign(state, changes);
  if (before !== state.mode) readout.textContent = say("help." + state.mode);
  update();
};
const drawHeads = () => {
  const { heads } = state.opening;
  const toggle = (head) => {
    if (!state.heads.delete(head)) state.heads.add(head);
    if (!state.heads.size) state.heads.add(head); // one head always stays chosen
    change({ focus: null });
  };
  const chips = Array.from({ length: heads }, (_, head) => {
    const chip = button(String(head), state.heads.has(head), () => toggle(head), `head-${head}`);
    chip.style.setProperty("--hue", hueOf(head).join(" "));
    return chip;
  });
  const all = state.heads.size === heads;
  const toggleAll = button(say(all ? "one" : "all"), null,
    () => change({ heads: new Set(all ? [0] : Array(heads).keys()), focus: null }), "toggle-heads");
  return make("div", { className: "attention-heads", attributes: { role: "group", "aria-label": say("heads") } }, `${say("heads")} `, ...chips, toggleAll);
};

/** The roles of all heads as a sortable table; a click opens the head. */
const drawRoles = () => {
  note.textContent = "";
  const rows = roles.flatMap((heads, layer) => heads.map((values, head) => ({ layer, head, values })));
  const [column, falling] = state.sort;
  const sortKey = (row) => (column === 0 ? -(row.layer * 1000 + row.head) : row.values[column - 1]);
  rows.sort((a, b) => (falling ? 1 : -1) * (sortKey(b) - sortKey(a)));
  const heading = (text, index) => make("th", { attributes: { "aria-sort": index === column ? (falling ? "descending" : "ascending") : "none" } },
    button(text + (index === column ? (falling ? " ▾" : " ▴") : ""), null,
      () => { state.sort = [index, index === column ? !falling : true]; drawRoles(); table.querySelector(`[data-name="sort-${index}"]`).focus(); }, `sort-${index}`));
  const head = make("tr", {}, heading(say("head"), 0), ...ROLES.map((role, index) => heading(say("role." + role), index + 1)));
  const body = rows.map(({ layer, head: number, values }) => make("tr", {},
    make("td", {}, button(say("cell", { layer, head: number }), null, () => openHead(layer, number), `open-${layer}-${number}`)),
    ...values.map((value) => make("td", { textContent: value.toFixed(2), style: { background: rgba(HUE, 0.7 * Math.min(1, value)) } }))));
  table.replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
};

// Downloads -----------------------------------------------------------------------------------------------------------

const fileName = (ending) => `attention-${state.opening.model}-${state.mode}-layer${state.layer}.${ending}`;
const drawDownloads = () => {
  const parts = [];
  if (state.opening.with_steps && (state.mode === "lines" || state.mode === "matrix")) parts.push(button(say("steps"), null, showSteps, "steps"));
  if (state.mode !== "roles") parts.push(button("PNG", null, downloadPng, "png"), button("SVG", null, downloadSvg, "svg"));
  parts.push(button("CSV", null, () => downloadData(true), "csv"), button("JSON", null, () => downloadData(false), "json"));
  return parts;
};
/** The whole picture on its own canvas, with the page's background colour. */
const wholePicture = () => {
  const paint = state.mode === "grid" ? drawGrid : state.mode === "lines" ? drawLines : drawMatrix;
  const width = Math.max(200, scroller.clientWidth), height = Math.min(spacer.clientHeight, 8_000);
  const whole = make("canvas");
  const context = fit(whole, width, height);
  const drawn = paint([context, width, height]);
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  redraw();
  return { whole, width, height, drawn };
};
const downloadPng = () => savePng(fileName("png"), wholePicture().whole);
const downloadSvg = () => {
  const { whole, width, height, drawn } = wholePicture();
  let inside = `<image width="${width}" height="${height}" href="${whole.toDataURL("image/png")}"/>`;
  if (state.mode === "lines") {
    const { tokens } = state.opening, step = rowHeight(), { labels } = drawn;
    const text = (indices, x, anchor) => indices.map((index, place) =>
      `<text x="${x}" y="${(place + 0.7) * step}" text-anchor="${anchor}">${escapeXml(visible(tokens[index]))}</text>`).join("");
    inside = drawn.lines.map(({ strength, from, to, hue }) => `<line x1="${labels}" y1="${from}" x2="${width - labels}" y2="${to}" ` +
      `stroke="rgb(${hue})" stroke-opacity="${strength.toFixed(3)}" stroke-width="${(0.5 + 2.5 * strength).toFixed(2)}"/>`).join("") +
      text(drawn.queries, labels - 4, "end") + text(drawn.keys, width - labels + 4, "start");
  }
  save(fileName("svg"), `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" ` +
    `font-size="13">${inside}</svg>`, "image/svg+xml");
};
/** Exact weights of what is shown: the mean of the chosen heads, the rollout, or the table of heads. */
const downloadData = async (csv) => {
  const { opening, layer } = state;
  if (state.mode === "roles") {
    const rows = roles.flat(), names = roles.flatMap((heads, at) => heads.map((_, head) => `${at}-${head}`));
    if (csv) return save(fileName("csv"), toCsv("layer-head", names, ROLES, rows), "text/csv");
    return save(fileName("json"), JSON.stringify({ model: opening.model, roles: ROLES, heads: roles }), "application/json");
  }
  if (state.mode === "grid") {
    const { heads } = opening, { matrices, rows, columns, values } = grid, block = rows * columns;
    const names = Array.from({ length: matrices }, (_, at) => `${Math.floor(at / heads)}-${at % heads}`);
    const cells = Array.from({ length: block }, (_, at) => `${Math.floor(at / columns)}-${at % columns}`);
    const pictures = names.map((_, at) => Array.from(values.subarray(at * block, (at + 1) * block), (value) => Number(value.toFixed(3))));
    if (csv) return save(fileName("csv"), toCsv("layer-head", names, cells, pictures), "text/csv");
    return save(fileName("json"), JSON.stringify({ model: opening.model, rows, columns, heads: names, shares_of_darkest: pictures }), "application/json");
  }
  const answer = await ask("table", { layer, heads: rolled() ? null : chosen() });
  if (!answer) return null;
  if (csv) return save(fileName("csv"), toCsv("query \\ key", opening.tokens, opening.tokens, answer.weights), "text/csv");
  const what = rolled() ? { rollout_through_layer: layer } : { layer, heads: chosen() };
  return save(fileName("json"), JSON.stringify({ model: opening.model, ...what, tokens: opening.tokens, weights: answer.weights }), "application/json");
};
