// The view that explains bytes.
import { byId, count, element, later } from "./dom.js";
import { Dump } from "./dump.js";
import { EMPTY, EXAMPLES } from "./examples.js";
import { Fields } from "./fields.js";
import { call } from "./python.js";

const TEXTS = ["text", "part", "message", "version"];
const COLOURS = 6;
const PARTS = { request: "request", response: "response", body: "message" };
const KINDS = { request: "Requests", response: "Responses" };

export class BytesView {
  constructor(state, change) {
    this.state = state;
    this.change = change;
    this.messages = new Map();
    this.sensitive = [];
    this.parts = [];
    this.focused = null;
    this.dump = new Dump((index, isFocus) => this.activate(index, isFocus, this.fields));
    this.fields = new Fields((index, isFocus) => this.activate(index, isFocus, this.dump));
    this.ask = later(() => this.explain(), 150);
    for (const name of TEXTS) byId(name).addEventListener("input", () => this.edited(name));
    byId("own").addEventListener("input", () => this.guess(byId("own").checked));
    byId("offer").querySelector("button").addEventListener("click", () => {
      this.guess(false);
      byId("part").focus();
    });
    byId("sensitive").addEventListener("input", () => this.ask());
    byId("question").addEventListener("submit", (event) => event.preventDefault());
    byId("example").append(...Object.keys(EXAMPLES).map((name) => element("option", {}, name)));
    byId("example").addEventListener("input", (event) => this.open(event.target.value));
  }

  /** Fill the list of messages. */
  setMessages(messages) {
    const groups = new Map();
    for (const message of messages) {
      const kind = KINDS[message.kind] ?? "Other messages";
      this.messages.set(message.name, message);
      groups.set(kind, [...(groups.get(kind) ?? []), element("option", {}, message.name)]);
    }
    for (const [label, options] of groups) byId("message").append(element("optgroup", { label }, ...options));
    this.fill();
  }

  /** Show the state in the form. */
  fill() {
    const state = this.state();
    byId("own").checked = state.own;
    byId("message").disabled = state.own;
    byId("sensitive").checked = false;
    byId("example").value = "";
    for (const name of ["text", "part", "message"]) byId(name).value = state[name];
    this.fillVersions();
    byId("version").value = state.version;
  }

  fillVersions() {
    const chosen = byId("message").value;
    const { lowest, highest } = this.messages.get(chosen) ?? { lowest: 0, highest: this.state().own ? 99 : -1 };
    const versions = Array.from({ length: highest - lowest + 1 }, (_, at) => String(highest - at));
    const version = this.state().version;
    if (version !== "" && !versions.includes(version)) versions.push(version);
    const options = versions.map((each) => element("option", {}, each));
    byId("version").replaceChildren(element("option", { value: "" }, "to be guessed"), ...options);
  }

  open(name) {
    if (!name) return;
    const { part, message, version, own } = EMPTY;
    this.change({ part, message, version, own, ...EXAMPLES[name] });
    this.fill();
    byId("example").value = name;
    this.ask();
  }

  /** Forget what was chosen, so that the bytes decide. */
  guess(own) {
    this.change({ own, part: "", message: "", version: "" });
    this.fill();
    this.ask();
  }

  edited(name) {
    const changes = { [name]: byId(name).value };
    byId("example").value = "";
    if (name === "message") {
      const kind = this.messages.get(changes.message)?.kind;
      changes.version = "";
      changes.part = { request: "request", response: "response", undefined: "" }[kind] ?? "body";
      byId("part").value = changes.part;
    }
    this.change(changes);
    if (name === "message") this.fillVersions();
    this.ask();
  }

  refresh() {
    this.ask();
  }

  explain() {
    const { text, part, message, version, own, spec } = this.state();
    if (!document.body.dataset.ready) return;
    if (!text.trim()) {
      this.clear("");
      return;
    }
    const sensitive = byId("sensitive").checked;
    const request = { text, part, message, version: version || null, own: own ? spec : "", sensitive };
    byId("view-bytes").setAttribute("aria-busy", "true");
    call("explain", request, (answer) => {
      byId("view-bytes").removeAttribute("aria-busy");
      this.show(answer);
    });
  }

  clear(text) {
    byId("summary").textContent = text;
    byId("summary").className = text ? "bad" : "";
    byId("explanation").hidden = true;
    this.offer(null);
    this.warn([]);
  }

  /** Offer to explain the bytes as a request that the chosen message cannot read. */
  offer(request) {
    byId("offer").hidden = !request;
    if (!request) return;
    byId("offer").querySelector("span").textContent =
      `These bytes begin with the header of ${request.message} version ${request.version}.`;
  }

  show(answer) {
    const error = answer.error ?? answer.failure;
    if (error) {
      this.clear(error);
      this.offer(answer.offer);
      return;
    }
    const { problem } = answer;
    const what = `${answer.message} version ${answer.version}, ${PARTS[answer.part]}${answer.sized ? " with its size" : ""}`;
    const size = count(answer.data.length / 2, "byte");
    byId("summary").textContent = problem
      ? `${what}: the bytes stop making sense at offset ${problem.offset}${problem.path ? `, in ${problem.path}` : ""}: ${problem.reason}`
      : `${what}: ${size}, no problems`;
    byId("summary").className = problem ? "bad" : "good";
    this.offer(answer.offer);
    this.warn(answer.sensitive);
    this.parts = withPlaces(answer.parts);
    const reasons = new Map();
    if (problem) reasons.set(placeOf(problem, this.parts), problem.reason);
    byId("explanation").hidden = false;
    this.focused = null;
    const leaves = this.parts.filter((part) => part.bytes);
    this.dump.show(answer.data, leaves, problem ? problem.offset : null);
    this.fields.show(this.parts, reasons);
    const shown = problem ? placeOf(problem, this.parts) : null;
    this.detail(shown);
    if (problem) this.dump.reveal(problem.offset);
  }

  /** Warn before a link with sensitive values is shared. */
  warn(names) {
    this.sensitive = names;
    byId("warning").hidden = !names.length;
    byId("warning").textContent =
      `The bytes have sensitive values: ${names.join(", ")}. The address of this page contains them, too: ` +
      "share it only with people who may see them.";
    byId("sensitive-label").hidden = !names.length;
  }

  /** Mark the part that a person points at, or the focused part; scroll the `other` view to it. */
  activate(index, isFocus, other) {
    if (isFocus) this.focused = index;
    const shown = index ?? this.focused;
    const part = this.parts[shown];
    this.dump.mark(part?.offset ?? 0, part?.end ?? 0);
    this.fields.mark(shown);
    this.detail(shown);
    if (index === null || !part) return;
    if (other === this.dump) this.dump.reveal(part.offset);
    else if (isFocus) this.fields.reveal(index);
  }

  /** Describe a part below the bytes. */
  detail(index) {
    const part = this.parts[index];
    byId("hint").hidden = Boolean(part);
    const rows = part
      ? [
          ["Field", part.field],
          ["Value", part.redacted && part.value === null ? "hidden" : part.value],
          ["Type", part.type],
          ["Rule", part.rule],
          ["Place", `offset ${part.offset}, ${count(part.end - part.offset, "byte")}`],
        ]
      : [];
    const shown = rows.filter(([, text]) => text);
    byId("detail").replaceChildren(
      ...shown.flatMap(([term, text]) => [element("dt", {}, term), element("dd", {}, text)]),
    );
  }
}

/** Return the parts with their index, colour, and the end of the bytes of all parts in them. */
function withPlaces(parts) {
  let leaves = 0;
  return parts.map((part, index) => {
    let last = index;
    while (last + 1 < parts.length && parts[last + 1].depth > part.depth) last += 1;
    const end = parts[last].offset + parts[last].bytes;
    const colour = part.bytes ? `colour-${leaves % COLOURS}` : "";
    if (part.bytes) leaves += 1;
    return { ...part, index, end, colour: part.field === "(not read)" ? "unread" : colour };
  });
}

/** Return the index of the part at which the bytes stop making sense. */
function placeOf(problem, parts) {
  const unread = parts.findLast((part) => part.field === "(not read)");
  const at = parts.findLast((part) => part.bytes && part.offset <= problem.offset);
  return (unread ?? at ?? parts.at(-1)).index;
}
