// What every page of the playground shares: fields that survive the way from tab to tab, links, old answers.
window.playground = {
  begun: {}, // slug -> what its fields began with, as far as no link said so
  first: {}, // slug -> the group that holds its answer
  asked: {}, // group -> the values that are answered
  asking: {}, // group -> the values that are being answered
  stopped: new Set(), // groups whose answer the visitor has stopped
  toPress: "", // the button that answers what is put into the fields
  brought: "", // what of its opening the page has had from the start: its fields, or its answer as well
  looked: false, // has a view taken what the link says of its layer?
  ready: false, // was the page filled?
  models: ["model", "other"], // the keys of models in an address
  kept: ["lang", "class", "lesson", "step", "short", "notes"], // of an address, from tab to tab

  // Before anything is drawn: only a page that describes the endpoints needs what they take; 84 of the first one's 111 parts.
  leaveOutEndpoints(config) {
    if (this.describes()) return;
    const { components, dependencies } = config, page = config.page[config.current_page];
    if (!components.some(({ props }) => props.elem_id === "contents")) return; // one tab alone
    const taken = new Set(components.filter(({ type }) => type === "api").map(({ id }) => id));
    const offered = new Set(dependencies.filter((one) => one.api_visibility === "public").map(({ id }) => id));
    page.components = page.components.filter((id) => !taken.has(id));
    page.dependencies = page.dependencies.filter((id) => !offered.has(id));
    page.layout.children = page.layout.children.filter(({ id }) => !taken.has(id));
    config.components = components.filter(({ id }) => !taken.has(id));
    config.dependencies = dependencies.filter(({ id }) => !offered.has(id));
  },
  // Before anything is drawn: put what the page brings into Gradio's description of it, by the components' ids.
  bring(brought, filled) {
    this.brought = brought;
    for (const { id, props } of gradio_config.components) Object.assign(props, filled[id]);
    const rooms = gradio_config.components.filter(({ type, props }) => type === "plot" && props.value).map(({ props }) => {
      const { height = 450 } = JSON.parse(props.value.plot).layout;
      return `#${props.elem_id}:not(:has(.downloads)) { min-height: ${height + 76}px; }`;
    });
    const style = document.createElement("style"); // what draws plots is loaded when the page is there
    style.textContent = rooms.join("\n");
    document.head.append(style);
  },
  // All of it is mounted: it is seen at once, and not piece by piece; what the server still has to fill, a little later.
  opened() {
    setTimeout(() => this.reveal(), this.brought ? 0 : 5_000);
    return [this.brought];
  },
  reveal() {
    document.documentElement.classList.add("mounted");
  },
  // Another tab, with what of the address belongs to all of them.
  go(tab) {
    location.assign(this.addressOf([["tab", tab]]));
  },
  // The page's address with nothing in it but these pairs and what is kept.
  addressOf(pairs) {
    const address = new URL(location), named = pairs.map(([key]) => key);
    const kept = [...address.searchParams].filter(([key]) => this.kept.includes(key) && !named.includes(key));
    address.search = new URLSearchParams([...pairs, ...kept]);
    return address;
  },
  // What the visitor has put into a tab's fields, by their keys, and whether it was asked; this browser tab keeps it.
  typed(slug) {
    try {
      return JSON.parse(sessionStorage.getItem(`typed ${slug}`)) ?? { fields: {}, run: false };
    } catch {
      return { fields: {}, run: false }; // the browser keeps nothing
    }
  },
  remember(slug, typed) {
    try {
      sessionStorage.setItem(`typed ${slug}`, JSON.stringify(typed));
    } catch {} // too long, or the browser keeps nothing: the tab begins anew
  },
  // Something was typed; what nobody has changed is what the page brings, in whichever language.
  keep(slug, keys, values) {
    const begun = this.begun[slug];
    if (!begun) return;
    const changed = keys.filter((key, at) => JSON.stringify(values[at]) !== begun[at]);
    // A text goes on with its models: those that another language begins with may not know its words.
    const text = changed.some((key) => !this.models.includes(key) && typeof values[keys.indexOf(key)] === "string" && !key.startsWith("setting "));
    const own = keys.map((key, index) => [key, values[index]]).filter(([key]) => changed.includes(key) || (text && this.models.includes(key)));
    this.remember(slug, { ...this.typed(slug), fields: Object.fromEntries(own) });
  },
  // Take a text along: the other tab opens with it, and answers.
  take(slug, fields, run = true) {
    this.remember(slug, { fields: { ...this.typed(slug).fields, ...fields }, run });
    this.go(slug);
  },
  // A tab has its first values, and perhaps the answer to them. What was typed here before goes into the fields, unless
  // a link says what stands there; a link with `run` asks for the answer, as does what was asked before.
  filled(slug, keys, values, run, group) {
    const linked = new URL(location).searchParams, named = keys.some((key) => linked.has(key));
    const typed = named ? { fields: {} } : this.typed(slug);
    this.begun[slug] = keys.map((key, index) => (linked.has(key) ? undefined : JSON.stringify(values[index])));
    this.first[slug] = group;
    this.asked[group] = JSON.stringify(values.slice(keys.length));
    if (named) this.keep(slug, keys, values);
    const asked = linked.get("run") === "1" || (typed.run && Object.keys(typed.fields).length);
    const late = group && !named && this.brought !== "answered" && !Object.keys(typed.fields).length;
    this.toPress = asked ? run : late ? `${slug}-late` : ""; // the server may still be preparing its answers
    return keys.map((key, index) => (key in typed.fields ? typed.fields[key] : values[index]));
  },
  // The fields hold it now.
  begin() {
    this.ready = true;
    this.reveal();
    for (const list of document.querySelectorAll(".long-list")) this.shorten(list);
    if (this.toPress) this.press(this.toPress, 100);
    if (this.describes()) this.describe();
    // What of a link cannot be followed is said; most addresses name their tab alone.
    const here = document.querySelector("#contents a[data-tab][aria-current]")?.dataset.tab;
    const linked = [...new URL(location).searchParams].filter(([key, value]) => key !== "tab" || (here && value !== here));
    if (linked.some(([key]) => !this.kept.includes(key))) this.press("link-told", 100);
  },
  // Of a long list the style sheet shows the beginning; this button shows the rest.
  shorten(list) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "rest", textContent: document.documentElement.dataset.rest });
    button.onclick = () => {
      list.classList.remove("long-list");
      list.querySelector(".gallery-item:nth-child(9)")?.focus();
      button.remove();
    };
    list.append(button);
  },
  // Is the page to show what programs may ask, as its address says?
  describes() {
    return new URLSearchParams(location.search).get("view") === "api";
  },
  // Gradio takes its description for open then, and does not fetch it: it is closed and opened.
  describe() {
    const button = document.querySelector("footer .show-api");
    button?.click();
    button?.click();
  },
  // Press a button as soon as it is there.
  press(id, tries) {
    const button = document.getElementById(id);
    if (button) button.click();
    else if (tries) setTimeout(() => this.press(id, tries - 1), 100);
  },
  // Where a link wants a view to begin; only for the first answer.
  look(view) {
    const linked = new URL(location).searchParams;
    if (this.looked || linked.get("run") !== "1" || !view.closest(`#${CSS.escape(linked.get("tab"))}-view`)) return {};
    this.looked = true;
    return { layer: linked.get("layer") ?? "", heads: (linked.get("heads") ?? "").split(",").filter(Boolean).map(Number) };
  },
  // Leave for the same page in another language; what the visitor has typed is put in there again.
  speak(language, keys) {
    const address = new URL(location);
    // A step of a lesson has its own text in each language.
    const lesson = address.searchParams.has("lesson");
    if (lesson) address.search = this.addressOf([["lang", language]]).search;
    for (const key of keys) address.searchParams.delete(key);
    address.searchParams.set("lang", language);
    location.assign(address);
  },
  // Put what is on the page into the address, and the address on the clipboard.
  async copyLink(tab, keys, values, runs, said) {
    const address = new URL(location), language = document.documentElement.lang;
    address.search = "";
    address.searchParams.set("tab", tab);
    keys.forEach((key, index) => address.searchParams.set(key, values[index] ?? ""));
    const look = document.querySelector(`#${tab}-view [data-layer]`)?.dataset ?? {};
    for (const key of ["layer", "heads"]) if (look[key]) address.searchParams.set(key, look[key]);
    address.searchParams.set("lang", language);
    if (runs) address.searchParams.set("run", "1");
    history.replaceState(null, "", address);
    const copied = await this.copy(address.href);
    this.tell(document.getElementById(`${tab}-link`), said[language][copied ? 0 : 1]);
  },
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Without https there is no clipboard; the older way needs a selected field.
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const copied = document.execCommand("copy");
      field.remove();
      return copied;
    }
  },
  // A few words beside what a button says, for a moment.
  tell(button, words) {
    button.querySelector(".told")?.remove();
    const told = document.createElement("span");
    told.className = "told";
    told.setAttribute("role", "status");
    told.textContent = words;
    button.append(told);
    setTimeout(() => told.remove(), 4000);
  },

  // An answer is on its way. One that is shown as it grows takes the old one's place at once.
  ask(group, values, compared, grows) {
    const asked = values.slice(0, compared);
    this.stopped.delete(group);
    this.asking[group] = JSON.stringify(asked);
    if (grows) this.answered(group, asked);
    return values;
  },
  // The answer is here: it is for the values that were asked, which may have changed meanwhile.
  answered(group, values, said) {
    this.asked[group] = this.asking[group];
    const slug = Object.keys(this.first).find((slug) => this.first[slug] === group);
    if (slug) this.remember(slug, { ...this.typed(slug), run: true });
    this.compare(group, values, said);
  },
  // Something was changed: an answer to something else must not look like the answer to this.
  compare(group, values, said) {
    if (!(group in this.asked)) return;
    this.show(group, this.asked[group] === JSON.stringify(values) ? "" : "stale", said);
  },
  // There is no answer: what an earlier question got must not stand in its place.
  // What Gradio says of it for some seconds stays there.
  failed(group) {
    if (this.stopped.has(group)) return; // what was written until then stays
    delete this.asked[group];
    const language = document.documentElement.lang;
    setTimeout(() => {
      const said = [...document.querySelectorAll("[data-testid=toast-text]")].pop()?.textContent;
      this.show(group, "failed", said && { [language]: said });
    }, 100);
  },
  show(group, state, said) {
    const shown = group.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
    for (const element of shown) {
      const empty = !element.textContent.trim() && !element.querySelector("canvas, img, svg, iframe");
      element.dataset.state = state === "stale" && empty ? "" : state;
      delete element.dataset.said;
    }
    const first = shown.find((element) => element.dataset.state);
    if (first && said) first.dataset.said = said[document.documentElement.lang];
  },
};
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-tab], a.skip, a.api");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const tabs = document.getElementById("tabs");
  if (!tabs) return; // one tab alone
  event.preventDefault();
  if (link.matches(".api")) return document.querySelector("footer .show-api")?.click();
  if (link.dataset.tab) return playground.go(link.dataset.tab);
  tabs.tabIndex = -1;
  tabs.focus({ preventScroll: true });
});
// The first page describes all endpoints where the address asks for that, the others would describe none.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("footer .show-api") || !document.querySelector("#contents a[data-tab]")) return;
  if (gradio_config.components.some(({ type }) => type === "api")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  location.assign(playground.addressOf([["view", "api"]]));
}, true);
// Where the browser has no drawers, the list of tabs stands above the page.
document.documentElement.classList.toggle("drawers", "popover" in HTMLElement.prototype);
// A part of the page that never comes must not hide the rest.
setTimeout(() => playground.reveal(), 60_000);
