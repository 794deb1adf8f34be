import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { ImportSummary } from '../src/importers/run-import.ts'
import { addressOf } from './database.ts'
import { deskbell } from './run/program.ts'
import { startServer, type TestServer } from './server.ts'

/** Imports into Acme with the command line. */

export interface Importing {
  server: TestServer
  /** A folder for archives. */
  folder: string
  /** The settings of the command. */
  settings: Record<string, string>
  /** Runs `deskbell import`. */
  run(...words: string[]): ReturnType<typeof deskbell>
  /** Runs it with --json, and fails if the command fails. */
  importJson(...words: string[]): Promise<ImportSummary>
  /** The records that the last `importJson` skipped. */
  listSkipped(): { record: string; source_id: string; reason: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: each path has its own response
  get(path: string): Promise<any>
}

/** The caller closes the `running` server. Without one, a new server is started. */
export async function startImporting(running?: TestServer): Promise<Importing> {
  const server = running ?? (await startServer())
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-import-'))
  after(async () => {
    if (!running) await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const settings = {
    DATABASE_URL: addressOf(server.target),
    DATA_DIR: server.config.dataDir,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const run = (...words: string[]) => deskbell(settings, 'import', ...words)
  const skipped = join(folder, 'skipped.jsonl')
  return {
    server,
    folder,
    settings,
    run,
    async importJson(...words) {
      const given = [...words, '--project', server.acme.id, '--skipped', skipped, '--json']
      const { status, stdout, stderr } = await run(...given)
      assert.equal(status, 0, stderr)
      return JSON.parse(stdout)
    },
    listSkipped: () =>
      readFileSync(skipped, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
    async get(path) {
      const { status, body } = await server.api.get(path)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    },
  }
}

export interface ArchivedMail {
  id?: string | null
  from: string
  to?: string
  answers?: string
  subject?: string
  date?: string
  headers?: string[]
  body?: string
}

export function writeArchivedMail(mail: ArchivedMail): string {
  const { id, from, to = 'support@acme.example', answers, subject = 'Lamp', date, headers = [], body } = mail
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    ...(id ? [`Message-ID: <${id}>`] : []),
    ...(answers ? [`In-Reply-To: <${answers}>`] : []),
    `Date: ${date ?? 'Mon, 05 Jan 2026 10:00:00 +0000'}`,
    ...headers,
  ]
  return [...lines, '', body ?? `Text of ${id}`, ''].join('\n')
}

/** Writes an mbox with these emails, and returns its path. */
export function writeMbox(folder: string, name: string, mails: (ArchivedMail | string)[]): string {
  const path = join(folder, name)
  const texts = mails.map(mail => (typeof mail === 'string' ? mail : writeArchivedMail(mail)))
  writeFileSync(path, texts.map(text => `From - Mon Jan  5 10:00:00 2026\n${text}\n`).join(''))
  return path
}
