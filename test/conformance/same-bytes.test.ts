import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { root } from '../../src/core/config/config.ts'
import { newId } from '../../src/core/ids.ts'
import { writeExports } from '../../src/exports/exports.ts'
import { createStorages } from '../../src/media/media.ts'
import { makeDepartment } from '../cast.ts'
import { makeChannel } from '../custom-channel.ts'
import { type Desk, openDesk } from '../desk.ts'
import { cookieOf } from '../live.ts'
import { joinProject, type Person } from '../operator.ts'
import { startServer, type TestServer } from '../server.ts'

/**
 * Compares what integrations receive with the bytes that version afe06d45 sent for the same work. To store these bytes again, run this
 * test in that version with DESKBELL_STORE_BYTES=1.
 */

const file = join(root, 'test/conformance/same-bytes.json')

let server: TestServer
let desk: Desk
let omar: Person
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
  omar = await joinProject(server, server.acme, { name: 'Omar', email: 'omar@example.com' })
})
after(() => server.close())

/** Makes every kind of change to a ticket. */
async function work(): Promise<void> {
  const { api, acme, db } = server
  const call = async (answer: Promise<{ status: number; text: string; body: { id: string } }>) => {
    const { status, text: shown, body } = await answer
    assert.ok(status < 300, shown)
    return body.id
  }
  const billing = await makeDepartment(db, acme)
  const channel = await makeChannel(desk.admin, api, { name: 'signal' })
  const contact = { email: 'ann@example.com', full_name: 'Ann "Ünï" Lee' }
  const first = await call(api.post('/tickets', { contact, subject: 'Größe\n"zwei"', content: 'Hello' }))
  const second = await call(api.post('/tickets', { contact, content: 'Second', tags: ['new'] }))
  const third = await call(api.post('/tickets', { contact: { email: 'bob@example.com' }, content: 'Third' }))
  const path = `/tickets/${first}`
  await call(api.patch(path, { priority: 'normal' }))
  await call(api.patch(path, { priority: 'urgent', tags: ['vip', 'a b'], custom_fields: {} }))
  await call(api.patch(path, { operator_id: omar.id, department_id: billing.id }))
  await call(api.patch(path, { status: 'pending', subject: 'Other', external_id: 'x-1' }))
  await call(api.patch(path, { snoozed_until: '2999-01-01T00:00:00Z' }))
  await call(api.patch(path, { status: 'open', is_spam: true }))
  await call(api.patch(path, { is_spam: false, operator_id: null }))
  await call(omar.api.post(`${path}/messages`, { content: 'A **reply**', content_format: 'markdown' }))
  const note = await call(omar.api.post(`${path}/messages`, { content: 'A note', is_internal: true }))
  await call(api.post(`${path}/messages`, { content: 'From a bot' }))
  await call(omar.api.patch(`/messages/${note}`, { content: 'An edited note' }))
  await call(api.post(`${path}/close`, { comment: 'Done' }))
  await call(api.post(`${path}/reopen`, {}))
  await call(api.post(`${path}/rate`, { rating: 4, comment: 'Good' }))
  await call(desk.operator.post(`${path}/force-take`))
  await call(omar.api.post(`${path}/transfer`, { department_id: billing.id, operator_id: omar.id }))
  await call(omar.api.post(`/tickets/${third}/take`))
  await call(api.post(`/tickets/${second}/merge`, { into_ticket_id: first }))
  await call(desk.operator.post(`/tickets/${second}/unmerge`))
  await call(api.patch(`/tickets/${second}`, { status: 'closed' }))
  for (const content of ['one', 'two']) await channel.post('p-1', content, { external_id: content })
}

/** The frames of the event log that a dashboard tab receives, as text. */
async function readStream(lastSeq: number): Promise<string> {
  const leaving = new AbortController()
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)])
  const address = `${new URL(server.url).origin}/api/dashboard/projects/${server.acme.id}/live?tab=${newId()}&after=0`
  const { body } = await fetch(address, { headers: { cookie: cookieOf(omar) }, signal })
  let shown = ''
  const isComplete = () => shown.includes(`id: ${lastSeq}\n`) && shown.endsWith('\n\n')
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    shown += chunk
    if (isComplete()) break
  }
  leaving.abort()
  const frames = shown.split('\n\n').filter(frame => frame.includes('event: log'))
  return frames.slice(0, lastSeq).join('\n\n')
}

async function readExport(): Promise<Record<string, string>> {
  const { id } = (await desk.owner.post('/exports', {})).body
  await writeExports({ db: server.db, storages: createStorages(server), log: server.log }, server.acme.id)
  const zip = await fromBufferPromise(
    Buffer.from(await (await desk.download(`/exports/${id}/file`)).arrayBuffer()),
  )
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry())
    if (/^(tickets|messages|contacts)\.jsonl$/.test(entry.fileName))
      files[entry.fileName] = await text(await zip.openReadStreamPromise(entry))
  return files
}

/** Masks times and durations, and replaces ids with numbers in the order in which they first occur. */
function createMask() {
  const ids = new Map<string, string>()
  return (shown: string, isFirst = true): string =>
    shown
      .replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, id => {
        const bare = id.replaceAll('-', '')
        const name = ids.get(bare) ?? (isFirst ? `<${ids.size + 1}>` : '<other>')
        ids.set(bare, name)
        return id.includes('-') ? name : `bare${name}`
      })
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?/g, '<time>')
      .replaceAll(/("resolution_secs": ?)\d+/g, '$1"<seconds>"')
}

/** A closed ticket no longer has `waiting_since`. */
const withoutWait = ({ waiting_since: _, ...rest }: Record<string, unknown>): object => rest

interface Printed {
  updates: string
  deliveries: string[]
  stream: string
  export: Record<string, object[]>
}

async function print(): Promise<Printed> {
  const hook = (await server.api.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body
  await work()
  const mask = createMask()
  const updates = await server.api.get('/updates?after=0&timeout=0&limit=100')
  assert.equal(updates.status, 200, updates.text)
  const list = await server.api.get(`/webhooks/${hook.id}/deliveries?page_size=100`)
  const bodies: string[] = []
  for (const { id } of list.body.items.reverse())
    bodies.push((await server.api.get(`/webhooks/${hook.id}/deliveries/${id}`)).body.request_body)
  const stream = await readStream(updates.body.last_seq)
  const printed = {
    updates: mask(updates.text),
    deliveries: bodies.map(body => mask(body)).sort(),
    stream: mask(stream),
  }
  const files = Object.entries(await readExport()).map(([name, lines]) => [
    name,
    mask(lines, false)
      .split('\n')
      .filter(Boolean)
      .sort()
      .map(line => withoutWait(JSON.parse(line))),
  ])
  return { ...printed, export: Object.fromEntries(files) }
}

/** Removes fields that `like` does not have, because later versions may add fields to the records of an export. */
function withoutNew(value: unknown, like: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(like)) return value.map((one, at) => withoutNew(one, like[at]))
  if (typeof value !== 'object' || value === null || typeof like !== 'object' || like === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key in like ? [[key, withoutNew(one, Object.entries(like).find(([name]) => name === key)![1])]] : [],
    ),
  )
}

test('webhooks, updates, the dashboard stream and exports contain the same bytes as before the ticket history existed', async () => {
  const printed = await print()
  if (process.env.DESKBELL_STORE_BYTES) writeFileSync(file, `${JSON.stringify(printed, null, 2)}\n`)
  const stored: Printed = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(printed.updates.split('},{'), stored.updates.split('},{'))
  assert.deepEqual(printed.deliveries, stored.deliveries)
  assert.deepEqual(printed.stream.split('\n\n'), stored.stream.split('\n\n'))
  assert.ok(printed.deliveries.length > 30 && printed.stream.length > 1_000)
  const linesOf = (files: object) =>
    Object.values(files)
      .flat()
      .map(one => JSON.stringify(one))
  assert.deepEqual(linesOf(Object(withoutNew(printed.export, stored.export))), linesOf(stored.export))
})
