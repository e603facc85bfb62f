"use strict";

// The list of messages shows those that have all words of the search in their names, fields or abouts.
const search = document.getElementById("search");
if (search) {
  const none = document.getElementById("none");
  const table = document.querySelector("table");
  search.hidden = false;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    let found = 0;
    for (const row of document.querySelectorAll("[data-words]")) {
      row.hidden = !words.every((word) => row.dataset.words.includes(word));
      found += row.hidden ? 0 : 1;
    }
    none.hidden = found > 0;
    table.hidden = found === 0;
  });
}
