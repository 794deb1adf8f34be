import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Mail } from '../../src/mail/mail.ts'
import { type MailReader, type MailReaderOptions, makeMailReader } from '../../src/mail/read.ts'

/** Parses emails in a test file. The files are deleted and the worker ends after the last test. */

export interface TestReader {
  folder: string
  reader: MailReader
  /** Parses raw bytes. A string is encoded as UTF-8 with CRLF line endings. */
  read(raw: string | Buffer): Promise<Mail>
}

export function startReader(options: MailReaderOptions = {}): TestReader {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-mail-'))
  const reader = makeMailReader(options)
  after(async () => {
    await reader.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let count = 0
  return {
    folder,
    reader,
    read(raw) {
      const path = join(folder, `${++count}.eml`)
      writeFileSync(path, typeof raw === 'string' ? raw.replaceAll(/\r?\n/g, '\r\n') : raw)
      return reader.read(path, folder, AbortSignal.timeout(120_000))
    },
  }
}
