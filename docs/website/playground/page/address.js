// The state of the page in the part of its address after "#", which browsers do not send to servers.

const LONGEST = 4_000_000;

async function through(bytes, transform) {
  const parts = [];
  let size = 0;
  for await (const part of iterate(new Blob([bytes]).stream().pipeThrough(transform))) {
    size += part.length;
    if (size > LONGEST) throw new Error("the address has too much data");
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function* iterate(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Return a state as the part of an address after "#". */
export async function packed(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const bytes = await through(text, new CompressionStream("deflate-raw"));
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the state in an address, or null if the address has no state that can be read. */
export async function unpacked(text) {
  if (!text) return null;
  try {
    const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    return state !== null && typeof state === "object" ? state : null;
  } catch {
    return null;
  }
}
