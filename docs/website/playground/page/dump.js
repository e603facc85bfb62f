// The bytes of a message as rows of hex digits, each byte in the colour of its field.
import { byId, element } from "./dom.js";

const WIDE = matchMedia("(min-width: 40rem)");

export class Dump {
  /** `activate` is called with the part of a byte that a person points at, or null, and whether the byte has the focus. */
  constructor(activate) {
    this.grid = byId("dump");
    this.activate = activate;
    this.bytes = [];
    this.parts = [];
    this.marked = [0, 0];
    this.grid.addEventListener("pointerover", (event) => activate(this.partAt(event.target), false));
    this.grid.addEventListener("pointerleave", () => activate(null, false));
    this.grid.addEventListener("focusin", (event) => activate(this.partAt(event.target), true));
    this.grid.addEventListener("keydown", (event) => this.move(event));
    WIDE.addEventListener("change", () => this.render());
  }

  partAt(target) {
    return target.dataset.part === undefined ? null : Number(target.dataset.part);
  }

  /** Show the bytes `hex` with the leaves `parts`. `problem` is the offset at which the bytes stop making sense. */
  show(hex, parts, problem) {
    this.hex = hex;
    this.parts = parts;
    this.problem = problem;
    this.marked = [0, 0];
    this.render();
  }

  render() {
    const width = WIDE.matches ? 16 : 8;
    this.bytes = this.parts.flatMap((part) => this.cells(part));
    if (this.problem !== null && this.problem * 2 >= (this.hex?.length ?? 0)) {
      this.bytes.push(element("span", { role: "gridcell", class: "byte problem", "aria-label": "end of the bytes" }, "??"));
    }
    const rows = [];
    for (let start = 0; start < this.bytes.length; start += width) {
      const offset = element("span", { role: "rowheader", class: "offset" }, start.toString(16).padStart(4, "0"));
      rows.push(element("div", { role: "row" }, offset, ...this.bytes.slice(start, start + width)));
    }
    this.width = width;
    this.grid.replaceChildren(...rows);
    for (const byte of this.bytes) byte.tabIndex = -1;
    if (this.bytes.length) this.bytes[0].tabIndex = 0;
    this.mark(...this.marked);
  }

  cells(part) {
    const cells = [];
    for (let at = part.offset; at < part.offset + part.bytes; at += 1) {
      const digits = part.redacted ? "••" : this.hex.slice(2 * at, 2 * at + 2);
      const classes = ["byte", part.colour];
      if (at < part.offset + part.head) classes.push("head");
      if (at === this.problem) classes.push("problem");
      const label = `${part.redacted ? "hidden" : digits}, offset ${at}, ${part.field}`;
      cells.push(
        element(
          "span",
          { role: "gridcell", class: classes.join(" "), "data-part": part.index, "aria-label": label },
          digits,
        ),
      );
    }
    return cells;
  }

  /** Mark the bytes from `start` to `end` as active. */
  mark(start, end) {
    this.marked = [start, end];
    for (const byte of this.grid.querySelectorAll(".active")) byte.classList.remove("active");
    for (const byte of this.bytes.slice(start, end)) byte.classList.add("active");
  }

  /** Scroll to a byte, inside the grid alone. */
  reveal(offset) {
    const byte = this.bytes[offset];
    if (!byte) return;
    const [box, frame] = [byte.getBoundingClientRect(), this.grid.getBoundingClientRect()];
    if (box.top < frame.top) this.grid.scrollTop -= frame.top - box.top;
    else if (box.bottom > frame.bottom) this.grid.scrollTop += box.bottom - frame.bottom;
  }

  move(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.width, ArrowDown: this.width };
    const from = this.bytes.indexOf(event.target);
    const ends = { Home: 0, End: this.bytes.length - 1 };
    const to = event.key in ends ? ends[event.key] : from + (steps[event.key] ?? NaN);
    if (from < 0 || !this.bytes[to]) return;
    event.preventDefault();
    this.bytes[from].tabIndex = -1;
    this.bytes[to].tabIndex = 0;
    this.bytes[to].focus();
  }
}
