"use strict";

// The version that a page shows, and the one that it is compared with. Both stand in the address: #v9, #v9-v5.
(() => {
  const version = document.getElementById("version");
  if (!version) return;
  const other = document.getElementById("other");
  const differing = document.getElementById("differing");
  const has = (select, value) => [...select.options].some((option) => option.value === value);

  const showLayouts = () => {
    for (const section of document.querySelectorAll("[data-versions]")) {
      section.hidden = version.value !== "" && !section.dataset.versions.split(" ").includes(version.value);
    }
  };

  const showFields = () => {
    const note = document.getElementById("left-out");
    let hidden = 0;
    for (const row of document.querySelectorAll(".fields tr[data-first]")) {
      const { first, last } = row.dataset;
      row.hidden = version.value !== "" && (+version.value < +first || +version.value > +last);
      hidden += row.hidden;
    }
    note.hidden = hidden === 0;
    note.textContent = `Fields of version ${version.value}; left out, as other versions have them: ${hidden}.`;
  };

  const show = () => {
    showLayouts();
    showFields();
    differing.parentElement.hidden = other.value === "";
    compare(other.value, version.value || version.options[1].value, differing.checked);
  };

  const choose = () => {
    const compared = other.value && `-v${other.value}`;
    location.replace(version.value ? `#v${version.value}${compared}` : "#");
    show();
  };

  const read = () => {
    const match = /^#v(\d+)(?:-v(\d+))?$/.exec(location.hash);
    if (match && has(version, match[1])) version.value = match[1];
    if (match) other.value = has(other, match[2]) ? match[2] : "";
    show();
    // A field that a link leads to is shown, whatever the version.
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.hidden) {
      version.value = target.dataset.last;
      show();
      target.scrollIntoView();
    }
  };

  [version, other, differing].forEach((control) => control.addEventListener("change", choose));
  addEventListener("hashchange", read);
  version.value = version.options[1].value;
  read();
})();
