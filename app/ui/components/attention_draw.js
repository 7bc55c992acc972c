// Drawing of the attention view: the layout of the canvas, and the way back from a pointer to tokens.

const VIEW_HEIGHT = 560; // CSS pixels drawn at once
const MOST_LINES = 3_000;
const FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
const HUES = [[13, 148, 136], [234, 88, 12], [79, 70, 229], [202, 138, 4], [219, 39, 119], [101, 163, 13],
  [2, 132, 199], [220, 38, 38], [147, 51, 234], [22, 163, 74], [120, 113, 108], [190, 24, 93]];
const hueOf = (head) => HUES[head % HUES.length];
const rgba = ([red, green, blue], alpha) => `rgba(${red},${green},${blue},${alpha.toFixed(3)})`;

const draw = () => (state.mode === "grid" ? drawGrid() : state.mode === "lines" ? drawLines() : drawMatrix());
const stage = (height) => {
  const width = Math.max(200, scroller.clientWidth);
  const seen = Math.min(VIEW_HEIGHT, height);
  spacer.style.height = `${height}px`;
  scroller.style.maxHeight = `${VIEW_HEIGHT}px`;
  return [fit(canvas, width, seen), width, seen];
};
const shorten = (context, text, width) => {
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(text.slice(0, length) + "…").width > width) length -= 1;
  return text.slice(0, length) + "…";
};

// Lines ---------------------------------------------------------------------------------------------------------------

const rowHeight = () => (size() <= 40 ? 24 : size() <= 120 ? 19 : 16);
const labelWidth = (width) => Math.min(150, width * 0.3);

/** The strongest `MOST_LINES` lines between `top` and `top + height`, and how many more there are. */
const linesIn = (parts, queries, keys, top, height) => {
  const step = rowHeight(), total = size(), { focus, threshold } = state;
  let largest = 1e-9;
  for (const { values } of parts) for (const query of queries) for (const key of keys) {
    const weight = values[query * total + key];
    if (weight > largest) largest = weight;
  }
  // Relative to the largest weight, or to four times a uniform share if that is larger, so that even weights stay pale.
  const full = Math.max(largest, Math.min(1, 4 / total));
  const least = Math.max(threshold, largest * 0.01);
  const visit = (call) => parts.forEach(({ values, hue }, part) => queries.forEach((query, a) => {
    if (focus?.query != null && focus.query !== query) return;
    keys.forEach((key, b) => {
      if (focus?.query == null && focus?.key != null && focus.key !== key) return;
      const weight = values[query * total + key];
      if (weight < least) return;
      const from = (a + 0.5) * step - top, to = (b + 0.5) * step - top;
      if (Math.max(from, to) < 0 || Math.min(from, to) > height) return;
      call(weight / full, from, to, hue, part);
    });
  }));
  const histogram = new Uint32Array(256);
  let count = 0;
  visit((strength) => { histogram[(strength * 255) | 0] += 1; count += 1; });
  let bin = 255;
  for (let sum = histogram[255]; bin > 0 && sum + histogram[bin - 1] <= MOST_LINES; ) sum += histogram[--bin];
  const lines = [];
  visit((strength, from, to, hue, part) => {
    if (((strength * 255) | 0) >= bin && lines.length < MOST_LINES) lines.push({ strength, from, to, hue, part });
  });
  return { lines, more: count - lines.length, largest };
};

const paintLines = (context, lines, x1, x2) => {
  const groups = new Map(); // lines of one colour and similar strength form one path
  for (const line of lines) {
    const level = Math.max(1, Math.round(line.strength * 12));
    const name = `${line.hue}|${level}`;
    if (!groups.has(name)) groups.set(name, { hue: line.hue, level, path: new Path2D() });
    const { path } = groups.get(name);
    path.moveTo(x1, line.from);
    path.lineTo(x2, line.to);
  }
  for (const { hue, level, path } of [...groups.values()].sort((a, b) => a.level - b.level)) {
    context.strokeStyle = rgba(hue, level / 12);
    context.lineWidth = 0.5 + (2.5 * level) / 12;
    context.stroke(path);
  }
};

const paintTokens = (context, indices, side, x, width, top, height, shade) => {
  const step = rowHeight();
  context.font = `${Math.min(14, step - 3)}px ${FONT}`;
  context.textBaseline = "middle";
  context.textAlign = side === "query" ? "right" : "left";
  const first = Math.max(0, Math.floor(top / step)), last = Math.min(indices.length, Math.ceil((top + height) / step));
  for (let place = first; place < last; place++) {
    const index = indices[place], y = (place + 0.5) * step - top;
    const strength = shade(index);
    if (strength > 0) {
      context.fillStyle = rgba(HUE, 0.12 + 0.6 * strength);
      context.fillRect(x, y - step / 2 + 1, width, step - 2);
    }
    context.fillStyle = ink();
    const text = shorten(context, visible(state.opening.tokens[index]), width - 8);
    context.fillText(text, side === "query" ? x + width - 4 : x + 4, y);
  }
};

const drawLines = (target = null) => {
  const [queries, keys] = left(), parts = shown(), total = size();
  const full = Math.max(queries.length, keys.length, 1) * rowHeight();
  const [context, width, height] = target ?? stage(full);
  const top = target ? 0 : scroller.scrollTop, labels = labelWidth(width), { focus } = state;
  context.clearRect(0, 0, width, height);
  const { lines, more } = linesIn(parts, queries, keys, top, height);
  paintLines(context, lines, labels, width - labels);
  const strength = (query, key) => Math.max(0, ...parts.map(({ values }) => values[query * total + key]));
  const ofQuery = (index) => (focus?.query === index ? 1 : focus?.query == null && focus?.key != null ? strength(index, focus.key) : 0);
  const ofKey = (index) => (focus?.query != null ? strength(focus.query, index) : focus?.key === index ? 1 : 0);
  paintTokens(context, queries, "query", 0, labels, top, height, ofQuery);
  paintTokens(context, keys, "key", width - labels, labels, top, height, ofKey);
  note.textContent = more > 0 ? say("limited", { count: lines.length, more }) : "";
  return { lines, full, width, labels, queries, keys };
};

// Matrix and rollout --------------------------------------------------------------------------------------------------

const matrixPlace = (width, queries, keys) => {
  const wide = Math.min(120, width * 0.28);
  const labelled = (width - wide) / keys.length >= 11;
  const [leftEdge, topEdge] = labelled ? [wide, 76] : [4, 4];
  const cell = Math.min(28, (width - leftEdge - 4) / keys.length);
  return { labelled, leftEdge, topEdge, cell, height: topEdge + cell * queries.length + 4 };
};

const drawMatrix = (target = null) => {
  const [queries, keys] = left(), [part] = shown(), total = size();
  const at = matrixPlace(target ? target[1] : Math.max(200, scroller.clientWidth), queries, keys);
  const [context, width, height] = target ?? stage(at.height);
  const top = target ? 0 : scroller.scrollTop;
  context.clearRect(0, 0, width, height);
  note.textContent = "";
  if (!part || !queries.length || !keys.length) return at;
  let largest = 1e-9;
  for (const query of queries) for (const key of keys) largest = Math.max(largest, part.values[query * total + key]);
  const full = Math.max(largest, Math.min(1, 4 / total)); // as for lines, even weights stay pale
  const value = (row, column) => Math.sqrt(part.values[queries[row] * total + keys[column]] / full);
  const image = picture(queries.length, keys.length, value, part.hue);
  context.imageSmoothingEnabled = at.cell < 1;
  context.fillStyle = "rgba(128,128,128,.08)";
  context.fillRect(at.leftEdge, at.topEdge - top, at.cell * keys.length, at.cell * queries.length);
  context.drawImage(image, at.leftEdge, at.topEdge - top, at.cell * keys.length, at.cell * queries.length);
  if (at.labelled) paintMatrixLabels(context, at, queries, keys, top);
  paintCross(context, at, queries, keys, top);
  note.textContent = say("darkest", { weight: largest.toFixed(3) });
  return { ...at, image, queries, keys };
};
const paintMatrixLabels = (context, at, queries, keys, top) => {
  const { tokens } = state.opening;
  context.font = `${Math.min(13, at.cell)}px ${FONT}`;
  context.textBaseline = "middle";
  context.fillStyle = ink();
  context.textAlign = "right";
  queries.forEach((query, row) => context.fillText(
    shorten(context, visible(tokens[query]), at.leftEdge - 8), at.leftEdge - 4, at.topEdge + (row + 0.5) * at.cell - top));
  context.textAlign = "left";
  keys.forEach((key, column) => {
    context.save();
    context.translate(at.leftEdge + (column + 0.5) * at.cell, at.topEdge - 5 - top);
    context.rotate(-Math.PI / 3);
    context.fillText(shorten(context, visible(tokens[key]), 76), 0, 0);
    context.restore();
  });
};
const paintCross = (context, at, queries, keys, top) => {
  if (!state.focus) return;
  const row = queries.indexOf(state.focus.query), column = keys.indexOf(state.focus.key);
  context.strokeStyle = ink();
  context.lineWidth = 1;
  if (row >= 0) context.strokeRect(at.leftEdge, at.topEdge + row * at.cell - top, at.cell * keys.length, at.cell);
  if (column >= 0) context.strokeRect(at.leftEdge + column * at.cell, at.topEdge - top, at.cell, at.cell * queries.length);
};

// All heads -----------------------------------------------------------------------------------------------------------

const EDGE = 26;
/** The side of a head's picture: all layers fit on the screen, unless they would become too small to tell apart. */
const gridCell = (width, rows, columns) =>
  Math.min(96, (width - EDGE) / columns, Math.max(40, (VIEW_HEIGHT - EDGE) / rows));
const drawGrid = (target = null) => {
  const { layers: rows, heads: columns } = state.opening;
  const width = target ? target[1] : Math.max(200, scroller.clientWidth);
  const cell = gridCell(width, rows, columns);
  const [context, , height] = target ?? stage(EDGE + cell * rows);
  const top = target ? 0 : scroller.scrollTop;
  context.clearRect(0, 0, width, height);
  context.font = `12px ${FONT}`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.imageSmoothingEnabled = false;
  const block = grid.rows * grid.columns;
  for (let layer = 0; layer < rows; layer++) for (let head = 0; head < columns; head++) {
    const start = (layer * columns + head) * block, x = EDGE + head * cell, y = EDGE + layer * cell - top;
    const image = picture(grid.rows, grid.columns, (row, column) => Math.sqrt(grid.values[start + row * grid.columns + column]), hueOf(head));
    context.drawImage(image, x + 1, y + 1, cell - 3, cell - 3);
    const here = state.cell[0] === layer && state.cell[1] === head;
    context.strokeStyle = here ? ink() : "rgba(128,128,128,.35)";
    context.lineWidth = here ? 2 : 1;
    context.strokeRect(x + 1, y + 1, cell - 3, cell - 3);
  }
  context.fillStyle = ink();
  for (let layer = 0; layer < rows; layer++) context.fillText(layer, EDGE / 2, EDGE + (layer + 0.5) * cell - top);
  for (let head = 0; head < columns; head++) context.fillText(head, EDGE + (head + 0.5) * cell, EDGE / 2 - top);
  note.textContent = "";
  return { cell };
};

// From a pointer or a key to its meaning ------------------------------------------------------------------------------

const pointAt = (event) => {
  const x = event.offsetX, y = event.offsetY + scroller.scrollTop, [queries, keys] = left();
  const width = Math.max(200, scroller.clientWidth);
  if (state.mode === "grid") {
    const { layers: rows, heads: columns } = state.opening, cell = gridCell(width, rows, columns);
    return chooseCell(Math.floor((y - EDGE) / cell), Math.floor((x - EDGE) / cell), rows, columns);
  }
  if (state.mode === "lines") {
    const place = Math.floor(y / rowHeight()), labels = labelWidth(width);
    if (x < labels + 20 && place < queries.length) return focusOn({ query: queries[place], key: null });
    if (x > width - labels - 20 && place < keys.length) return focusOn({ query: null, key: keys[place] });
    return focusOn(null);
  }
  const at = matrixPlace(width, queries, keys);
  const row = Math.floor((y - at.topEdge) / at.cell), column = Math.floor((x - at.leftEdge) / at.cell);
  if (row < 0 || row >= queries.length || column < 0 || column >= keys.length) return focusOn(null);
  return focusOn({ query: queries[row], key: keys[column] });
};
const chooseCell = (layer, head, rows, columns) => {
  if (layer < 0 || layer >= rows || head < 0 || head >= columns) return;
  state.cell = [layer, head];
  readout.textContent = say("cell", { layer, head });
  redraw();
};
const clampTo = (list, value, step) =>
  list[Math.max(0, Math.min(list.length - 1, (value == null ? -Math.sign(step || 1) * (step > 0 ? 1 : 0) : list.indexOf(value)) + step))];
const moveBy = (down, right) => {
  const [queries, keys] = left(), { focus } = state;
  if (state.mode === "grid") {
    const { layers: rows, heads: columns } = state.opening;
    return chooseCell(state.cell[0] + down, state.cell[1] + right, rows, columns);
  }
  if (state.mode === "lines") {
    const onKey = right > 0 || (right === 0 && focus && focus.query === null);
    const list = onKey ? keys : queries, now = focus && (focus.query ?? focus.key);
    const index = clampTo(list, list.includes(now) ? now : null, down || (list.includes(now) ? 0 : 1));
    focusOn(onKey ? { query: null, key: index } : { query: index, key: null });
    return reveal(list.indexOf(index) * rowHeight(), rowHeight());
  }
  const query = clampTo(queries, focus?.query ?? null, focus ? down : 1), key = clampTo(keys, focus?.key ?? null, focus ? right : 1);
  focusOn({ query, key });
  const at = matrixPlace(Math.max(200, scroller.clientWidth), queries, keys);
  return reveal(at.topEdge + queries.indexOf(query) * at.cell, at.cell);
};
/** Scroll the focus into view. */
const reveal = (top, height) => {
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + height > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + height - scroller.clientHeight;
};
