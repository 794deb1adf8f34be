import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isOneOf } from '../objects.ts'
import { type OperatorRole, roles } from '../roles.ts'
import { trimEnd } from '../text/trim.ts'
import { readDatabaseUrl } from './database-url.ts'

/** Each function takes a setting's text and returns its value, or throws an error that says what was expected. */

/** A setting: its name in the environment, its default, how its text is parsed, what it does. */
export const setting = <T>(
  name: string,
  fallback: string,
  parse: (text: string) => T,
  words: { about: string; example: string },
) => ({ name, fallback, parse, ...words })

const expect = (what: string): never => {
  throw new Error(what)
}

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

export const readText = (value: string): string => value

export const path = (value: string): string =>
  resolve(fileURLToPath(new URL('../../..', import.meta.url)), value)

export const optional =
  <T>(parse: (value: string) => T) =>
  (value: string): T | null =>
    value === '' ? null : parse(value)

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= min && number <= max) return number
    return expect(`a whole number from ${min} to ${max}`)
  }

export function fraction(value: string): number {
  const number = Number(value)
  return /^(?:\d*\.)?\d+$/.test(value) && number <= 1 ? number : expect('a number from 0 to 1, such as 0.1')
}

export interface Tax {
  name: string
  percent: number
}

/** For example `VAT 19 %`. */
export function tax(value: string): Tax {
  const [, name, number] = /^(\S.{0,40}?)\s*(\d{1,2}(?:\.\d{1,3})?)\s*%$/.exec(value) ?? []
  return name && Number(number) > 0
    ? { name, percent: Number(number) }
    : expect('a name and a rate, such as VAT 19%')
}

export const choice =
  <T extends string>(...allowed: T[]) =>
  (value: string): T =>
    allowed.find(one => one === value) ?? expect(`one of ${allowed.join(', ')}`)

export const toggle = (name: string, fallback: 'on' | 'off', about: string) =>
  setting(name, fallback, choice('on', 'off'), { about, example: fallback === 'on' ? 'off' : 'on' })

export const choices =
  <T extends string>(...allowed: T[]) =>
  (value: string): ReadonlySet<T> => {
    const chosen = splitList(value)
    if (chosen.length > 0 && chosen.every(one => isOneOf(one, allowed))) return new Set(chosen)
    return expect(`a list of ${allowed.join(', ')}, such as ${allowed.slice(0, 2).join(',')}`)
  }

export const url =
  (...protocols: string[]) =>
  (value: string): string => {
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (parsed && protocols.includes(parsed.protocol)) return trimEnd(value, /\//)
    return expect(`an address that begins with ${protocols.map(one => `${one}//`).join(' or ')}`)
  }

/** The URL of a server without a path, query or password, because some links would omit these. */
export function origin(value: string): string {
  const address = url('http:', 'https:')(value)
  const { href, origin: bare } = new URL(address)
  if (href === `${bare}/`) return address
  return expect('a URL with only a host, such as https://desk.example.com, and nothing after the host')
}

export function databaseUrl(value: string): string {
  readDatabaseUrl(value)
  return value
}

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In milliseconds; NaN if the text is not a duration. */
function duration(value: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(value) ?? []
  const result = Number(amount) * (units[unit ?? ''] ?? 0)
  return result > 0 ? result : Number.NaN
}

export const durationFrom =
  (shortest: string, longest: string) =>
  (value: string): number => {
    const result = duration(value)
    if (result >= duration(shortest) && result <= duration(longest)) return result
    return expect(`a duration such as 30d, from ${shortest} to ${longest}`)
  }

export const durationUpTo =
  (longest: string) =>
  (value: string): number => {
    const result = duration(value)
    return result <= duration(longest) ? result : expect(`a duration such as 500ms or 5s, at most ${longest}`)
  }

/** The specification numbers attempts from 1 to 6. */
const maxRetryDelays = 5

/** The event must still be in the log at the last attempt of its delivery. */
const maxRetryTimeMs = 7 * 86_400_000

export function durations(value: string): number[] {
  const result = splitList(value).map(duration)
  const sum = result.reduce((all, pause) => all + pause, 0)
  if (result.length > 0 && result.length <= maxRetryDelays && sum <= maxRetryTimeMs) return result
  return expect('one to five durations such as 30s,2m,10m,1h,6h, at most 7 days in total')
}

/** CIDR ranges; a single address counts as a range of one. */
export function networks(value: string): string[] {
  return splitList(value).map(range => {
    const [address = '', bits, ...rest] = range.split('/')
    const width = isIP(address) === 4 ? 32 : 128
    const length = bits ?? String(width)
    if (isIP(address) && /^\d{1,3}$/.test(length) && Number(length) <= width && rest.length === 0) {
      return `${address}/${length}`
    }
    return expect('a list of networks such as 10.0.0.0/8,fd00::/8')
  })
}

export function key(value: string): Buffer {
  const bytes = Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64')
  return bytes.length === 32 ? bytes : expect('32 bytes as 64 hex digits or in base64')
}

/** `name=value` pairs, values with %-escapes. */
export function pairs(value: string): Record<string, string> {
  const split = splitList(value).map(pair => /^([\w-]+)\s*=(.*)$/.exec(pair))
  try {
    return Object.fromEntries(split.map(found => [found![1]!, decodeURIComponent(found![2]!.trim())]))
  } catch {
    return expect('a list of pairs such as name=value,other=value')
  }
}

export interface GroupRule {
  group: string
  role: OperatorRole
  department: string | null
}

/** `group=role` or `group=role:department`, with %-escapes. */
export function groups(value: string): GroupRule[] {
  try {
    return splitList(value).map(part => {
      const [, group, role, department] = /^(.+)=(\w+)(?::(.+))?$/.exec(part) ?? []
      if (!group || !isOneOf(role, roles)) throw new Error()
      return {
        group: decodeURIComponent(group),
        role,
        department: department ? decodeURIComponent(department) : null,
      }
    })
  } catch {
    return expect('a list of group=role or group=role:department, such as desk-leads=admin')
  }
}
