import { Libmime } from 'libmime'
import { decodeWords } from './encoded-words.ts'

const libmime = new Libmime()

export interface HeaderValue {
  /** In lower case, without parameters. */
  value: string
  params: Record<string, string>
}

/** Reads a header such as Content-Type: RFC 2231, and the encoded words that many programs put into quotes. */
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
