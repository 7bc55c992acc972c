// Wide tables and code scroll on their own. Without a pointer, Tab reaches those that have more than is visible.
const scrollers = [document.getElementsByClassName("scroll"), document.getElementsByTagName("pre")];
const watched = new WeakSet();
const width = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

new MutationObserver(() => {
  for (const scroller of scrollers.flatMap((all) => [...all])) {
    if (watched.has(scroller)) continue;
    watched.add(scroller);
    width.observe(scroller);
  }
}).observe(document, { childList: true, subtree: true });
