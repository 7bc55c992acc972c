// A step of a lesson: its bar comes from the server, the answers stay hidden until they are revealed.
(() => {
  const asked = new URL(location).searchParams, page = document.documentElement;
  if (!asked.has("lesson")) return;
  page.classList.add("in-lesson", "unrevealed");

  const reveal = () => {
    page.classList.remove("unrevealed");
    const first = [...document.querySelectorAll(".to-reveal")].find((one) => one.offsetHeight && one.innerText.trim());
    if (first && first.getBoundingClientRect().top > innerHeight * 0.7) first.scrollIntoView({ block: "start" });
  };
  const fullScreen = () => (document.fullscreenElement ? document.exitFullscreen() : page.requestFullscreen());
  const go = (rel) => document.querySelector(`#lesson a[rel=${rel}]`)?.click();
  const keys = { r: reveal, f: fullScreen, ArrowRight: () => go("next"), ArrowLeft: () => go("prev") };
  // Whoever writes, or moves something that has arrow keys of its own, means that.
  const taken = "input, textarea, select, canvas, audio, video, [contenteditable], [role=slider], [role=listbox], [role=tab]";

  async function draw() {
    const wanted = new URLSearchParams({ lang: page.lang });
    for (const key of ["lesson", "step", "class", "short", "notes"]) if (asked.has(key)) wanted.set(key, asked.get(key));
    const answer = await fetch(`lesson?${wanted}`);
    const bar = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lesson");
    if (!bar.dataset.here) reveal(); // there is no such step
    // A link that names the step alone, or another language, is completed.
    else if (!asked.has("tab")) return location.replace(bar.dataset.here);
    document.body.prepend(bar);
    bar.querySelector(".reveal")?.addEventListener("click", () => {
      reveal();
      bar.querySelector("a[rel=next], .full").focus(); // the button is gone
    });
    bar.querySelector(".full")?.addEventListener("click", fullScreen);
  }
  // Gradio puts this into the page when the document is already there.
  const begin = () => draw().catch(reveal); // without a bar nobody could
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(taken) || !keys[key]) return;
    event.preventDefault();
    keys[key]();
  });
})();
