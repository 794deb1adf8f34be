import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { makeTicket } from '../cast.ts'
import type { Client } from '../client.ts'
import { cache } from '../clients/places.ts'
import { makeFolder, type Program } from '../run/program.ts'
import { until } from '../until.ts'
import { startChanges } from './changes.ts'
import { exampleFile, startExample } from './example.ts'
import { startKillableServer } from './killable-server.ts'

const writers = 8
const changesAtLeast = Number(process.env.DESKBELL_CHANGES ?? 2000)
const tables = ['contacts', 'tickets', 'messages'] as const
const lists: Record<(typeof tables)[number], string[]> = {
  contacts: ['/contacts?include_merged=true'],
  tickets: ['/tickets?is_spam=false', '/tickets?is_spam=true'],
  messages: ['/messages?'],
}

/** Installs the packages of the example's own package-lock.json once, in a cache outside the checkout. */
function installModules(): string {
  const lock = exampleFile('mirror/package-lock.json')
  const name = `mirror-${createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 12)}`
  const folder = join(cache, name)
  if (existsSync(folder)) return join(folder, 'node_modules')
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(exampleFile(`mirror/${file}`), join(draft, file))
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: draft,
  })
  assert.equal(status, 0, `npm could not install the packages of the mirror:\n${stderr}`)
  renameSync(draft, folder)
  return join(folder, 'node_modules')
}

/** Copies the program, as if somebody had copied the folder and run `npm ci`. */
function copyMirror(context: TestContext): string {
  const folder = makeFolder(context)
  for (const file of ['mirror.mjs', 'package.json']) cpSync(exampleFile(`mirror/${file}`), join(folder, file))
  symlinkSync(installModules(), join(folder, 'node_modules'))
  return folder
}

interface Copy {
  start(...args: string[]): Program
  read(table: string): Map<string, unknown>
}

function makeCopy(context: TestContext, access: Record<string, string>): Copy {
  const folder = copyMirror(context)
  const file = join(folder, 'mirror.sqlite')
  return {
    start: (...args) =>
      startExample(context, 'node', [join(folder, 'mirror.mjs'), ...args], { ...access, MIRROR_FILE: file }),
    read(table) {
      const db = new DatabaseSync(file, { readOnly: true })
      const rows = db.prepare(`select id, record from ${table}`).all()
      db.close()
      return new Map(rows.map(({ id, record }) => [String(id), JSON.parse(String(record))]))
    },
  }
}

/** Fields that the mirror leaves out, because they depend on other records. */
const derived: Record<string, string[]> = {
  contacts: ['tickets_count', 'open_tickets_count', 'last_seen_at'],
  tickets: ['contact', 'operator', 'department_name'],
  messages: [],
}

const withoutDerived = (table: string, item: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(item).filter(([field]) => !derived[table]!.includes(field)))

async function listAll(api: Client, table: (typeof tables)[number]): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>()
  for (const path of lists[table]) {
    let cursor: string | null = ''
    do {
      const { body } = await api.get(`${path}&page_size=100&count=false${cursor && `&cursor=${cursor}`}`)
      for (const item of body.items) all.set(item.id, withoutDerived(table, item))
      cursor = body.next_cursor
    } while (cursor)
  }
  return all
}

/** Copies what has changed since the last time, and compares all records. */
async function compareAll(api: Client, copy: Copy): Promise<void> {
  const { status, stderr } = await copy.start('--once').ended
  assert.equal(status, 0, stderr)
  for (const table of tables) {
    const truth = await listAll(api, table)
    assert.ok(truth.size > changesAtLeast / 50)
    assert.deepEqual(copy.read(table), truth)
  }
}

test('the mirror equals the server after changes of every kind and kills of both', async context => {
  const desk = await startKillableServer(context)
  const copy = makeCopy(context, desk.access)
  let mirror = copy.start()
  const changes = await startChanges(desk.api)
  const write = async () => {
    while (changes.count < changesAtLeast) await changes.make()
  }
  const writing = Promise.all(Array.from({ length: writers }, write))
  for (let kills = 1; kills <= 4; kills++) {
    await until(() => changes.count >= (kills * changesAtLeast) / 5, 120)
    mirror.child.kill('SIGKILL')
    if (kills === 2) await desk.killAndStart()
    mirror = copy.start()
  }
  await writing
  const last = await makeTicket(desk.api, { content: 'The end' })
  await until(() => copy.read('tickets').has(last.id), 60)
  mirror.child.kill('SIGKILL')
  const compare = () => compareAll(desk.api, copy)
  const isEqual = () =>
    compare().then(
      () => true,
      () => false,
    )
  // The server may still be sending messages and moving the tickets of merged contacts.
  await until(isEqual, 60).catch(compare)
  assert.equal((await listAll(desk.outsider, 'tickets')).size, 0)
})
