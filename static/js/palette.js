// The search of the portal: `/` leads to the field in the side, Ctrl-K (or ⌘K) opens the palette of pages and actions.
// Without scripts the field in the side is a plain form, and the page of the search lists the same choices.
(() => {
  "use strict";
  const palette = document.getElementById("palette");
  if (!palette?.showModal) return;
  const field = palette.querySelector("input");
  const place = palette.querySelector("[data-choices]");
  const none = palette.querySelector("[data-none]");

  const isTyping = (target) => target.closest("input, select, textarea, [contenteditable]") !== null;
  const links = () => [...palette.querySelectorAll("li:not([hidden]) a")];

  function open() {
    if (palette.open) return;
    palette.showModal();
    field.select();
    if (!place.hasChildNodes()) offer();
  }

  async function offer() {
    const answer = await fetch(place.dataset.choices);
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(page.getElementById("choices"));
    narrow();
  }

  function narrow() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const choice of palette.querySelectorAll("li")) {
      const label = choice.textContent.toLowerCase();
      choice.hidden = !words.every((word) => label.includes(word));
    }
    const shown = links();
    for (const link of palette.querySelectorAll("li a")) link.classList.toggle("first", words.length > 0 && link === shown[0]);
    none.hidden = shown.length > 0;
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    } else if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !palette.open && !isTyping(event.target)) {
      event.preventDefault();
      const seen = [...document.querySelectorAll(".find input")].find((input) => input.checkVisibility());
      if (seen) seen.select();
      else open();
    }
  });

  field.addEventListener("input", narrow);
  palette.querySelector("form").addEventListener("submit", (event) => {
    const [first] = links();
    if (!field.value.trim() || first) event.preventDefault();
    if (field.value.trim() && first) first.click();
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
