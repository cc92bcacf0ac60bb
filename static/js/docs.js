// The documentation's extras: samples in tabs. Every page reads without them.
(() => {
  "use strict";

  const CHOSEN = "docs-language";
  let serial = 0;

  function remembered() {
    try { return localStorage.getItem(CHOSEN); } catch { return null; }
  }

  function remember(language) {
    try { localStorage.setItem(CHOSEN, language); } catch { /* a browser that keeps nothing forgets the choice */ }
  }

  // Each group of samples becomes tabs; one choice holds for all groups of the page, and for the next page.
  function choose(language) {
    for (const group of document.querySelectorAll("[data-tabs]")) {
      const tabs = [...group.querySelectorAll("[role=tab]")];
      const wished = tabs.find((tab) => tab.dataset.language === language) ?? tabs[0];
      for (const tab of tabs) {
        const chosen = tab === wished;
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
      }
    }
  }

  function move(event, list) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...list.children];
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    remember(next.dataset.language);
    choose(next.dataset.language);
    next.focus();
    event.preventDefault();
  }

  function tabsFor(group) {
    const list = document.createElement("div");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Language");
    list.className = "sample-tabs";
    for (const sample of group.querySelectorAll("[data-tab]")) {
      const tab = document.createElement("button");
      const language = sample.dataset.tab;
      sample.id ||= `sample-${serial}`;
      tab.id = `tab-${serial++}`;
      tab.type = "button";
      tab.textContent = language;
      tab.dataset.language = language;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", sample.id);
      sample.setAttribute("role", "tabpanel");
      sample.setAttribute("aria-labelledby", tab.id);
      tab.addEventListener("click", () => { remember(language); choose(language); });
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => move(event, list));
    group.prepend(list);
  }

  // Until 1.2 the form was the reference itself, and its addresses were kept.
  if (location.pathname.endsWith("/docs/reference") && location.hash.startsWith("#/")) {
    location.replace(`/docs/reference/try${location.hash}`);
  }

  for (const group of document.querySelectorAll("[data-tabs]")) tabsFor(group);
  choose(remembered());
})();
