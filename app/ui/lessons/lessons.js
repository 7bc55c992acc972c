// A step of a lesson: the server sends its bar; the answers stay hidden until they are revealed.
(() => {
  const asked = new URL(location).searchParams, page = document.documentElement;
  if (!asked.has("lesson")) return;
  page.classList.add("in-lesson", "unrevealed");

  const reveal = () => {
    page.classList.remove("unrevealed");
    const bar = document.getElementById("lesson");
    if (bar && room.get()) room.tell(bar, { show: true });
    const first = [...document.querySelectorAll(".to-reveal")].find((one) => one.offsetHeight && one.innerText.trim());
    if (first && first.getBoundingClientRect().top > innerHeight * 0.7) first.scrollIntoView({ block: "start" });
  };
  const fullScreen = () => (document.fullscreenElement ? document.exitFullscreen() : page.requestFullscreen());
  const go = (rel) => document.querySelector(`#lesson a[rel=${rel}]`)?.click();
  const keys = { r: reveal, f: fullScreen, ArrowRight: () => go("next"), ArrowLeft: () => go("prev") };
  // In these elements, the keys belong to whoever types or moves something with the arrows.
  const taken = "input, textarea, select, canvas, audio, video, [contenteditable], [role=slider], [role=listbox], [role=tab]";

  // The class answers on its phones: the browser tab takes the room's code and key from step to step.
  const room = {
    get: () => JSON.parse(sessionStorage.getItem("class-room") ?? "null"),
    set: (told) => (told ? sessionStorage.setItem("class-room", JSON.stringify(told)) : sessionStorage.removeItem("class-room")),
    body: (more) => JSON.stringify({ ...room.get(), lesson: asked.get("lesson"), step: asked.get("step") ?? "1", at: new URL(".", location).href, ...more }),
    address: () => `class?lang=${page.lang}`,
    async tell(bar, more) {
      const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: room.body(more) };
      const answer = await fetch(room.address(), sent);
      const told = await answer.json();
      const old = document.getElementById("class-room");
      if (!told.code) {
        room.set(null);
        old?.remove();
        bar.querySelector(".ask").hidden = false;
        if (told.said) bar.querySelector(".class-said").textContent = told.said;
        return;
      }
      room.set({ code: told.code, key: told.key });
      bar.querySelector(".ask").hidden = true;
      bar.querySelector(".class-said").textContent = "";
      if (!old) {
        bar.insertAdjacentHTML("beforeend", told.panel);
        bar.querySelector(".close-room").addEventListener("click", () => room.tell(bar, { close: true }));
      }
      const panel = document.getElementById("class-room");
      if (panel.querySelector(".count").textContent !== told.count) panel.querySelector(".count").textContent = told.count;
      panel.querySelector(".words").innerHTML = told.words;
    },
    async watch(bar) {
      if (room.get() && !document.hidden) await room.tell(bar, {}).catch(() => {}); // the next round asks again
      setTimeout(() => room.watch(bar), 1500);
    },
    leave() {
      if (room.get()) navigator.sendBeacon(room.address(), new Blob([room.body({ close: true })], { type: "application/json" }));
      room.set(null);
    },
  };

  // The teacher's window with the notes follows the window that the class sees, step by step.
  const together = () => {
    const steps = new BroadcastChannel(`lesson ${asked.get("lesson")}`), step = asked.get("step");
    if (asked.get("notes") !== "1") return steps.postMessage(step);
    steps.onmessage = ({ data }) => {
      if (data === step) return;
      const wanted = new URLSearchParams({ lesson: asked.get("lesson"), step: data, notes: "1", lang: page.lang });
      for (const key of ["class", "short"]) if (asked.has(key)) wanted.set(key, asked.get(key));
      location.replace(`${location.pathname}?${wanted}`);
    };
  };

  async function draw() {
    const wanted = new URLSearchParams({ lang: page.lang });
    for (const key of ["lesson", "step", "class", "short", "notes"]) if (asked.has(key)) wanted.set(key, asked.get(key));
    const answer = await fetch(`lesson?${wanted}`);
    const bar = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lesson");
    if (!bar.dataset.here) reveal(); // there is no such step
    // A link that names only the step, as after a change of language, is completed.
    else if (!asked.has("tab")) return location.replace(bar.dataset.here);
    document.body.prepend(bar);
    bar.querySelector(".reveal")?.addEventListener("click", () => {
      reveal();
      bar.querySelector("a[rel=next], .full").focus(); // the focused button is gone
    });
    bar.querySelector(".full")?.addEventListener("click", fullScreen);
    if (bar.dataset.here) together();
    if (!bar.dataset.here || asked.get("notes") === "1") return bar.querySelector(".ask")?.remove();
    bar.querySelector(".ask").addEventListener("click", () => room.tell(bar, {}));
    bar.querySelector(".where a").addEventListener("click", room.leave);
    room.watch(bar);
  }
  // Gradio may insert this script after the document has loaded.
  const begin = () => draw().catch(reveal); // without a bar, nobody could reveal
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(taken) || !keys[key]) return;
    event.preventDefault();
    keys[key]();
  });
})();
