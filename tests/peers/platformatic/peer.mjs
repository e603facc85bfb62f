// Answers for @platformatic/kafka, whose parsers of responses return values; requests can't be decoded.
import { createInterface } from 'node:readline'
import * as library from '@platformatic/kafka'

const apis = new Map()
for (const value of Object.values(library)) {
  if (typeof value?.api?.key === 'number' && value.parseResponse) {
    apis.set(`${value.api.key}/${value.api.version}`, value.parseResponse)
  }
}

async function answer (question) {
  const parse = apis.get(`${question.api_key}/${question.version}`)
  if (question.op !== 'decode' || question.kind !== 'response' || !parse) {
    return { unsupported: question.message }
  }
  try {
    const reader = library.Reader.from(Buffer.from(question.hex, 'hex'))
    return { json: await parse(0, question.api_key, question.version, reader) }
  } catch (error) {
    // Responses with error codes are thrown, with the values.
    return error.response ? { json: error.response } : { error: `${error.name}: ${error.message}` }
  }
}

function plain (_key, value) {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Map) return Object.fromEntries(value)
  return value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)), plain)}\n`)
}
