// Answers for kafkajs, whose decoders of responses return values; requests can't be decoded.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

function decoder (question) {
  const name = question.message.replace(/Response$/, '')
  const api = `${name[0].toLowerCase()}${name.slice(1)}`
  const module = `kafkajs/src/protocol/requests/${api}/v${question.version}/response.js`
  return existsSync(new URL(`node_modules/${module}`, import.meta.url)) ? require(module).decode : undefined
}

export async function answer (question) {
  if (question.op !== 'decode' || question.kind !== 'response') return { unsupported: question.message }
  const decode = decoder(question)
  if (!decode) return { unsupported: question.message }
  try {
    // Decoders of flexible versions begin with the tagged fields of the header.
    const header = question.header_version > 0 ? '00' : ''
    const json = await decode(Buffer.from(header + question.hex, 'hex'))
    // SaslAuthenticate returns these bytes with their length in front, as SASL mechanisms expect them.
    return { json: json.authBytes ? { ...json, authBytes: json.authBytes.subarray(4) } : json }
  } catch (error) {
    return { error: `${error.name}: ${error.message}` }
  }
}
