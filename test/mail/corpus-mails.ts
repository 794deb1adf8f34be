import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sanitizeHtml from 'sanitize-html'
import type { Mail } from '../../src/mail/mail.ts'
import { makeMailReader } from '../../src/mail/read.ts'

/** Parses the corpus emails with the real reader, for tests of the email rules. */

export const sanitise = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'font', 'center'],
    allowedAttributes: { '*': ['class', 'id', 'type', 'dir', 'href', 'src'] },
  })

/** Test files of a domain share a process, and therefore this folder and the reader. */
const folder = mkdtempSync(join(tmpdir(), 'deskbell-mail-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const reader = makeMailReader()
let count = 0

/** Parses raw bytes. A string is encoded as UTF-8 with CRLF line endings. */
export function readMail(raw: Buffer | string): Promise<Mail> {
  const path = join(folder, `${++count}.eml`)
  writeFileSync(path, typeof raw === 'string' ? raw.replaceAll(/\r?\n/g, '\r\n') : raw)
  return reader.read(path, folder, AbortSignal.timeout(120_000))
}

const corpus = new URL('corpus/', import.meta.url)

interface CorpusCase {
  file: string
  kind: string
  expect: {
    threading: { target: string; reason: string }
    class: string
    bounce: { of: string; recipient: string; status: string | null; permanent: boolean } | null
    contact: { email: string; name: string | null } | null
    may_acknowledge: boolean
    first_line?: string | null
    visible_contains: string[]
    visible_not: string[]
    folded_contains?: string[]
    is_spam?: boolean
    authentication?: string
    answer_to?: string[]
    note?: string
    only_if_replaced?: string
  }
}

export const corpusCases: CorpusCase[] = JSON.parse(
  readFileSync(new URL('manifest.json', corpus), 'utf8'),
).cases

export interface WorldTicket {
  name: string
  number: number
  out: string
  reply: string
  anchor: string
}

/** Parses a corpus email after replacing its placeholders with the IDs, addresses and numbers of the tickets. */
export function readCorpusMail(file: string, tickets: WorldTicket[]): Promise<Mail> {
  let raw = readFileSync(new URL(file, corpus), 'latin1')
  for (const { name, number, out, reply, anchor } of tickets) {
    const small = name.toLowerCase()
    raw = raw
      .replaceAll(`${small}.out@placeholder.example.com`, out)
      .replaceAll(`${small}.reply@placeholder.example.com`, reply)
      .replaceAll(`${small}.anchor@placeholder.example.com`, anchor)
      .replaceAll(`${name}NUMBER`, String(number))
  }
  return readMail(Buffer.from(raw, 'latin1'))
}
