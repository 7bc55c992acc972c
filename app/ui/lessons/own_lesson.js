// The form of a visitor's own lesson: every change goes to the server, which keeps the lesson for the visit.
(() => {
  let last = Promise.resolve();
  const form = () => document.getElementById("own-lesson");
  const say = (words) => { if (form()) form().querySelector(".own-said").textContent = words; };

  // Requests are sent one at a time, in the order of the changes.
  const send = (wish, then) => (last = last.then(async () => {
    const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish) };
    try {
      const answer = await fetch(`own-lesson?${new URLSearchParams({ lang: document.documentElement.lang, ...large() })}`, sent);
      then(await answer.json());
    } catch { say(form()?.dataset.unread); }
  }));
  const large = () => (document.documentElement.classList.contains("class-mode") ? { class: "1" } : {});

  // Replace the whole form; the focus stays where it was, or follows the step that was moved.
  const draw = (told, focus) => {
    form().outerHTML = told.form;
    say(told.said);
    (focus && form().querySelector(focus) || form().querySelector(".open input")).focus({ preventScroll: !focus });
  };
  const stepOf = (element) => {
    const step = element.closest("[data-step]");
    return step ? { step: Number(step.dataset.step) } : {};
  };
  const valueOf = (input) => (input.type === "checkbox" ? input.checked : input.type === "number" ? Math.trunc(Number(input.value)) : input.value);

  const open = async (input) => {
    const [file] = input.files, { most, large } = form().dataset;
    if (!file) return;
    if (file.size > Number(most)) return say(large);
    send({ open: await file.text() }, draw);
  };
  document.addEventListener("change", ({ target }) => {
    if (!target.closest?.("#own-lesson")) return;
    if (target.dataset.do === "open") open(target);
    else if (target.name) send({ edit: target.name, value: valueOf(target), ...stepOf(target) }, (told) => say(told.said));
  });
  const buttons = {
    up: ({ step }) => send({ move: step, by: -1 }, (told) => draw(told, `[data-step="${step - 1}"] button`)),
    down: ({ step }) => send({ move: step, by: 1 }, (told) => draw(told, `[data-step="${step + 1}"] button`)),
    remove: ({ step }) => send({ remove: step }, draw),
    forget: () => send({ forget: true }, draw),
  };
  document.addEventListener("click", (event) => {
    const clicked = event.target.closest?.("#own-lesson :is(a, button)");
    if (!clicked) return;
    if (clicked.dataset.do) return buttons[clicked.dataset.do]?.(stepOf(clicked));
    if (event.ctrlKey || event.metaKey || event.shiftKey || clicked.target) return;
    event.preventDefault(); // the latest edit is sent first
    last.then(() => location.assign(clicked.href));
  });

  playground.own = {
    saved: async () => { await last; return []; },
    // Keep a tab's content as a step.
    keep(slug, keys, values) {
      const button = document.getElementById(`${slug}-keep-step`);
      const fields = Object.fromEntries(keys.map((key, index) => [key, String(values[index] ?? "")]));
      const { layer } = document.querySelector(`#${slug}-view [data-layer]`)?.dataset ?? {};
      if (layer && slug === "word_sense") fields.layer = layer;
      send({ add: slug, fields }, (told) => playground.tell(button, told.said));
    },
  };
})();
