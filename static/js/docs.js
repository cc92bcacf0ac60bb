// The documentation's extras: samples in tabs, a search that answers at once. Every page reads without them.
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

  // What is typed is searched at once; what was typed last wins, however late the answers come.
  const instant = document.querySelector("[data-found]") ?? document.querySelector("[data-instant]");
  const article = instant?.hasAttribute("data-instant") ? instant.nextElementSibling : null;
  let asked = 0;

  async function find(form) {
    const query = form.elements.q.value.trim();
    const turn = ++asked;
    if (!query && article) { show(null); return; }
    const answer = await fetch(`${form.dataset.search}?${new URLSearchParams({ q: query })}`);
    if (!answer.ok) return;
    const found = await answer.json();
    if (turn === asked) show(found);
  }

  // `found` is null where nothing is asked: the page itself is shown again.
  function show(found) {
    instant.replaceChildren(...(found ? [element("p", "muted", found.said), listOf(found.pages)] : []));
    instant.firstElementChild?.setAttribute("role", "status");
    if (article) {
      instant.hidden = !found;
      article.hidden = Boolean(found);
    }
  }

  function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function listOf(pages) {
    const list = element("ul", "found", "");
    for (const page of pages) {
      const item = document.createElement("li");
      const link = element("a", "", page.title);
      link.href = page.path;
      item.append(link, " ", element("span", "muted small", page.group), element("p", "", page.excerpt));
      list.append(item);
    }
    return list;
  }

  for (const form of document.querySelectorAll("form[data-search]")) {
    let waiting;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => find(form), 120);
    });
  }
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    const field = document.querySelector("#search-side");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && field?.offsetParent) {
      event.preventDefault();
      field.focus();
    }
  });

  for (const group of document.querySelectorAll("[data-tabs]")) tabsFor(group);
  choose(remembered());
})();
