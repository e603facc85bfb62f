// Loads the generator, and connects the views with the address of the page.
import { packed, unpacked } from "./address.js";
import { BytesView } from "./bytes.js";
import { byId, later } from "./dom.js";
import { EMPTY } from "./examples.js";
import { start } from "./python.js";
import { SpecsView } from "./specs.js";

const megabytes = (size) => `${(size / 1e6).toFixed(1)} MB`;
const VIEWS = ["bytes", "specs"];

let state = { ...EMPTY };
let written = "";
const views = {
  bytes: new BytesView(() => state, change),
  specs: new SpecsView(() => state, change, () => show("bytes")),
};

/** Change the state, and write it to the address. */
function change(changes) {
  state = { ...state, ...changes };
  forgetSharing();
  save();
}

/** Return the part of the address that has the state; it is empty for an unchanged page. */
async function fragment() {
  const changed = Object.entries(state).filter(([name, value]) => value !== EMPTY[name]);
  return changed.length ? `#${await packed(Object.fromEntries(changed))}` : "";
}

const save = later(async () => {
  written = await fragment();
  history.replaceState(null, "", written || location.pathname + location.search);
}, 200);

/** Show the state of the address. */
async function restore() {
  written = location.hash;
  const found = await unpacked(written.slice(1));
  if (written && found === null) byId("status").textContent = "The address has no bytes or specs that can be read.";
  const known = Object.entries(found ?? {}).filter(([name, value]) => typeof value === typeof EMPTY[name]);
  state = { ...EMPTY, ...Object.fromEntries(known) };
  views.bytes.fill();
  views.specs.fill();
  show(VIEWS.includes(state.view) ? state.view : "bytes");
}

function show(name) {
  for (const each of VIEWS) {
    const tab = byId(`tab-${each}`);
    tab.setAttribute("aria-selected", String(each === name));
    tab.tabIndex = each === name ? 0 : -1;
    byId(`view-${each}`).hidden = each !== name;
  }
  change({ view: name });
  views[name].refresh();
}

function connectTabs() {
  for (const name of VIEWS) {
    const tab = byId(`tab-${name}`);
    tab.addEventListener("click", () => show(name));
    tab.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      const other = VIEWS[1 - VIEWS.indexOf(name)];
      show(other);
      byId(`tab-${other}`).focus();
    });
  }
}

/** Remove what was noted about the link, because the link is another one now. */
function forgetSharing() {
  for (const button of document.querySelectorAll(".share")) {
    delete button.dataset.asked;
    button.nextElementSibling.textContent = "";
  }
}

function connectSharing() {
  for (const button of document.querySelectorAll(".share")) {
    const note = button.nextElementSibling;
    button.addEventListener("click", async () => {
      const names = views.bytes.sensitive;
      if (names.length && button.dataset.asked !== names.join()) {
        button.dataset.asked = names.join();
        note.textContent = `The link contains the value of ${names.join(", ")}. Press again to copy it.`;
        return;
      }
      delete button.dataset.asked;
      try {
        await navigator.clipboard.writeText(location.href.split("#")[0] + (await fragment()));
        note.textContent = "Copied.";
      } catch {
        note.textContent = "The browser does not allow copying; copy the address of this page.";
      }
    });
  }
}

async function load() {
  if (location.protocol === "file:") {
    byId("status").textContent = "Browsers do not run WebAssembly from files. Serve this folder: python -m http.server";
    return;
  }
  const sizes = await (await fetch("sizes.json")).json();
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  byId("sizes").textContent = `The page loads ${megabytes(total)}: Python for browsers (Pyodide), messagegen, and the \
specs of Kafka 2.4 to 4.4.`;
  byId("status").textContent = `Loading ${megabytes(total)}`;
  byId("progress").hidden = false;
  const messages = await start((file) => {
    loaded += sizes[file] ?? 0;
    byId("progress").value = loaded / total;
    if (loaded === total) byId("status").textContent = "Starting the generator";
  });
  views.bytes.setMessages(messages);
  views.specs.setMessages(messages);
  byId("progress").hidden = true;
  byId("status").textContent = "Ready";
  document.body.dataset.ready = "true";
  views[state.view].refresh();
}

connectTabs();
connectSharing();
addEventListener("hashchange", () => location.hash !== written && restore());
restore().then(load).catch((error) => {
  byId("status").textContent = `The page cannot be loaded: ${error.message}`;
  byId("progress").hidden = true;
});
