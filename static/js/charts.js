// Values of a chart on hover, and by the arrow keys once the chart has the focus: it is then read as a slider over its points.
(() => {
  "use strict";
  function upgrade(plot) {
    const bands = [...plot.querySelectorAll(".band")];
    if (!bands.length || plot.dataset.plot === "upgraded") return;
    plot.dataset.plot = "upgraded";
    const linked = plot.getAttribute("role") === "group"; // its table has the links for the keyboard
    for (const title of plot.querySelectorAll(".band title")) title.remove(); // ours is shown at once
    let at = bands.length - 1;
    if (!linked) {
      plot.tabIndex = 0;
      plot.setAttribute("role", "slider");
      plot.setAttribute("aria-valuemin", 1);
      plot.setAttribute("aria-valuemax", bands.length);
      tell();
    }

    function tell() {
      if (linked) return;
      plot.setAttribute("aria-valuenow", at + 1);
      plot.setAttribute("aria-valuetext", bands[at].dataset.tip.replaceAll("\n", ", "));
    }
    function point(number) {
      bands[at].classList.remove("pointed");
      at = Math.max(0, Math.min(number, bands.length - 1));
      bands[at].classList.add("pointed");
      window.tips.show(bands[at].dataset.tip, bands[at].querySelector("line"));
      tell();
    }
    function leave() {
      bands[at].classList.remove("pointed");
      window.tips.hide();
    }
    plot.addEventListener("pointermove", ({ target }) => {
      const band = target.closest(".band");
      if (band) point(bands.indexOf(band));
    });
    plot.addEventListener("pointerleave", leave);
    plot.addEventListener("focus", () => { if (plot.matches(":focus-visible")) point(at); });
    plot.addEventListener("blur", leave);
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: bands.length - 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      point(step);
    });
  }
  const all = () => { for (const plot of document.querySelectorAll("[data-plot]")) upgrade(plot); };
  all();
  document.addEventListener("portal:updated", all);
})();
