// Shared by all pages of the playground: fields that survive the way from tab to tab, links, outdated answers.
window.playground = {
  begun: {}, // slug -> initial values of its fields that no link has set
  first: {}, // slug -> the group with its answer
  asked: {}, // group -> values of the shown answer
  asking: {}, // group -> values of the awaited answer, or of the last one
  awaited: new Set(), // groups whose answer is on its way
  stopped: new Set(), // groups whose answer the visitor has stopped
  replaced: new Set(), // those of them that were asked again
  toPress: "", // the button that requests the answer to the fields
  brought: "", // what the page came with: its fields, or its answer as well
  looked: false, // whether a view has used the link's layer
  ready: false, // whether the page has been filled
  models: ["model", "other"], // the keys of models in an address
  kept: ["lang", "class", "lesson", "step", "short", "notes"], // parts of an address kept from tab to tab

  // Before anything is drawn: add the values that the page came with to Gradio's description of it, by component id.
  bring(brought, filled) {
    this.brought = brought;
    for (const { id, props } of gradio_config.components) Object.assign(props, filled[id]);
    const rooms = gradio_config.components.filter(({ type, props }) => type === "plot" && props.value).map(({ props }) => {
      const { height = 450 } = JSON.parse(props.value.plot).layout;
      return `#${props.elem_id}:not(:has(.downloads)) { min-height: ${height + 76}px; }`;
    });
    const style = document.createElement("style"); // plotly is loaded after the page
    style.textContent = rooms.join("\n");
    document.head.append(style);
  },
  // Everything is mounted: show it at once instead of piece by piece, or a little later if the server must still fill
  // it.
  opened() {
    setTimeout(() => this.reveal(), this.brought ? 0 : 5_000);
    return [this.brought];
  },
  reveal() {
    document.documentElement.classList.add("mounted");
  },
  // Go to another tab, with the parts of the address that belong to all tabs.
  go(tab) {
    location.assign(this.addressOf([["tab", tab]]));
  },
  // The page's address with only these pairs and the kept parts.
  addressOf(pairs) {
    const address = new URL(location), named = pairs.map(([key]) => key);
    const kept = [...address.searchParams].filter(([key]) => this.kept.includes(key) && !named.includes(key));
    address.search = new URLSearchParams([...pairs, ...kept]);
    return address;
  },
  // What the visitor typed into a tab's fields, by key, and whether it was submitted; kept by this browser tab.
  typed(slug) {
    try {
      return JSON.parse(sessionStorage.getItem(`typed ${slug}`)) ?? { fields: {}, run: false };
    } catch {
      return { fields: {}, run: false }; // the browser stores nothing
    }
  },
  remember(slug, typed) {
    try {
      sessionStorage.setItem(`typed ${slug}`, JSON.stringify(typed));
    } catch {} // too long, or the browser stores nothing: the tab starts afresh
  },
  // Something was typed. Unchanged fields are not kept, because the page brings their values in each language.
  keep(slug, keys, values) {
    const begun = this.begun[slug];
    if (!begun) return;
    const changed = keys.filter((key, at) => JSON.stringify(values[at]) !== begun[at]);
    // A text keeps its models, because another language's initial models may not know its words.
    const text = changed.some((key) => !this.models.includes(key) && typeof values[keys.indexOf(key)] === "string" && !key.startsWith("setting "));
    const own = keys.map((key, index) => [key, values[index]]).filter(([key]) => changed.includes(key) || (text && this.models.includes(key)));
    this.remember(slug, { ...this.typed(slug), fields: Object.fromEntries(own) });
  },
  // Carry a text to another tab, which opens with it and answers.
  take(slug, fields, run = true) {
    this.remember(slug, { fields: { ...this.typed(slug).fields, ...fields }, run });
    this.go(slug);
  },
  // A tab has its initial values, perhaps with their answer. What was typed here before goes into the fields unless a
  // link sets them; a link with `run`, or an earlier submission, requests the answer.
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
  // The fields now have their values.
  begin() {
    this.ready = true;
    this.reveal();
    for (const list of document.querySelectorAll(".block.long-list")) this.shorten(list);
    if (this.toPress) this.press(this.toPress, 100);
    if (this.describes()) this.describe();
    // Report the parts of a link that cannot be followed; most addresses only name their tab.
    const here = document.querySelector("#contents a[data-tab][aria-current]")?.dataset.tab;
    const linked = [...new URL(location).searchParams].filter(([key, value]) => key !== "tab" || (here && value !== here));
    if (linked.some(([key]) => !this.kept.includes(key))) this.press("link-told", 100);
  },
  // The style sheet shows only the beginning of a long list; this button shows the rest.
  shorten(list) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "rest", textContent: document.documentElement.dataset.rest });
    button.onclick = () => {
      list.classList.add("whole");
      list.querySelector("li:nth-child(9) button")?.focus();
      button.remove();
    };
    list.append(button);
  },
  // Whether the address asks for the page about the endpoints.
  describes() {
    return new URLSearchParams(location.search).get("view") === "api";
  },
  // Gradio then believes its description is open and does not fetch it, so it is closed and opened.
  describe() {
    const button = document.querySelector("footer .show-api");
    button?.click();
    button?.click();
  },
  // Press a button as soon as it exists.
  press(id, tries) {
    const button = document.getElementById(id);
    if (button) button.click();
    else if (tries) setTimeout(() => this.press(id, tries - 1), 100);
  },
  // Press a button once it comes into view, unless its answer is there: further down a page nobody waits for answers.
  pressSeen(id, place) {
    const button = document.getElementById(id);
    if (!button) return void setTimeout(() => this.pressSeen(id, place), 200);
    new IntersectionObserver((seen, observer) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      if (!document.getElementById(place)?.textContent.trim()) this.press(id, 1);
    }).observe(button);
  },
  // Press a button when nothing of a group is on its way any more: Gradio drops what is asked before a stop is through.
  pressNext(id, group, tries = 100) {
    if (this.awaited.has(group) && tries) setTimeout(() => this.pressNext(id, group, tries - 1), 100);
    else this.press(id, 1);
  },
  // Where a link wants a view to begin; only for the first answer.
  look(view) {
    const linked = new URL(location).searchParams;
    if (this.looked || linked.get("run") !== "1" || !view.closest(`#${CSS.escape(linked.get("tab"))}-view`)) return {};
    this.looked = true;
    return { layer: linked.get("layer") ?? "", heads: (linked.get("heads") ?? "").split(",").filter(Boolean).map(Number) };
  },
  // Go to the same page in another language, where what the visitor typed is filled in again.
  speak(language, keys) {
    const address = new URL(location);
    // A step of a lesson has its own text in each language.
    const lesson = address.searchParams.has("lesson");
    if (lesson) address.search = this.addressOf([["lang", language]]).search;
    for (const key of keys) address.searchParams.delete(key);
    address.searchParams.set("lang", language);
    location.assign(address);
  },
  // Put the page's fields into the address, and the address on the clipboard.
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
      // Without https there is no clipboard; the old way needs a selected field.
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const copied = document.execCommand("copy");
      field.remove();
      return copied;
    }
  },
  // Show a few words beside a button's label for a moment.
  tell(button, words) {
    button.querySelector(".told")?.remove();
    const told = document.createElement("span");
    told.className = "told";
    told.setAttribute("role", "status");
    told.textContent = words;
    button.append(told);
    setTimeout(() => told.remove(), 4000);
  },

  // An answer is on its way. If it is shown while it grows, it replaces the old one at once.
  ask(group, values, compared, grows) {
    const asked = values.slice(0, compared);
    if (this.stopped.delete(group)) this.replaced.add(group);
    this.asking[group] = JSON.stringify(asked);
    this.awaited.add(group);
    this.compare(group, asked);
    if (grows) this.answered(group, asked);
    this.awaited.add(group);
    return values;
  },
  // The answer has arrived, for values that may have changed meanwhile.
  answered(group, values, said) {
    this.awaited.delete(group);
    this.asked[group] = this.asking[group];
    const slug = Object.keys(this.first).find((slug) => this.first[slug] === group);
    if (slug) this.remember(slug, { ...this.typed(slug), run: true });
    this.compare(group, values, said);
  },
  // Something changed: the answer to something else must not look like the answer to this. Nobody is told to ask again
  // for what is already on its way.
  compare(group, values, said) {
    if (!(group in this.asked)) return;
    const now = JSON.stringify(values), coming = this.awaited.has(group) && (this.asking[group] === now || this.stopped.has(group));
    this.show(group, this.asked[group] === now ? "" : "stale", coming ? "" : said);
  },
  // There is no answer: an earlier question's answer must not stay in its place. Gradio's message, which it shows for
  // some seconds, is kept there.
  failed(group) {
    if (this.stopped.has(group)) return void this.awaited.delete(group); // the text written so far stays
    const language = document.documentElement.lang;
    setTimeout(() => {
      const said = [...document.querySelectorAll("[data-testid=toast-text]")].pop()?.textContent;
      if (!said && this.replaced.has(group)) return; // Gradio tells twice of a stop, the second time of the new question
      this.awaited.delete(group);
      delete this.asked[group];
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
  if (!tabs) return; // a tab on its own
  event.preventDefault();
  if (link.matches(".api")) return document.querySelector("footer .show-api")?.click();
  if (link.dataset.tab) return playground.go(link.dataset.tab);
  tabs.tabIndex = -1;
  tabs.focus({ preventScroll: true });
});
// Only the first page can describe all endpoints, so the request goes there.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("footer .show-api") || !document.querySelector("#contents a[data-tab]")) return;
  if (gradio_config.components.some(({ type }) => type === "api")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  location.assign(playground.addressOf([["view", "api"]]));
}, true);
// In browsers without popovers, the list of tabs is above the page.
document.documentElement.classList.toggle("drawers", "popover" in HTMLElement.prototype);
// A missing part of the page must not hide the rest.
setTimeout(() => playground.reveal(), 60_000);
