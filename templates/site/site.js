"use strict";

// The list of messages shows those that have all words of the search in their names or fields.
const search = document.getElementById("search");
if (search) {
  search.hidden = false;
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const lines = [...document.querySelectorAll("[data-words]")];
    for (const line of lines) line.hidden = !words.every((word) => line.dataset.words.includes(word));
    for (const group of document.querySelectorAll("section")) group.hidden = !group.querySelector("[data-words]:not([hidden])");
    document.getElementById("found").textContent = search.value && `${lines.filter((line) => !line.hidden).length} lines found`;
  });
}
