#!/usr/bin/env node
// Keeps a copy of a project's tickets, contacts and messages in a SQLite file. Node.js 20 or newer.
import { setTimeout as sleep } from 'node:timers/promises'
// The same as node:sqlite, which Node.js 20 does not have yet.
import { DatabaseSync } from '@photostructure/sqlite'

const server = process.env.DESKBELL_URL ?? 'http://localhost:3000'
const key = process.env.DESKBELL_API_KEY
const db = new DatabaseSync(process.env.MIRROR_FILE ?? 'mirror.sqlite')

// Spam is left out of a list of tickets unless it is asked for, so these are two lists for one table.
const lists = [
  { name: 'contacts', table: 'contacts', path: '/contacts?include_merged=true' },
  { name: 'tickets', table: 'tickets', path: '/tickets?is_spam=false' },
  { name: 'spam', table: 'tickets', path: '/tickets?is_spam=true' },
  { name: 'messages', table: 'messages', path: '/messages?' },
]

// Fields that tell of other records. They change without a change of the record itself, so a copy of them would grow old:
// join the tables instead.
const derived = {
  contacts: ['tickets_count', 'open_tickets_count', 'last_seen_at'],
  tickets: ['contact', 'operator', 'department_name'],
  messages: [],
}

// Records are kept as they came; add the fields that you search by as columns.
db.exec(`
  pragma journal_mode = wal;
  pragma busy_timeout = 5000;
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

/** Asks until there is an answer, however long the server is away. Reading may always be repeated. */
async function get(path) {
  for (let attempt = 0; ; attempt++) {
    const response = await ask(path)
    if (response?.body) return response.body
    const pause = response?.retryAfter ?? Math.min(2 ** attempt, 60)
    console.error(`${path}: ${response?.status ?? 'no answer'}; trying again in ${pause} s`)
    await sleep(pause * 1000)
  }
}

/** The body of an answer, or its status if it may be better later, or null without an answer. */
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
 * Reads a list from where we stopped to its end. A record that changes moves to the end of the list, and one that has become
 * visible is never put before what we have read, so nothing is missed. The newest records are read twice.
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
    // A cursor works only with the filters it was given for, so updated_after stays the same up to the end of the list.
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

/** The records of a page and our place behind it, both or neither: whenever this program dies, it goes on from there. */
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
 * Waits until something has happened after `seq`, and answers where the log of events ends now. The events themselves are not
 * needed: the lists have the records. Not every change has an event, such as that of a contact, so 25 seconds are enough.
 */
async function waitForUpdates(seq, timeout = 25) {
  await get(`/updates?after=${seq}&timeout=${timeout}&limit=1`)
  return findEnd()
}

const findEnd = async () => (await get('/updates?timeout=0')).last_seq

async function main() {
  if (!key) throw new Error('Set DESKBELL_API_KEY to a key of your project (Settings, API keys)')
  const known = db.prepare('select last_seq from log').get()
  // The server refuses a place behind the end of its log, which it has if it was put back to an older state.
  let seq = known ? await waitForUpdates(known.last_seq, 0) : await findEnd()
  for (;;) {
    for (const list of lists) await readList(list)
    db.prepare('replace into log (only, last_seq) values (1, ?)').run(seq)
    if (process.argv.includes('--once')) return
    // Once a second is often enough where much happens.
    await sleep(1000)
    seq = await waitForUpdates(seq)
  }
}

main().catch(error => {
  console.error(error.message)
  process.exitCode = 1
})
