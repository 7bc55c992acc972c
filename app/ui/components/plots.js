// What every plot has besides plotly's drawing: a sentence, exports, a slider over its frames, and an event for points
// that are clicked or selected. Runs once per page, after canvas.js. Gradio draws a figure anew for each new value, so
// all of this goes inside the figure's element.

const metaOf = (plot) => plot.layout?.meta ?? {};
const MOVED = { mode: "immediate", frame: { duration: 500, redraw: true }, transition: { duration: 450, easing: "cubic-in-out" } };
const AT_ONCE = { mode: "immediate", frame: { duration: 0, redraw: true }, transition: { duration: 0 } };
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const seen = new Map(); // the current frame of each group of plots

/** The picture as shown: plotly draws it again without the page's style sheet, so it is given the page's colours. */
const imageOf = (plot, format) => {
  const ink = getComputedStyle(plot).color;
  let behind = plot;
  while (behind && /^rgba\(.*, 0\)$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  const layout = { ...plot.layout, font: { ...plot.layout.font, color: ink }, paper_bgcolor: behind ? getComputedStyle(behind).backgroundColor : "white" };
  const { width, height } = plot._fullLayout;
  return Plotly.toImage({ data: plot.data, layout }, { format, width, height, scale: format === "png" ? 2 : 1 });
};
playground.plotted = imageOf; // for pictures of plots in a report
const keep = async (plot, format) => save(`${metaOf(plot).name}.${format}`, await (await fetch(await imageOf(plot, format))).blob());

/** The table that came with the figure, or its displayed matrix, which then need not be sent twice. */
const tableOf = (plot) => {
  if (metaOf(plot).table) return metaOf(plot).table;
  const { x, y, z } = plot._fullData[0], rows = [...z].map((row, index) => [y?.[index] ?? index, ...row]);
  return { columns: ["", ...(x ?? rows.keys())], rows };
};
const KINDS = {
  png: (plot) => keep(plot, "png"),
  svg: (plot) => keep(plot, "svg"),
  csv: (plot, name) => { const { columns, rows } = tableOf(plot); save(`${name}.csv`, "\ufeff" + tableToCsv(columns, rows), "text/csv"); },
  json: (plot, name) => save(`${name}.json`, JSON.stringify(tableOf(plot), null, 1), "application/json"),
  plot: (plot, name) => save(`${name}.plot.json`, JSON.stringify(Plotly.Plots.graphJson(plot, false, "keepdata", "object", true)), "application/json"),
};
const exports = (plot, words) =>
  make("div", { className: "downloads" }, ...Object.entries(KINDS).map(([kind, run]) =>
    make("button", { type: "button", textContent: kind === "plot" ? words.figure : kind.toUpperCase(), dataset: { kind },
      onclick: () => run(plot, metaOf(plot).name) })));

const tell = (plot, told) => {
  plot.setAttribute("aria-label", told);
  plot.querySelector(".plot-told").textContent = told;
};

/** Move a plot to a frame. */
const toFrame = async (plot, name, how) => {
  const { frames = [] } = metaOf(plot), frame = frames.find((one) => one.name === name);
  if (!frame) return;
  if (frame.told) tell(plot, frame.told);
  plot.dataset.going = name;
  await Plotly.animate(plot, [name], how).catch(() => {}); // rejected if another frame was requested meanwhile
  if (plot.dataset.going === name) plot.dataset.layer = name;
};
/** Mark the rows of a group's tables that have its frame. */
const markRows = (group) => {
  for (const row of document.querySelectorAll(`[data-group="${CSS.escape(group)}"] [data-frame]`)) row.classList.toggle("here", row.dataset.frame === seen.get(group));
};
/** Move a plot and its group to a frame. */
const together = (plot, name, how) => {
  const { group } = metaOf(plot);
  seen.set(group, name);
  for (const other of document.querySelectorAll(".js-plotly-plot")) if (other !== plot && metaOf(other).group === group) toFrame(other, name, AT_ONCE);
  markRows(group);
  return toFrame(plot, name, how);
};

/** A slider over the frames, large enough for a thumb and usable with arrow keys, and a button that plays them. */
const slider = (plot, words) => {
  const { frames, group, start, stays } = metaOf(plot);
  const output = make("output");
  const input = make("input", { type: "range", min: 0, max: frames.length - 1, step: 1, dataset: { name: "layer" } });
  let playing = 0;
  const show = (at, how = still() ? AT_ONCE : MOVED) => {
    input.value = at;
    fillTrack(input);
    output.textContent = input.ariaValueText = frames[at].said;
    together(plot, frames[at].name, how);
  };
  input.oninput = () => { clearTimeout(playing); show(Number(input.value)); };
  const play = (at) => {
    if (!plot.isConnected || at >= frames.length) return;
    show(at);
    playing = setTimeout(() => play(at + 1), 1100);
  };
  const button = make("button", { type: "button", textContent: words.play, dataset: { name: "play" },
    onclick: () => { clearTimeout(playing); play(0); } });
  const placeOf = (name) => frames.findIndex((frame) => frame.name === name);
  const wanted = [window.playground?.look(plot).layer, stays ? seen.get(group) : "", start].map(placeOf);
  show(wanted.find((at) => at >= 0), AT_ONCE);
  return frames.length > 1 ? [make("label", {}, `${words.layer} `, input, " ", output), button] : [];
};

/** Buttons that rotate a 3D plot without a pointer. */
const turns = (plot, words) => [["↶", 0.26], ["↷", -0.26]].map(([sign, angle]) =>
  make("button", { type: "button", textContent: sign, ariaLabel: words.turn, dataset: { name: "turn" }, onclick: () => {
    const { x, y, z } = plot._fullLayout.scene.camera.eye;
    const eye = { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle), z };
    Plotly.relayout(plot, { "scene.camera.eye": eye });
  } }));

/** Tell the page which points were clicked or selected. */
const picks = (plot) => {
  const { group, cells } = metaOf(plot);
  const send = (points, clicked) => document.dispatchEvent(new CustomEvent("plot-points", { detail: { group, points, clicked } }));
  const own = (points) => [...new Set(points.map(({ customdata }) => customdata))].filter((one) => one !== undefined);
  plot.on("plotly_click", ({ points }) => {
    if (cells) send(points[0].pointIndex.map((at) => cells[at]), false);
    else send(own(points.slice(0, 1)), true);
  });
  plot.on("plotly_selected", (chosen) => send(chosen ? own(chosen.points) : [], false));
  plot.on("plotly_deselect", () => send([], false));
};

/** Hide names that are cut off or lie over others, as wide as they are now: those of `thinned` stay first, then some of each group. */
const thin = (plot) => {
  const { thinned } = metaOf(plot), kept = [], area = plot.querySelector(".nsewdrag").getBoundingClientRect();
  const traces = [...plot.querySelectorAll(".scatterlayer .trace")].map((trace) => [...trace.querySelectorAll(".textpoint text")]);
  const placed = traces.flatMap((labels) => labels.map((label, at) => {
    const first = thinned.indexOf(label.textContent);
    return { label, order: first < 0 ? thinned.length + at : first };
  })).sort((one, other) => one.order - other.order);
  for (const { label } of placed) {
    const own = label.getBoundingClientRect();
    const free = area.left <= own.left && own.right <= area.right && kept.every((other) => own.right < other.left || other.right < own.left || own.bottom < other.top || other.bottom < own.top);
    label.style.visibility = free ? "" : "hidden";
    if (free) kept.push(own);
  }
};

const finish = async (plot) => {
  const { words, told, frames, group, start } = metaOf(plot);
  if (!words || plot.dataset.drawn) return;
  plot.dataset.drawn = "true";
  // When the window changes, plotly would count everything in its element as its own height, including these parts.
  const { height } = plot._fullLayout;
  plot.on("plotly_autosize", () => { plot.layout.height = plot._fullLayout.height = height; });
  // Plotly looks only at the window, but a neighbour that comes or goes changes the width, too.
  new ResizeObserver(() => {
    if (plot.clientWidth && Math.abs(plot.clientWidth - plot._fullLayout.width) > 1) Plotly.Plots.resize(plot);
  }).observe(plot);
  plot.setAttribute("role", "group");
  plot.append(make("p", { className: "plot-told", ariaLive: start ? "polite" : null }), exports(plot, words));
  tell(plot, told);
  if (metaOf(plot).thinned) {
    thin(plot);
    plot.on("plotly_afterplot", () => thin(plot));
  }
  // A finger that scrolls the page must not zoom.
  if (matchMedia("(pointer: coarse)").matches && plot._fullLayout.dragmode === "zoom") Plotly.relayout(plot, { dragmode: false });
  if (!frames) return;
  picks(plot);
  await Plotly.addFrames(plot, frames.map(({ name, data, layout }) => ({ name, data, layout })));
  if (start) plot.prepend(make("div", { className: "attention-tools plot-frames" }, ...slider(plot, words), ...(plot._fullLayout.scene ? turns(plot, words) : [])));
  else {
    toFrame(plot, seen.get(group), AT_ONCE);
    markRows(group); // of a table that was unfolded with it
  }
};

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) {
    if (!node.classList?.contains("plot-container")) continue;
    const plot = node.parentElement;
    // Plotly is still drawing.
    setTimeout(() => { if (plot.isConnected) finish(plot); });
  }
}).observe(document, { childList: true, subtree: true });
