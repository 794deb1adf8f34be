import { InvalidRequest, type Problem } from './errors.ts'
import { errorOf } from './thrown.ts'

/** Parses a JSON body and refuses what could do harm later. */

const maxDepth = 64
const utf8 = new TextDecoder('utf-8', { fatal: true })

const invalid = (error: string, at = 0): InvalidRequest =>
  new InvalidRequest([
    { type: 'json_invalid', loc: ['body', at], msg: 'JSON decode error', input: {}, ctx: { error } },
  ])

/** Counts the nesting in the text, because walking or serialising the parsed value would overflow the stack. */
function depthOf(text: string): number {
  let depth = 0
  let maxSeen = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === 92) at++
      else if (char === 34) quoted = false
    } else if (char === 34) quoted = true
    else if (char === 123 || char === 91) maxSeen = Math.max(maxSeen, ++depth)
    else if (char === 125 || char === 93) depth--
  }
  return maxSeen
}

const isClean = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

function findUnclean(value: unknown, loc: (string | number)[], found: Problem[]): void {
  if (typeof value === 'string') {
    if (!isClean(value)) {
      found.push({
        type: 'value_error',
        loc,
        msg: 'Input should not contain NUL characters or lone surrogates',
        input: value,
      })
    }
  } else if (value && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      const at = Array.isArray(value) ? Number(key) : key
      if (!isClean(key))
        found.push({
          type: 'value_error',
          loc,
          msg: 'A key contains NUL characters or lone surrogates',
          input: key,
        })
      else findUnclean(item, [...loc, at], found)
    }
  }
}

const dropProto = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value)

export function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('the body is not UTF-8')
  }
  if (depthOf(text) > maxDepth) throw invalid(`nested deeper than ${maxDepth} levels`)
  let value: unknown
  try {
    value =
      text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, dropProto) : JSON.parse(text)
  } catch (error) {
    throw invalid(errorOf(error).message)
  }
  if (text.includes('\\u')) {
    const found: Problem[] = []
    findUnclean(value, ['body'], found)
    if (found.length) throw new InvalidRequest(found.slice(0, 100))
  }
  return value
}
