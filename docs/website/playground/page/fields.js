// The fields of a message as rows of a table.
import { byId, element } from "./dom.js";

export class Fields {
  /** `activate` is called with the part that a person points at, or null, and whether its row has the focus. */
  constructor(activate) {
    this.body = byId("fields").tBodies[0];
    this.rows = [];
    const partAt = (target) => {
      const row = target.closest("tr");
      return row === null ? null : this.rows.indexOf(row);
    };
    this.body.addEventListener("pointerover", (event) => activate(partAt(event.target), false));
    this.body.addEventListener("pointerleave", () => activate(null, false));
    this.body.addEventListener("focusin", (event) => activate(partAt(event.target), true));
    this.body.addEventListener("click", (event) => event.target.closest("tr")?.focus());
    this.body.addEventListener("keydown", (event) => this.move(event));
  }

  /** Show the rows of `parts`; `reasons` has the problems by the index of their part. */
  show(parts, reasons) {
    this.rows = parts.map((part) => this.row(part, reasons.get(part.index)));
    if (this.rows.length) this.rows[0].tabIndex = 0;
    this.body.replaceChildren(...this.rows);
  }

  row(part, reason) {
    const row = element("tr", { "aria-level": part.depth + 1, tabindex: "-1" });
    row.className = [part.colour, part.bytes ? "" : "group", reason ? "problem" : ""].join(" ");
    const name = element("td", { class: "name" }, ...breakable(part.field));
    name.style.setProperty("--depth", part.depth);
    row.append(element("td", { class: "number" }, part.bytes ? String(part.offset) : ""));
    row.append(element("td", { class: "number" }, part.bytes ? String(part.bytes) : ""), name);
    const value = part.redacted && part.value === null ? "hidden: may be sensitive" : part.value;
    const rule = element("td", { class: "rule" }, element("code", {}, part.type));
    if (part.rule) rule.append(" ", part.rule);
    if (reason) rule.append(element("strong", { class: "reason" }, reason));
    if (part.bytes || value || reason) row.append(element("td", { class: "value" }, value), rule);
    else name.setAttribute("colspan", "3");
    return row;
  }

  /** Mark a row as active. */
  mark(index) {
    this.body.querySelector(".active")?.classList.remove("active");
    this.rows[index]?.classList.add("active");
  }

  /** Scroll to a row. */
  reveal(index) {
    this.rows[index]?.scrollIntoView({ block: "nearest" });
  }

  move(event) {
    const from = this.rows.indexOf(event.target);
    const places = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: this.rows.length - 1 };
    const to = this.rows[places[event.key]];
    if (from < 0 || !to) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
}

/** Return a name that may be broken after underscores. */
function breakable(name) {
  return name.split(/(?<=_)/).flatMap((word, at) => (at ? [element("wbr"), word] : [word]));
}
