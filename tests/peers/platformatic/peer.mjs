// Answers for @platformatic/kafka, whose parsers of responses return values; requests can't be decoded.
import * as library from '@platformatic/kafka'

const apis = new Map()
for (const value of Object.values(library)) {
  if (typeof value?.api?.key === 'number' && value.parseResponse) {
    apis.set(`${value.api.key}/${value.api.version}`, value.parseResponse)
  }
}

export async function answer (question) {
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
