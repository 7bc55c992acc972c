// A visitor's answers collected for a report: this browser tab keeps them until it is closed; no server does.
(() => {
  const KEY = "report", LONGEST_TEXT = 4000, MOST_PICTURES = 12;
  const words = () => REPORT_WORDS[document.documentElement.lang];
  const tell = (slug, what, said) => playground.tell(document.getElementById(`${slug}-report-${what}`), said);
  const entries = () => {
    try {
      return JSON.parse(sessionStorage.getItem(KEY)) ?? [];
    } catch {
      return []; // the browser stores nothing
    }
  };
  // It shows nothing of its answer, only its title.
  const folded = (part) => part.querySelector(":scope > .label-wrap:not(.open)");
  const answers = () => {
    const shown = [...document.querySelectorAll("#tabs .to-reveal")].filter((one) => one.offsetHeight && one.dataset.state !== "failed" && !folded(one) &&
      (one.innerText.trim() || one.querySelector("canvas, svg, img, .js-plotly-plot")));
    return shown.filter((one) => !shown.some((other) => other !== one && other.contains(one)));
  };
  // An empty report needs no button to empty it.
  const mark = () => document.documentElement.classList.toggle("reporting", entries().length > 0);
  const asImage = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  // Plots that plotly draws as SVG are taken as they are; 3D plots must be drawn again, and so must colour scales,
  // which take their colours from elsewhere in the page.
  const pictures = async (shown) => {
    const found = [];
    for (const one of shown) {
      const plots = [...one.querySelectorAll(".js-plotly-plot")];
      if (!plots.length) found.push(asImage(playground.drawn(one)));
      for (const plot of plots) {
        const inSpace = plot._fullLayout?.scene, scaled = plot._fullLayout?.coloraxis || plot.querySelector(".colorbar");
        const anew = inSpace ? "png" : scaled && "svg";
        found.push(anew ? await playground.plotted(plot, anew) : asImage(playground.drawn(plot.querySelector(".svg-container"))));
      }
    }
    return found.slice(0, MOST_PICTURES);
  };
  const seen = ({ id }) => document.getElementById(id)?.offsetHeight;

  // The tab as it is shown now, or why it cannot be added.
  const look = async (slug, fields, values) => {
    const shown = answers();
    if (shown.some((one) => [...one.querySelectorAll(".progress-text")].some((sign) => sign.offsetHeight))) return { refused: words().pending };
    if (!shown.length) return { refused: words().nothing };
    if (shown.some((one) => one.dataset.state === "stale")) return { refused: words().stale };
    const set = fields.map(({ id, label }, at) => ({ id, label, value: values[at] }));
    return {
      tab: slug,
      at: new Date().toLocaleString(document.documentElement.lang),
      fields: set.filter((one) => seen(one) && one.value !== null && one.value !== "").map(({ label, value }) => ({ label, value })),
      pictures: await pictures(shown),
      text: shown.map((one) => one.innerText.trim()).filter(Boolean).join("\n\n").slice(0, LONGEST_TEXT),
    };
  };
  const add = async (slug, fields, values, what) => {
    const entry = await look(slug, fields, values);
    if (entry.refused) return tell(slug, what, entry.refused);
    const all = [...entries(), entry];
    try {
      sessionStorage.setItem(KEY, JSON.stringify(all));
    } catch {
      return tell(slug, what, words().full);
    }
    mark();
    tell(slug, what, words().added.replace("{count}", all.length));
  };
  // The server makes the page, with a description of each model; the pictures are inserted here.
  const save = async (slug) => {
    const all = entries(), plain = all.map((one) => ({ ...one, pictures: one.pictures.length }));
    const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ entries: plain }) };
    const answer = await fetch(`report?lang=${document.documentElement.lang}`, sent).catch(() => ({}));
    if (!answer.ok) return tell(slug, "save", words().unread);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const image of page.querySelectorAll("[data-picture]")) {
      const [entry, picture] = image.dataset.picture.split(" ");
      image.src = all[entry].pictures[picture];
    }
    const file = new Blob([`<!doctype html>\n${page.documentElement.outerHTML}`], { type: "text/html" });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: words().file });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  mark();
  playground.report = {
    add: (slug, fields, values) => add(slug, fields, values, "add"),
    // Visitors who have collected nothing mean the answer shown now.
    async save(slug, fields, values) {
      if (!entries().length) await add(slug, fields, values, "save");
      if (entries().length) await save(slug);
    },
    forget(slug) {
      sessionStorage.removeItem(KEY);
      tell(slug, "forget", words().emptied);
    },
  };
})();
