// Rows that one ticks: a box that ticks all, and how many are ticked. The form works without it.
(() => {
  "use strict";
  for (const form of document.querySelectorAll("form[data-ticks]")) {
    const all = form.querySelector("[data-tick-all]");
    const boxes = [...form.querySelectorAll("tbody input[type=checkbox]")];
    const said = form.querySelector("[data-ticked]");
    const button = said.closest("button");
    function count() {
      const ticked = boxes.filter((box) => box.checked).length;
      all.checked = ticked === boxes.length;
      all.indeterminate = ticked > 0 && ticked < boxes.length;
      said.textContent = ticked ? ` (${ticked})` : "";
      button.disabled = ticked === 0;
    }
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of boxes) box.checked = all.checked;
      count();
    });
    form.addEventListener("change", count);
    count();
  }
})();
