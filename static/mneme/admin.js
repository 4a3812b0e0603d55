// Copies what a button points at; the field stays selected where the browser refuses.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  const said = document.getElementById("copied");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    said.textContent = "Copied.";
  } catch {
    said.textContent = "Press Ctrl+C (⌘C on a Mac): the browser does not allow copying by a button here.";
  }
});
