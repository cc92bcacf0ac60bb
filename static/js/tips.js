// Says on focus what a tooltip says on hover: a time in full where the time, its link or its row has the focus. Escape hides it.
(() => {
  "use strict";
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true"); // a screen reader reads the title
  document.body.append(tip);

  function show(text, beside) {
    tip.textContent = text;
    tip.hidden = false;
    const at = beside.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, innerWidth - own.width - 8));
    const above = at.top - own.height - 6;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 8 ? above : at.bottom + 6}px`;
  }
  const hide = () => { tip.hidden = true; };
  window.tips = { show, hide };

  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(":focus-visible")) return;
    const time = target.matches("time[title]") ? target : (target.closest("tr") ?? target).querySelector("time[title]");
    if (time) show(time.title, time);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, { passive: true, capture: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  // A time that is told by no link, button or row can be reached itself.
  const CAN = "a[href], button, summary, input";
  function reach(part) {
    for (const time of part.querySelectorAll("main time[title]:not([tabindex])")) {
      const holder = time.closest("tr") ?? time;
      if (!time.closest(CAN) && !holder.querySelector(CAN)) time.tabIndex = 0;
    }
  }
  reach(document);
  for (const event of ["htmx:load", "portal:updated"]) document.addEventListener(event, () => reach(document));
})();
