// The view that checks specs, generates Python, and compares two specs.
import { byId, count, element, later } from "./dom.js";
import { call } from "./python.js";

/** A text area with the numbers of its lines. */
class Editor {
  constructor(id, edited) {
    this.area = byId(id);
    this.lines = this.area.previousElementSibling;
    this.marks = new Map();
    this.area.addEventListener("input", () => {
      this.marks = new Map();
      this.number();
      edited(this.area.value);
    });
    this.area.addEventListener("scroll", () => this.scroll());
  }

  set(text) {
    this.area.value = text;
    this.mark([]);
  }

  /** Mark the lines of findings. */
  mark(findings) {
    this.marks = new Map(findings.map((each) => [each.line, each.severity ?? "error"]));
    for (const each of findings) if (each.severity === "error") this.marks.set(each.line, "error");
    this.area.setAttribute("aria-invalid", String([...this.marks.values()].includes("error")));
    this.number();
  }

  number() {
    const lines = this.area.value.split("\n").map((_, at) => {
      const severity = this.marks.get(at + 1);
      return element("span", severity ? { class: severity } : {}, String(at + 1));
    });
    this.lines.replaceChildren(...lines);
    this.scroll();
  }

  scroll() {
    this.lines.scrollTop = this.area.scrollTop;
  }

  /** Move the caret to a line and column, which begin with 1. */
  go(line, column) {
    const before = this.area.value.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = this.area.scrollHeight / Math.max(1, this.area.value.split("\n").length);
    this.area.scrollTop = Math.max(0, (line - 4) * height);
  }
}

export class SpecsView {
  constructor(state, change, explain) {
    this.state = state;
    this.files = {};
    this.ask = later(() => this.check(), 300);
    const edited = (name) => (text) => {
      change({ [name]: text });
      this.ask();
    };
    this.spec = new Editor("spec", edited("spec"));
    this.old = new Editor("old", edited("old"));
    byId("file").addEventListener("input", () => this.showFile());
    byId("keep-old").addEventListener("click", () => {
      this.old.set(this.spec.area.value);
      edited("old")(this.spec.area.value);
    });
    byId("explain-own").addEventListener("click", () => {
      change({ own: true, part: "", message: "", version: "" });
      explain();
    });
    byId("official").addEventListener("input", (event) => {
      const message = event.target.value;
      if (!message) return;
      call("spec", { message }, ({ text }) => {
        change({ spec: text, old: text });
        this.fill();
        this.ask();
      });
    });
  }

  setMessages(messages) {
    byId("official").append(...messages.map(({ name }) => element("option", {}, name)));
  }

  /** Show the state in the editors. */
  fill() {
    this.spec.set(this.state().spec);
    this.old.set(this.state().old);
  }

  refresh() {
    this.spec.number();
    this.old.number();
    this.ask();
  }

  check() {
    if (!document.body.dataset.ready) return;
    const { spec, old } = this.state();
    call("check", { text: spec }, (answer) => this.showFindings(answer));
    if (old.trim()) call("breaking", { old, new: spec }, (answer) => this.showChanges(answer));
    else this.showChanges({ errors: [], findings: [], compared: 0, missing: true });
  }

  showFindings(answer) {
    if (answer.failure) {
      byId("spec-summary").textContent = answer.failure;
      return;
    }
    const { findings, files, message } = answer;
    this.spec.mark(findings);
    const errors = findings.filter((each) => each.severity === "error").length;
    const valid = message ? `${message.name}, versions ${message.lowest} to ${message.highest}: ` : "";
    byId("spec-summary").textContent = findings.length
      ? `${valid}${count(errors, "error")}, ${count(findings.length - errors, "warning")}`
      : `${valid}no findings`;
    byId("findings").replaceChildren(...findings.map((each) => listed(each, this.spec)));
    this.files = files;
    const own = Object.keys(files).filter((path) => path.endsWith(".py") && path !== "__init__.py");
    const chosen = byId("file").value;
    const names = [...own, ...Object.keys(files).filter((path) => !own.includes(path))];
    byId("file").replaceChildren(...names.map((path) => element("option", {}, path)));
    if (names.includes(chosen)) byId("file").value = chosen;
    this.showFile();
  }

  showFile() {
    byId("python").textContent = this.files[byId("file").value] ?? "Mend the errors in the spec to see its classes.";
  }

  showChanges(answer) {
    const { errors = [], findings = [], compared, missing, failure } = answer;
    const ofOld = errors.filter((each) => each.file === "old.json");
    this.old.mark(ofOld);
    let text = count(findings.length, "breaking change");
    if (failure) text = failure;
    else if (missing) text = "Paste an older version of the spec to compare it.";
    else if (ofOld.length) text = "The old spec has errors.";
    else if (errors.length) text = "The new spec has errors.";
    else if (!compared) text = "The old spec is of another message; nothing is compared.";
    byId("breaking-summary").textContent = text;
    const shown = ofOld.length ? ofOld : findings;
    byId("breaking").replaceChildren(
      ...shown.map((each) => listed(each, each.file === "old.json" ? this.old : this.spec)),
    );
  }
}

/** Return a finding as an element of a list: a button with its place, and its text. */
function listed(finding, editor) {
  const go = element("button", { type: "button" }, `Line ${finding.line}`);
  go.addEventListener("click", () => editor.go(finding.line, finding.column));
  const advice = finding.instead ? `; ${finding.instead}` : "";
  const kind = finding.categories ? finding.categories.join(", ") : `${finding.severity}:`;
  const rule = element("code", {}, finding.rule);
  return element("li", { class: finding.severity ?? "error" }, go, ` ${kind} `, rule, ` ${finding.message}${advice}`);
}
