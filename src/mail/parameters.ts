import { Libmime } from 'libmime'
import { decodeWords } from './encoded-words.ts'

const libmime = new Libmime()

export interface HeaderValue {
  /** Without parameters, in lower case. */
  value: string
  params: Record<string, string>
}

/** Parses a header such as Content-Type. Decodes RFC 2231 parameters and the encoded words that many mail programs put in quotes. */
export function parseParameters(text: string): HeaderValue {
  const isEncoded = /^\s*=\?/.test(text)
  const parsed = libmime.parseHeaderValue(isEncoded ? decodeWords(text) : text, { stripComments: true })
  const isDecoded = new Set(parsed.decodedParams)
  const params = Object.entries(parsed.params).map(([name, value]) => [
    name,
    isDecoded.has(name) ? value : decodeWords(value),
  ])
  return { value: decodeWords(parsed.value).trim().toLowerCase(), params: Object.fromEntries(params) }
}
