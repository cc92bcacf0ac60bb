// A page whose parts update by themselves: <… data-live="name">. A part waits while the focus, the selection or the pointer is in
// it, so that nothing changes under anybody's hands. A hidden tab asks nothing.
(() => {
  "use strict";
  const EVERY = 30_000;
  let asking = false;

  async function ask() {
    if (document.hidden || asking) return;
    asking = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      // The session has ended: the page leads to the sign-in.
      if (answer.redirected) return location.reload();
      if (answer.ok) update(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // The network is away; the next round asks again.
    } finally {
      asking = false;
    }
  }

  function isInUse(part) {
    const selection = getSelection();
    return part.contains(document.activeElement) || part.matches(":hover")
      || (!selection.isCollapsed && selection.containsNode(part, true));
  }

  function update(fresh) {
    // What is in use stays where it is on the screen, also when something above it grows.
    const held = document.activeElement === document.body ? null : document.activeElement;
    const before = held?.getBoundingClientRect().top;
    for (const part of document.querySelectorAll("[data-live]")) {
      const newer = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
      if (!newer || isInUse(part) || part.isEqualNode(newer)) continue;
      const open = [...part.querySelectorAll("details")].map((details) => details.open);
      part.replaceWith(document.adoptNode(newer));
      for (const [number, details] of newer.querySelectorAll("details").entries()) details.open = open[number] ?? false;
    }
    if (held) scrollBy(0, held.getBoundingClientRect().top - before);
    document.dispatchEvent(new Event("portal:updated"));
  }

  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
})();
