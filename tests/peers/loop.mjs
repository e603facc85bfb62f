// The loop of all peers in JavaScript: `node loop.mjs PEER.mjs` answers JSON lines, as docs/vectors.md describes.
// A peer is a module with a function `answer`, which returns the answer to one question.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const { answer } = await import(pathToFileURL(resolve(process.argv[2])))

function plain (_key, value) {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Map) return Object.fromEntries(value)
  return value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)), plain)}\n`)
}
