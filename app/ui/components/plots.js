// What every plot has beside what plotly draws: a sentence and exports. Runs once per page, after canvas.js. Gradio draws
// a figure anew for each new value, so all of this is put inside of the figure's element.

const metaOf = (plot) => plot.layout?.meta ?? {};

/** The picture as it is seen: plotly draws it again, without the page's style sheet, so it is told the page's colours. */
const imageOf = (plot, format) => {
  const ink = getComputedStyle(plot).color;
  let behind = plot;
  while (behind && /^rgba\(.*, 0\)$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
  const layout = { ...plot.layout, font: { ...plot.layout.font, color: ink }, paper_bgcolor: behind ? getComputedStyle(behind).backgroundColor : "white" };
  const { width, height } = plot._fullLayout;
  return Plotly.toImage({ data: plot.data, layout }, { format, width, height, scale: format === "png" ? 2 : 1 });
};
const keep = async (plot, format) => save(`${metaOf(plot).name}.${format}`, await (await fetch(await imageOf(plot, format))).blob());

const KINDS = {
  png: (plot) => keep(plot, "png"),
  svg: (plot) => keep(plot, "svg"),
  csv: (plot, name) => { const { columns, rows } = metaOf(plot).table; save(`${name}.csv`, "\ufeff" + tableToCsv(columns, rows), "text/csv"); },
  json: (plot, name) => save(`${name}.json`, JSON.stringify(metaOf(plot).table, null, 1), "application/json"),
  plot: (plot, name) => save(`${name}.plot.json`, JSON.stringify(Plotly.Plots.graphJson(plot, false, "keepdata", "object", true)), "application/json"),
};
const exports = (plot, words) =>
  make("div", { className: "downloads" }, ...Object.entries(KINDS).map(([kind, run]) =>
    make("button", { type: "button", textContent: `↓ ${kind === "plot" ? words.figure : kind.toUpperCase()}`, dataset: { kind },
      onclick: () => run(plot, metaOf(plot).name) })));

const finish = (plot) => {
  const { words, told } = metaOf(plot);
  if (!words || plot.dataset.drawn) return;
  plot.dataset.drawn = "true";
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-label", told);
  plot.append(make("p", { className: "plot-told", textContent: told }), exports(plot, words));
  // A finger that wants to scroll the page must not zoom.
  if (matchMedia("(pointer: coarse)").matches && plot._fullLayout.dragmode === "zoom") Plotly.relayout(plot, { dragmode: false });
};

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) {
    if (!node.classList?.contains("plot-container")) continue;
    const plot = node.parentElement;
    // Plotly is still drawing.
    setTimeout(() => { if (plot.isConnected) finish(plot); });
  }
}).observe(document, { childList: true, subtree: true });
