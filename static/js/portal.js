// Extras of a page with scripts: copy buttons, countdowns, menus. Every page works without them.
(() => {
  "use strict";
  document.documentElement.classList.add("script");

  // The next page is written in the zone of this browser, unless its reader has chosen one.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (zone) document.cookie = `browser_zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;

  // <button data-copy="#id"> copies the text of that element, data-copy-block that of the code before it; data-copy-text is
  // the text itself. A click on an id does what its button does, unless it is a link or a part of it was selected.
  document.addEventListener("click", async (event) => {
    const id = !event.target.closest("a") && getSelection().isCollapsed && event.target.closest(".copyable > .mono");
    const button = id ? id.nextElementSibling : event.target.closest("[data-copy], [data-copy-block], [data-copy-text]");
    if (!button) return;
    const source = "copyBlock" in button.dataset
      ? button.previousElementSibling
      : button.dataset.copy && document.querySelector(button.dataset.copy);
    const text = source ? source.value ?? source.textContent : button.dataset.copyText;
    try {
      await navigator.clipboard.writeText(text.trim());
      say(button, "Copied");
    } catch {
      if (source) getSelection().selectAllChildren(source);
      say(button, "Press Ctrl+C");
    }
  });

  function say(button, word) {
    const label = button.querySelector("[data-label-text]") ?? button;
    const before = label.textContent;
    if (before === word) return;
    label.textContent = word;
    button.classList.add("said");
    setTimeout(() => { label.textContent = before; button.classList.remove("said"); }, 1800);
  }

  // <time data-countdown datetime="…"> shows the time left.
  const UNITS = [[86400, " days"], [3600, " h"], [60, " min"]];
  function span(seconds) {
    for (const [size, unit] of UNITS) {
      if (seconds >= size) {
        const count = Math.floor(seconds / size);
        return count + (count === 1 && size === 86400 ? " day" : unit);
      }
    }
    return `${seconds} s`;
  }
  function tick() {
    for (const time of document.querySelectorAll("time[data-countdown]")) {
      const left = Math.ceil((Date.parse(time.dateTime) - Date.now()) / 1000);
      time.textContent = left > 0 ? `in ${span(left)}` : "now";
    }
  }
  setInterval(tick, 1000);

  // A hidden tab asks nothing: what reloads itself goes on when it is looked at again.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const repeats = event.detail.elt.getAttribute("hx-trigger")?.startsWith("every");
    if (document.hidden && repeats) event.preventDefault();
  });

  // When a part that reloads itself is redirected, for example to the sign-in, the whole page is loaded again.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { requestPath, responsePath } = event.detail.pathInfo;
    if (responsePath && responsePath.split("?")[0] !== requestPath.split("?")[0]) {
      event.detail.shouldSwap = false;
      location.reload();
    }
  });

  // The field of a filter has the focus as it opens.
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".chip")) target.querySelector("input:not([type=hidden])")?.focus();
  }, true);

  // A preset of scopes ticks its boxes; without scripts its link loads the form with them.
  const presets = [...document.querySelectorAll("a[data-scopes]")];
  const boxes = [...document.querySelectorAll(".scopes input[name=scopes]")];
  function markPreset() {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value).join(" ");
    for (const preset of presets) {
      if (preset.dataset.scopes === chosen) preset.setAttribute("aria-current", "true");
      else preset.removeAttribute("aria-current");
    }
  }
  for (const preset of presets) {
    preset.addEventListener("click", (event) => {
      event.preventDefault();
      const chosen = preset.dataset.scopes.split(" ");
      for (const box of boxes) box.checked = chosen.includes(box.value);
      markPreset();
    });
  }
  for (const box of boxes) box.addEventListener("change", markPreset);

  // An open menu closes on a click outside it, and on Escape.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.dropdown[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.dropdown[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
