"use strict";

// The list of messages shows those that have all words of the search in their names or fields.
const search = document.getElementById("search");
if (search) {
  search.hidden = false;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of document.querySelectorAll("[data-words]")) {
      row.hidden = !words.every((word) => row.dataset.words.includes(word));
    }
  });
}
