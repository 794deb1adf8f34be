import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { isOneOf } from '../../core/objects.ts'
import { codeOf } from '../../core/thrown.ts'
import { UsageError } from '../parse.ts'

/** Reads the values of options. */

/** Not from the command line, which every user of the machine can read. */
export async function readSecretFile(option: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const content = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8')).catch(error => {
    throw new UsageError(`--${option}: cannot read ${path} (${codeOf(error)})`)
  })
  const secret = content.trim()
  if (!secret) throw new UsageError(`--${option}: ${path} is empty; put the secret there`)
  return secret
}

export function readNumber(option: string, word: string | undefined): number | undefined {
  if (word === undefined) return undefined
  if (/^\d{1,5}$/.test(word) && Number(word) > 0) return Number(word)
  throw new UsageError(`--${option} should be a whole number, not "${word}"`)
}

export function readPort(option: string, word: string | undefined): number | undefined {
  const port = readNumber(option, word)
  if (port !== undefined && port > 65_535)
    throw new UsageError(`--${option} should be at most 65535, not ${port}`)
  return port
}

export function readHostName(option: string, word: string | undefined): string | undefined {
  if (word === undefined || /^[^\s/@:]+$|^[0-9a-f:.]+$/i.test(word)) return word
  throw new UsageError(
    `--${option} should be a name such as imap.example.com, without protocol and port, not "${word}"`,
  )
}

export function readWord<T extends string>(
  option: string,
  allowed: readonly T[],
  word: string | undefined,
): T | undefined {
  if (word === undefined || isOneOf(word, allowed)) return word
  throw new UsageError(`--${option} should be one of ${allowed.join(', ')}, not "${word}"`)
}
