// Runs the generator in WebAssembly, beside the page, so that the page stays responsive.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDERS = { "packages.zip": "/packages", "specs.zip": "/specs" };
const START = `
import gc, sys
gc.disable()  # Imports make few cycles, and collections would take a tenth of the time.
sys.path.insert(0, "/packages")
sys.dont_write_bytecode = True
from docs.website.playground.calls import Playground
gc.enable()
Playground("/specs")
`;

/** Report each file that has been loaded, by its path. */
const observer = new PerformanceObserver((list) => {
  for (const { name } of list.getEntries()) postMessage({ loaded: name.slice(new URL(".", import.meta.url).href.length) });
});
observer.observe({ type: "resource", buffered: true });

async function load(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

async function start() {
  const archives = Object.keys(FOLDERS).map(load);
  const [python, ...loaded] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href, env: { MESSAGEGEN_PROGRESS: "0" } }),
    ...archives,
  ]);
  Object.values(FOLDERS).forEach((extractDir, at) => python.unpackArchive(loaded[at], "zip", { extractDir }));
  const playground = python.runPython(START);
  postMessage({ messages: JSON.parse(playground.messages()) });
  return playground;
}

const started = start();
started.catch((error) => postMessage({ failure: String(error) }));

onmessage = async ({ data: { id, call, request } }) => {
  const playground = await started;
  try {
    postMessage({ id, answer: JSON.parse(playground[call](JSON.stringify(request))) });
  } catch (error) {
    postMessage({ id, failure: String(error) });
  }
};
