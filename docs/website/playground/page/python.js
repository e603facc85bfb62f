// Calls the generator, which runs in a worker.

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
const newest = new Map();
const running = new Set();
let last = 0;

/** Start the generator. Return the official messages; `show` is called with the path of each file that was loaded. */
export function start(show) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the worker cannot be started"));
    worker.onmessage = ({ data }) => {
      if (data.loaded) show(data.loaded);
      else if (data.messages) resolve(data.messages);
      else if (data.id === undefined) reject(new Error(data.failure));
      else settle(data);
    };
  });
}

function settle({ id, answer, failure }) {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (failure === undefined) resolve(answer);
  else reject(new Error(failure));
}

function ask(call, request) {
  return new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    worker.postMessage({ id: last, call, request });
  });
}

/**
 * Call a function of the generator, and pass its answer to `use`.
 *
 * While a call is running, only the newest request waits, so that answers do not lag behind a person who types.
 */
export async function call(name, request, use) {
  newest.set(name, { request, use });
  if (running.has(name)) return;
  running.add(name);
  try {
    while (newest.has(name)) {
      const { request: asked, use: show } = newest.get(name);
      newest.delete(name);
      let answer;
      try {
        answer = await ask(name, asked);
      } catch (error) {
        answer = { failure: String(error) };
      }
      if (!newest.has(name)) show(answer);
    }
  } finally {
    running.delete(name);
  }
}
