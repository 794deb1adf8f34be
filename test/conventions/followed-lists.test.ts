import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { makeContact, makeMessage, makeTicket, unique } from '../cast.ts'
import type { Answer } from '../client.ts'
import { makeArticle } from '../knowledge.ts'
import { startServer } from '../server.ts'

/**
 * A client keeps a copy of a list: while many others write, it repeatedly reads everything since the newest
 * time it has seen. In the end, its copy must equal the list. DESKBELL_CHANGES sets the number of changes per
 * list.
 */

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const writers = 24
const changes = Number(process.env.DESKBELL_CHANGES ?? 480)
const pick = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)]!

interface Listed {
  id: string
  created_at: string
  updated_at: string
}

const succeed = async (sent: Promise<Answer>) => {
  const answer = await sent
  assert.ok(answer.status < 300, answer.text)
  return answer
}

const contacts = await Promise.all(Array.from({ length: 40 }, () => makeContact(api)))
const tickets = await Promise.all(Array.from({ length: 40 }, () => makeTicket(api, { content: 'Hello' })))
const messages = await Promise.all(tickets.map(({ id }) => makeMessage(api, id)))
const slugs = Array.from({ length: 20 }, () => `article-${unique()}`)
const writeArticle = () => makeArticle(db, acme, { slug: pick(slugs), markdown: unique() })
for (const slug of slugs) await makeArticle(db, acme, { slug })

const change = (path: string, body: object) => succeed(api.patch(path, body))
const post = (ticketId: string, fields: object = {}) =>
  makeMessage(api, ticketId, { content: unique(), ...fields })

/** The changes that writers make to each list, each equally often. */
const acts: Record<string, (() => Promise<unknown>)[]> = {
  '/contacts': [
    () => makeContact(api),
    () => change(`/contacts/${pick(contacts).id}`, { note: unique() }),
    () => makeContact(api, { email: pick(contacts).email, full_name: unique() }),
  ],
  '/tickets': [
    () => makeTicket(api, { contact: { email: pick(contacts).email }, content: 'Hello' }),
    () => change(`/tickets/${pick(tickets).id}`, { subject: unique() }),
    () => post(pick(tickets).id),
    () => post(pick(tickets).id, { external_id: unique() }),
  ],
  '/messages': [
    () => post(pick(tickets).id),
    () => post(pick(tickets).id, { external_id: unique(), reply_to_id: null }),
    () => change(`/messages/${pick(messages).id}`, { content: unique() }),
  ],
  '/knowledge-base/articles': [writeArticle],
}

/** Keeps reading, and reads once more after the last write. */
async function keepCopy(path: string, time: 'created_at' | 'updated_at', isWriting: () => boolean) {
  const copy = new Map<string, string>()
  let newest = '2000-01-01T00:00:00'
  const read = async () => {
    let cursor: string | null = ''
    do {
      const query = `sort=${time}&${time.replace('_at', '_after')}=${newest}&page_size=100${cursor && `&cursor=${cursor}`}`
      const { body }: Answer = await succeed(api.get(`${path}?${query}`))
      for (const item of body.items as Listed[]) copy.set(item.id, item[time])
      cursor = body.next_cursor
    } while (cursor)
    newest = [...copy.values()].reduce((one, other) => (one > other ? one : other), newest)
  }
  while (isWriting()) await read()
  await read()
  return copy
}

async function write(path: string): Promise<void> {
  const each = Math.ceil(changes / writers)
  const one = async () => {
    for (let n = 0; n < each; n++) await pick(acts[path]!)()
  }
  await Promise.all(Array.from({ length: writers }, one))
}

async function listAll(path: string): Promise<Listed[]> {
  const items: Listed[] = []
  let cursor: string | null = ''
  do {
    const { body }: Answer = await api.get(`${path}?page_size=100${cursor && `&cursor=${cursor}`}`)
    items.push(...body.items)
    cursor = body.next_cursor
  } while (cursor)
  return items
}

for (const path of Object.keys(acts)) {
  test(`a client that reads ${path} by time misses nothing that ${writers} others write`, async () => {
    const times =
      path.endsWith('articles') || path === '/messages' ? ['updated_at'] : ['created_at', 'updated_at']
    let isWriting = true
    const copies = times.map(time => keepCopy(path, time as 'created_at' | 'updated_at', () => isWriting))
    await write(path)
    isWriting = false
    for (const [at, time] of times.entries()) {
      const copy = await copies[at]!
      const missed = (await listAll(path)).filter(item => copy.get(item.id) !== item[time as 'created_at'])
      assert.equal(missed.length, 0, `${missed.length} of ${copy.size} by ${time}`)
    }
    assert.equal((await outsider.get(path)).body.items.length, 0)
  })
}

test('this test covers every API list that can be read by time of change', () => {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
  const followed = Object.entries<Record<string, { parameters?: { name: string }[] }>>(paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'updated_after'))
    .map(([path]) => path)
  const sameAs: Record<string, string> = { '/contacts/{contact_id}/tickets': '/tickets' }
  assert.deepEqual([...new Set(followed.map(path => sameAs[path] ?? path))].sort(), Object.keys(acts).sort())
})
