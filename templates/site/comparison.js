"use strict";

// Two versions side by side, as a table.
const compare = (() => {
  const { rowsOf, align, kind } = alignment;
  const section = document.getElementById("compare");
  const signs = { added: ["", "+"], removed: ["−", ""], changed: ["−", "+"], "": ["", ""] };
  const words = { "+": "added: ", "−": "removed: " };

  const make = (tag, text, name) => Object.assign(document.createElement(tag), { textContent: text, className: name ?? "" });

  const cell = (row, sign, how) => {
    const made = make("td", "", how);
    if (!row) return made;
    made.style.setProperty("--depth", row.depth);
    if (sign) {
      const mark = make("b", sign);
      mark.setAttribute("aria-hidden", "true");
      made.append(mark, make("span", words[sign], "unseen"));
    }
    made.append(make("code", row.name), make("span", row.text));
    return made;
  };

  const line = (pair) => {
    const how = kind(pair);
    const made = document.createElement("tr");
    made.append(cell(pair[0], signs[how][0], how), cell(pair[1], signs[how][1], how));
    return made;
  };

  // The pairs that differ, and the structs that they are in.
  const differing = (pairs) => {
    const path = ([one, other]) => (one ?? other).path;
    const paths = pairs.filter(kind).map(path);
    return pairs.filter((pair) => kind(pair) || paths.some((other) => other.startsWith(`${path(pair)}.`)));
  };

  const count = (pairs, how) => pairs.filter((pair) => kind(pair) === how).length;

  return (before, after, onlyDiffering) => {
    section.hidden = before === "";
    if (section.hidden) return;
    const pairs = align(rowsOf(before), rowsOf(after));
    const shown = onlyDiffering ? differing(pairs) : pairs;
    const [left, right] = section.querySelectorAll("thead th");
    left.textContent = `Version ${before}`;
    right.textContent = `Version ${after}`;
    section.querySelector("tbody").replaceChildren(...shown.map(line));
    const counts = ["added", "removed", "changed"].map((how) => `${count(pairs, how)} ${how}`);
    const same = pairs.every((pair) => !kind(pair));
    section.querySelector(".scroll").hidden = shown.length === 0;
    document.getElementById("compare-summary").textContent = same
      ? `Versions ${before} and ${after} are the same on the wire.`
      : `From version ${before} to ${after}: ${counts.join(", ")}.`;
  };
})();
