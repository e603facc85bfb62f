"use strict";

// Aligns the bytes of two versions by the paths of fields. They are read out of the tables of the page.
const alignment = (() => {
  const rowsOf = (version) => {
    const sections = [...document.querySelectorAll("#wire [data-versions]")];
    const table = sections.find((one) => one.dataset.versions.split(" ").includes(version));
    return [...table.querySelectorAll("tbody tr")].map((row) => {
      const [name, type, bytes] = row.cells;
      const text = `${type.textContent.trim()}: ${bytes.textContent.trim()}`.replace(/^: /, "");
      return { path: row.dataset.path, name: name.textContent.trim(), text, depth: row.style.getPropertyValue("--depth") };
    });
  };

  // The longest common subsequence of paths: pairs of rows, where one of a pair may be missing.
  const align = (before, after) => {
    const best = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
    for (let i = before.length - 1; i >= 0; i--) {
      for (let j = after.length - 1; j >= 0; j--) {
        const same = before[i].path === after[j].path;
        best[i][j] = same ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
      }
    }
    const pairs = [];
    for (let i = 0, j = 0; i < before.length || j < after.length; ) {
      if (before[i]?.path === after[j]?.path) pairs.push([before[i++], after[j++]]);
      else if (j >= after.length || (i < before.length && best[i + 1][j] >= best[i][j + 1])) pairs.push([before[i++], null]);
      else pairs.push([null, after[j++]]);
    }
    return pairs;
  };

  const kind = ([before, after]) => (!before ? "added" : !after ? "removed" : before.text === after.text ? "" : "changed");

  return { rowsOf, align, kind };
})();
