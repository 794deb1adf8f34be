import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import type { SkippedMail } from '../mail/import-mails.ts'
import { orUserError } from '../mail/open-archive.ts'
import type { RawMail } from '../mail/raw-mail.ts'

/** Finds the emails of a Maildir and of its folders (Maildir++, or folders inside folders). */

/** Compares names without the leading dot of Maildir++, as in `.Archive.2025`. */
const isNamed = (name: string, names: string[]): boolean =>
  names.some(one => one.toLowerCase() === name.replace(/^\./, '').toLowerCase())

/** The folders with emails, ordered by name. */
function listFolders(root: string, without: string[]): string[] {
  const entries = readdirSync(root, { withFileTypes: true })
  const names = entries
    .filter(one => one.isDirectory())
    .map(one => one.name)
    .sort()
  const own = names.some(name => name === 'cur' || name === 'new') ? [root] : []
  const inner = names.filter(name => !['cur', 'new', 'tmp'].includes(name) && !isNamed(name, without))
  return [...own, ...inner.flatMap(name => listFolders(join(root, name), without))]
}

/** The flags after `:2,`, or `;2,` and `!2,` on file systems without colons in names. */
const flagsOf = (name: string): string => /[:;!]2,([A-Za-z]*)$/.exec(name)?.[1] ?? ''

/** The delivery time in milliseconds. The name of the file begins with it, in seconds; otherwise the time of the file is used. */
function timeOf(path: string, name: string): number {
  const seconds = Number(/^(\d{9,10})(?=\D)/.exec(name)?.[1])
  return seconds ? seconds * 1_000 : statSync(path).mtimeMs
}

function describeFile(folder: string, name: string): RawMail | SkippedMail {
  const path = join(folder, name)
  const flags = flagsOf(name)
  if (flags.includes('D')) return { path, reason: 'draft' }
  if (flags.includes('T')) return { path, reason: 'deleted' }
  const end = Number.MAX_SAFE_INTEGER
  return { path, start: 0, end, isWholeFile: true, isEscaped: false, arrivedAt: timeOf(path, name) }
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => one.name)
    .filter(name => !name.startsWith('.'))
    .sort()

export function* scanMaildir(root: string, without: string[] = []): Generator<RawMail | SkippedMail> {
  const folders = orUserError(root, () => listFolders(root, without))
  if (folders.length === 0)
    throw new UserError(
      `${root} is not a Maildir: it has no folder "cur" or "new". Name the folder that contains them`,
    )
  for (const folder of folders)
    for (const part of readdirSync(folder)
      .filter(name => name === 'cur' || name === 'new')
      .sort())
      for (const name of listFiles(join(folder, part))) yield describeFile(join(folder, part), name)
}
