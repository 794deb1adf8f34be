#!/usr/bin/env node
// Keeps a copy of a project's tickets, contacts and messages in a SQLite file. Requires Node.js 20 or later.
import { setTimeout as sleep } from 'node:timers/promises'
// The same API as node:sqlite, which Node.js 20 does not have.
import { DatabaseSync } from '@photostructure/sqlite'

const server = process.env.DESKBELL_URL ?? 'http://localhost:3000'
const key = process.env.DESKBELL_API_KEY
const db = new DatabaseSync(process.env.MIRROR_FILE ?? 'mirror.sqlite')

// Ticket lists omit spam by default, so two lists fill one table.
const lists = [
  { name: 'contacts', table: 'contacts', path: '/contacts?include_merged=true' },
  { name: 'tickets', table: 'tickets', path: '/tickets?is_spam=false' },
  { name: 'spam', table: 'tickets', path: '/tickets?is_spam=true' },
  { name: 'messages', table: 'messages', path: '/messages?' },
]

// Fields that are derived from other records. They can change without a change to the record itself, so a copy would become
// outdated: join the tables instead.
const derived = {
  contacts: ['tickets_count', 'open_tickets_count', 'last_seen_at'],
  tickets: ['contact', 'operator', 'department_name'],
  messages: [],
}

// Records are stored unchanged; add columns for the fields you search by.
db.exec(`
  pragma busy_timeout = 5000;
  pragma journal_mode = wal;
  create table if not exists contacts (id text primary key, updated_at text not null, record text not null,
    email text generated always as (record ->> 'email'),
    merged_into_id text generated always as (record ->> 'merged_into_id'));
  create table if not exists tickets (id text primary key, updated_at text not null, record text not null,
    status text generated always as (record ->> 'status'),
    contact_id text generated always as (record ->> 'contact_id'));
  create table if not exists messages (id text primary key, updated_at text not null, record text not null,
    ticket_id text generated always as (record ->> 'ticket_id'));
  create index if not exists messages_of_ticket on messages (ticket_id);
  create table if not exists places (list text primary key, updated_after text not null, cursor text, newest text not null);
  create table if not exists log (only integer primary key check (only = 1), last_seq integer not null);
`)

/** Retries until the server responds, however long that takes. Reading is always safe to repeat. */
async function get(path) {
  for (let attempt = 0; ; attempt++) {
    const response = await ask(path)
    if (response?.body) return response.body
    const pause = response?.retryAfter ?? Math.min(2 ** attempt, 60)
    console.error(`${path}: ${response?.status ?? 'no response'}; retrying in ${pause} s`)
    await sleep(pause * 1000)
  }
}

/** Returns the body of the response, its status if a retry may succeed, or null if there is no response. */
async function ask(path) {
  try {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${server}/api/v1${path}`, { headers, signal: AbortSignal.timeout(60_000) })
    if (response.ok) return { body: await response.json() }
    const { status } = response
    if (status !== 408 && status !== 429 && status < 500) throw new Refusal(status, await response.text())
    return { status, retryAfter: Number(response.headers.get('retry-after')) || undefined }
  } catch (error) {
    if (error instanceof Refusal) throw error
    return null
  }
}

class Refusal extends Error {
  constructor(status, body) {
    super(`The server refused: ${status} ${body}`)
  }
}

/**
 * Reads a list from our last position to its end. A record that changes moves to the end of the list, and new records never
 * appear before our position, so we miss nothing. The newest records are read twice.
 */
async function readList({ name, table, path }) {
  let place = findPlace(name)
  do {
    const { updated_after, cursor } = place
    const query = {
      sort: 'updated_at',
      updated_after,
      page_size: 100,
      count: false,
      ...(cursor && { cursor }),
    }
    const { items, next_cursor } = await get(`${path}&${new URLSearchParams(query)}`)
    const newest = items.at(-1)?.updated_at ?? place.newest
    // A cursor works only with the filters it was created with, so updated_after does not change before the end of the list.
    place = { updated_after: next_cursor ? updated_after : newest, cursor: next_cursor, newest }
    savePage(name, table, items, place)
  } while (place.cursor)
}

const findPlace = name =>
  db.prepare('select updated_after, cursor, newest from places where list = ?').get(name) ?? {
    updated_after: '2000-01-01',
    cursor: null,
    newest: '2000-01-01',
  }

/** Stores the records of a page and our new position atomically, so after a crash the program continues from there. */
function savePage(name, table, items, { updated_after, cursor, newest }) {
  const save = db.prepare(`insert into ${table} (id, updated_at, record) values (?, ?, ?)
    on conflict (id) do update set updated_at = excluded.updated_at, record = excluded.record
    where excluded.updated_at >= updated_at`)
  db.exec('begin immediate')
  for (const item of items) {
    const record = Object.fromEntries(
      Object.entries(item).filter(([field]) => !derived[table].includes(field)),
    )
    save.run(item.id, item.updated_at, JSON.stringify(record))
  }
  db.prepare('replace into places (list, updated_after, cursor, newest) values (?, ?, ?, ?)').run(
    name,
    updated_after,
    cursor,
    newest,
  )
  db.exec('commit')
}

/**
 * Waits for an event after `seq`, and returns the current end of the event log. The events themselves are not needed, because
 * the lists contain the records. Some changes, such as those of contacts, have no event, so we wait at most 25 seconds.
 */
async function waitForUpdates(seq, timeout = 25) {
  await get(`/updates?after=${seq}&timeout=${timeout}&limit=1`)
  return findEnd()
}

const findEnd = async () => (await get('/updates?timeout=0')).last_seq

async function main() {
  if (!key) throw new Error('Set DESKBELL_API_KEY to a key of your project (Settings, API keys)')
  const known = db.prepare('select last_seq from log').get()
  // The server refuses a position beyond the end of its log, which happens if it was restored from an older backup.
  let seq = known ? await waitForUpdates(known.last_seq, 0) : await findEnd()
  for (;;) {
    for (const list of lists) await readList(list)
    db.prepare('replace into log (only, last_seq) values (1, ?)').run(seq)
    if (process.argv.includes('--once')) return
    // Once a second is enough, even for a busy project.
    await sleep(1000)
    seq = await waitForUpdates(seq)
  }
}

main().catch(error => {
  console.error(error.message)
  process.exitCode = 1
})
