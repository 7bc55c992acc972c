// The occurrences of a word as buttons: they show what is selected in a plot of their group, and a click on a button or
// a point asks for its neighbours.

const buttons = () => [...element.querySelectorAll("[data-occurrence]")];
const inSight = () => buttons().filter((button) => !button.parentElement.hidden);
const group = () => element.querySelector("[data-group]")?.dataset.group;
const plotOf = () => [...document.querySelectorAll(".js-plotly-plot[data-layer]")].find((plot) => plot.layout.meta.group === group() && plot.layout.meta.picks);

/** Mark the chosen button, which is also the one that the Tab key reaches. */
const choose = (chosen) => {
  for (const button of buttons()) {
    button.tabIndex = button === chosen ? 0 : -1;
    button.ariaPressed = String(button === chosen);
  }
};
const ask = (button) => {
  choose(button);
  const { model } = element.querySelector("[data-group]").dataset, layer = plotOf()?.dataset.layer ?? "";
  trigger("select", { model, occurrence: Number(button.dataset.occurrence), layer });
};
/** Show only these occurrences, or all of them if the list is empty. */
const only = (points) => {
  const all = buttons(), said = element.querySelector(".selected");
  for (const button of all) button.parentElement.hidden = points.length > 0 && !points.includes(Number(button.dataset.occurrence));
  said.firstChild.textContent = points.length ? said.dataset.some.replace("{count}", inSight().length).replace("{total}", all.length) : "";
  said.querySelector(".all").hidden = !points.length;
  if (!inSight().some((button) => button.tabIndex === 0)) choose(inSight()[0]);
};

element.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-occurrence]");
  if (button) ask(button);
  if (target.closest(".all")) only([]);
});
element.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key], shown = inSight();
  const next = shown[shown.indexOf(event.target) + step];
  if (!next || !shown.includes(event.target)) return;
  event.preventDefault();
  choose(next);
  next.focus();
});
/** Highlight a sentence's point while the pointer or the focus is on the sentence. */
const point = ({ target }) => {
  const plot = plotOf(), number = Number(target.closest("[data-occurrence]")?.dataset.occurrence ?? NaN);
  const curveNumber = plot?.data.findIndex(({ customdata }) => customdata?.includes(number)) ?? -1;
  if (curveNumber < 0 || plot._fullLayout.scene) return;
  Plotly.Fx.hover(plot, [{ curveNumber, pointNumber: plot.data[curveNumber].customdata.indexOf(number) }]);
};
element.addEventListener("focusin", point);
element.addEventListener("pointerover", point);

const listen = ({ detail: { group: meant, points, clicked } }) => {
  if (!element.isConnected) { document.removeEventListener("plot-points", listen); return; }
  if (meant !== group()) return;
  const folded = element.querySelector("details");
  if (folded && points.length) folded.open = true;
  if (!clicked) { only(points); return; }
  const button = buttons()[points[0]];
  if (!button) return;
  button.parentElement.hidden = false;
  button.scrollIntoView({ block: "nearest" });
  ask(button);
};
document.addEventListener("plot-points", listen);
