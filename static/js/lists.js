// A live list says "3 new" and changes nothing by itself: focus, selection and position stay. A hidden tab asks nothing.
(() => {
  "use strict";
  const EVERY = 10_000;
  const MOST = 99;

  for (const part of document.querySelectorAll("[data-newer]")) {
    const link = part.querySelector("a");
    let asking = false;
    async function ask() {
      if (document.hidden || asking) return;
      asking = true;
      try {
        const answer = await fetch(part.dataset.newer, { headers: { Accept: "application/json" } });
        // The session has ended: the page leads to the sign-in.
        if (answer.redirected) return location.reload();
        if (answer.ok) tell((await answer.json()).newer);
      } catch {
        // The network is away; the next round asks again.
      } finally {
        asking = false;
      }
    }
    function tell(newer) {
      const text = newer > MOST ? `${MOST}+ new` : `${newer} new`;
      if (link.textContent !== text) link.textContent = text;
      link.hidden = newer === 0;
    }
    setInterval(ask, EVERY);
    document.addEventListener("visibilitychange", ask);
  }

  // The arrows lead from row to row, once one is reached.
  document.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches(".rows .row-link")) return;
    const links = [...event.target.closest(".rows").querySelectorAll(".row-link")];
    const next = links[links.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // "3 min ago" grows older. It is counted from when it was shown, because a sandbox may have another clock than this machine.
  const UNITS = [[86_400, "day"], [3_600, "h"], [60, "min"], [1, "s"]];
  const begun = Date.now();
  setInterval(() => {
    if (document.hidden) return;
    for (const time of document.querySelectorAll("time[data-age]")) {
      const age = Number(time.dataset.age) + Math.floor((Date.now() - begun) / 1000);
      const [size, unit] = UNITS.find(([seconds]) => age >= seconds) ?? [1, "s"];
      const count = Math.floor(age / size);
      const text = `${count} ${unit === "day" && count !== 1 ? "days" : unit} ago`;
      if (time.textContent !== text) time.textContent = text;
    }
  }, EVERY);
})();
