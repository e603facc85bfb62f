// Short forms for elements of the page.

export const byId = (id) => document.getElementById(id);

/** Return a new element with attributes, and with texts or elements as its content. */
export function element(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

/** Return a function that calls `act` when it has not been called for some milliseconds. */
export function later(act, milliseconds) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
}

/** Return a number with its noun, such as "1 byte" or "2 bytes". */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
