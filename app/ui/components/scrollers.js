// Wide tables and code scroll on their own. Without a pointer, Tab reaches those that have more than is visible; a table
// says by its columns what it is, and tells the style sheet on which side it goes on.
const scrollers = [document.getElementsByClassName("scroll"), document.getElementsByTagName("pre")];
const watched = new WeakSet();

/** Where a scroller has more: at its start, at its end, at both, or nowhere. */
const moreOf = ({ scrollLeft, scrollWidth, clientWidth }) => {
  const before = Math.abs(scrollLeft) > 1, after = Math.abs(scrollLeft) + clientWidth < scrollWidth - 1;
  return before && after ? "both" : before ? "start" : after ? "end" : "";
};
const look = (scroller) => {
  const more = moreOf(scroller), names = [...scroller.querySelectorAll("thead th")].map((name) => name.textContent.trim());
  if (scroller.dataset.more !== more) scroller.dataset.more = more;
  if (more) {
    scroller.tabIndex = 0;
    if (names.length) Object.assign(scroller, { role: "region", ariaLabel: names.filter(Boolean).join(", ") });
  } else for (const name of ["tabindex", "role", "aria-label"]) scroller.removeAttribute(name);
};
const width = new ResizeObserver((changes) => {
  for (const { target } of changes) look(target.closest(".scroll, pre") ?? target);
});

new MutationObserver(() => {
  for (const scroller of scrollers.flatMap((all) => [...all])) {
    for (const one of [scroller, ...scroller.children]) {
      if (watched.has(one)) continue;
      watched.add(one);
      width.observe(one);
    }
    if (scroller.dataset.more !== undefined) continue;
    scroller.dataset.more = "";
    scroller.addEventListener("scroll", () => look(scroller), { passive: true });
  }
}).observe(document, { childList: true, subtree: true });
