// The search of the portal: `/`, Ctrl-K (or ⌘K) and a click on the field in the side open the palette, which shows the list of the
// page of the search as it is typed. Enter opens the first. Without scripts the field in the side is a plain form.
(() => {
  "use strict";
  const palette = document.getElementById("palette");
  if (!palette?.showModal) return;
  const form = palette.querySelector("form");
  const field = form.elements.q;
  const place = palette.querySelector("[data-results]");
  const count = palette.querySelector("[data-count]");
  const PAUSE = 120; // milliseconds without a key, after which is asked
  let shown = null; // the text whose results are shown
  let timer = 0;
  let asking = new AbortController();

  const isTyping = (target) => target.closest("input, select, textarea, [contenteditable]") !== null;
  const links = () => [...place.querySelectorAll("a")];
  const best = () => place.querySelector("section a");

  function open(text) {
    if (palette.open) return;
    if (text) field.value = text;
    palette.showModal();
    field.select();
    if (shown !== field.value.trim()) ask();
  }

  async function ask() {
    const text = field.value.trim();
    asking.abort();
    asking = new AbortController();
    try {
      const answer = await fetch(`${form.action}?${new URLSearchParams({ q: text, list: 1 })}`, { signal: asking.signal });
      if (!answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const results = page.getElementById("results");
      for (const each of results.querySelectorAll("[id]")) each.id = `palette-${each.id}`;
      for (const each of results.querySelectorAll("[aria-labelledby]")) each.setAttribute("aria-labelledby", `palette-${each.getAttribute("aria-labelledby")}`);
      results.removeAttribute("id");
      if (text !== field.value.trim()) return;
      place.replaceChildren(results);
      shown = text;
      const found = place.querySelectorAll("section a").length;
      count.textContent = found === 1 ? "1 result" : `${found} results`;
      if (text) best()?.classList.add("first");
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  document.addEventListener("keydown", (event) => {
    const isCtrlK = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
    if (!isCtrlK && !isSlash) return;
    event.preventDefault();
    open();
  });
  for (const input of document.querySelectorAll(".find input")) {
    input.addEventListener("click", () => open(input.value));
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  // Where the results are not there yet, the server leads to the first of them.
  form.addEventListener("submit", (event) => {
    const first = best();
    if (!field.value.trim()) event.preventDefault();
    else if (shown === field.value.trim() && first) {
      event.preventDefault();
      first.click();
    }
  });
  palette.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [field, ...links()];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  // A click beside the dialog, on its backdrop, closes it.
  palette.addEventListener("click", (event) => {
    if (event.target === palette) palette.close();
  });
})();
