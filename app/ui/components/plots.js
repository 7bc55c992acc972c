// What every plot has beside what plotly draws: a sentence, exports, layers by keyboard, clicks. Runs once per page, after
// canvas.js. Gradio draws a figure anew for each new value, so all of this is put inside of the figure's element.

const FRAME = { mode: "immediate", frame: { duration: 500, redraw: true }, transition: { duration: 450, easing: "cubic-in-out" } };
const AT_ONCE = { mode: "immediate", frame: { duration: 0, redraw: true }, transition: { duration: 0 } };
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const metaOf = (plot) => plot.layout?.meta ?? {};
const framesOf = (plot) => plot._transitionData?._frames ?? [];

/** A matrix with its names as a table; without text of a table of its own a plot is one. */
const tableOf = (plot) => {
  const { table, matrix } = metaOf(plot);
  if (table) return table;
  const { z } = plot.calcdata[0][0];
  return { columns: ["", ...matrix.columns], rows: Array.from(z, (row, at) => [matrix.rows[at], ...Array.from(row, (one) => Number(one.toFixed(4)))]) };
};

/** The picture as it is seen: plotly draws it again, without the page's style sheet, so it is told the page's colours. */
const picture = (plot, format) => {
  const ink = getComputedStyle(plot).color;
  let behind = plot;
  while (behind && /^rgba\(.*, 0\)$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  const layout = { ...plot.layout, font: { ...plot.layout.font, color: ink }, paper_bgcolor: behind ? getComputedStyle(behind).backgroundColor : "white" };
  const { width, height } = plot._fullLayout;
  return Plotly.toImage({ data: plot.data, layout }, { format, width, height, scale: format === "png" ? 2 : 1 });
};
const keep = async (plot, format) => save(`${metaOf(plot).name}.${format}`, await (await fetch(await picture(plot, format))).blob());

const KINDS = {
  png: (plot) => keep(plot, "png"),
  svg: (plot) => keep(plot, "svg"),
  csv: (plot, name) => { const { columns, rows } = tableOf(plot); save(`${name}.csv`, "\ufeff" + tableToCsv(columns, rows), "text/csv"); },
  json: (plot, name) => save(`${name}.json`, JSON.stringify(tableOf(plot), null, 1), "application/json"),
  plot: (plot, name) => save(`${name}.plot.json`, JSON.stringify(Plotly.Plots.graphJson(plot, false, "keepdata", "object", true)), "application/json"),
};
const exports = (plot, words) =>
  make("div", { className: "downloads" }, ...Object.entries(KINDS).map(([kind, run]) =>
    make("button", { type: "button", textContent: `↓ ${kind === "plot" ? words.figure : kind.toUpperCase()}`, dataset: { kind },
      onclick: () => run(plot, metaOf(plot).name) })));

/** Go to a frame; the plots of the same group go along where they have it. */
const goTo = async (plot, name, how = still() ? AT_ONCE : FRAME) => {
  plot.dataset.going = name;
  const { group } = metaOf(plot);
  const others = [...document.querySelectorAll(".js-plotly-plot")].filter((other) => other !== plot && metaOf(other).group === group);
  for (const other of others) if (framesOf(other).some((frame) => frame.name === name)) Plotly.animate(other, [name], AT_ONCE).catch(() => {});
  await Plotly.animate(plot, [name], how).catch(() => {}); // refused where another frame is wanted meanwhile
  if (plot.dataset.going !== name) return;
  plot.dataset.layer = name;
};

/** A slider over the frames, which arrows move and a thumb can hold; and a button that plays them. */
const layers = (plot, words) => {
  const frames = framesOf(plot), { start } = metaOf(plot);
  const output = make("output");
  const input = make("input", { type: "range", min: 0, max: frames.length - 1, step: 1, value: start, dataset: { name: "layer" } });
  let playing = 0;
  const show = (at, how) => {
    const { name, group: said } = frames[at];
    input.value = at;
    output.textContent = input.ariaValueText = said;
    return goTo(plot, name, how);
  };
  input.oninput = () => { clearTimeout(playing); show(Number(input.value)); };
  const play = (at) => {
    if (!plot.isConnected || at >= frames.length) return;
    show(at);
    playing = setTimeout(() => play(at + 1), 1100);
  };
  const button = make("button", { type: "button", textContent: words.play, dataset: { name: "play" }, onclick: () => { clearTimeout(playing); play(0); } });
  const wanted = frames.findIndex(({ name }) => name === window.playground?.look(plot).layer);
  show(wanted < 0 ? start : wanted, AT_ONCE);
  return make("div", { className: "attention-tools sense-layers" }, make("label", {}, `${words.layer} `, input, " ", output), button);
};

const finish = async (plot) => {
  const { words, frames, ...meta } = metaOf(plot);
  if (!words || plot.dataset.drawn) return;
  plot.dataset.drawn = "true";
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-label", meta.told);
  plot.append(make("p", { className: "plot-told", textContent: meta.told }), exports(plot, words));
  // A finger that wants to scroll the page must not zoom.
  if (matchMedia("(pointer: coarse)").matches && plot._fullLayout.dragmode === "zoom") Plotly.relayout(plot, { dragmode: false });
  if (meta.group) plot.on("plotly_click", ({ points: [{ customdata }] }) => {
    if (customdata === undefined) return;
    const detail = { group: meta.group, point: customdata, layer: plot.dataset.layer };
    document.dispatchEvent(new CustomEvent("plot-point", { detail }));
  });
  if (!frames.length) return;
  await Plotly.addFrames(plot, frames);
  if (meta.start !== undefined) plot.prepend(layers(plot, words));
};

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) {
    if (!node.classList?.contains("plot-container")) continue;
    const plot = node.parentElement;
    // Plotly is still drawing.
    setTimeout(() => { if (plot.isConnected) finish(plot); });
  }
}).observe(document, { childList: true, subtree: true });
