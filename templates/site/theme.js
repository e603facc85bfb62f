"use strict";

// Runs before the page is shown, so that a chosen theme is there from the first moment on.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  // A browser may refuse storage, to pages in a file system for instance; then a choice holds for one page.
  const storage = (use) => {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  };

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const chosen = storage((store) => store.getItem("messagegen-theme"));
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      storage((store) => store.setItem("messagegen-theme", root.dataset.theme));
      show();
    });
    system.addEventListener("change", show);
    show();
    for (const element of document.querySelectorAll("[data-needs-script]")) element.hidden = false;
  });
})();
