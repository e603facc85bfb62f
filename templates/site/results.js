"use strict";

// The field for searching, with its list of results: arrow keys choose, Enter opens, Escape closes.
(() => {
  const input = document.getElementById("search");
  const list = document.getElementById("results");
  const found = document.getElementById("found");
  let chosen = 0;

  const select = (index) => {
    const options = list.querySelectorAll("[role=option]");
    chosen = (index + options.length) % (options.length || 1);
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    options[chosen]?.scrollIntoView({ block: "nearest" });
    if (options.length) input.setAttribute("aria-activedescendant", options[chosen].id);
  };

  const option = ({ title, detail, page }, index) => {
    const item = Object.assign(document.createElement("li"), { id: `result-${index}` });
    item.setAttribute("role", "option");
    const link = Object.assign(document.createElement("a"), { href: document.body.dataset.root + page, tabIndex: -1 });
    const code = Object.assign(document.createElement("code"), { textContent: title });
    link.append(code, Object.assign(document.createElement("small"), { textContent: detail }));
    item.append(link);
    return item;
  };

  const open = (shown) => {
    list.hidden = !shown;
    input.setAttribute("aria-expanded", String(shown));
    if (!shown) input.removeAttribute("aria-activedescendant");
  };

  const search = () => {
    const hits = find(input.value.trim());
    found.textContent = input.value.trim() ? `${hits.length || "No"} results` : "";
    list.replaceChildren(...hits.map(option));
    open(hits.length > 0);
    select(0);
  };

  input.addEventListener("input", search);
  input.addEventListener("focus", search);
  input.form.addEventListener("submit", (event) => event.preventDefault());
  input.form.addEventListener("focusout", (event) => input.form.contains(event.relatedTarget) || open(false));
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", () => open(false));
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) select(chosen + step);
    else if (event.key === "Enter") list.querySelectorAll("a")[chosen]?.click();
    else if (event.key === "Escape") open(false);
    else return;
    event.preventDefault();
  });
})();
