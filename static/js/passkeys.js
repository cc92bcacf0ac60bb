// Passkeys: <form data-passkey="create"> makes one and "get" uses one. The options are in data-options, or at the address in data-options-at.
(() => {
  "use strict";
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname); // no browser has passkeys for an IP address
  const possible = Boolean(window.PublicKeyCredential) && !isAddress;

  async function optionsOf(form) {
    if (form.dataset.options) return JSON.parse(form.dataset.options);
    const answer = await fetch(form.dataset.optionsAt);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.json();
  }

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    const error = form.querySelector("[data-passkey-error]");
    if (possible) form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      error.hidden = true;
      try {
        const options = await optionsOf(form);
        const credential = await window.webauthnJSON[form.dataset.passkey](options);
        form.elements.credential.value = JSON.stringify(credential);
        form.submit();
      } catch {
        error.textContent = possible ? "No passkey was used. Try again, or use another way." : "This browser has no passkeys here.";
        error.hidden = false;
      }
    });
    const button = form.querySelector("[data-passkey-button]"); // a click before this script would send no passkey
    if (button) button.disabled = false;
  }
})();
