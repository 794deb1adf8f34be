import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { startImporting } from '../../../test/importing.ts'
import { startZendesk, zendeskEmail, zendeskToken } from '../../../test/zendesk.ts'
import { makeZendeskPages } from '../../../test/zendesk-pages.ts'

const { server, folder, run, importJson, listSkipped, get } = await startImporting()
const { db, acme, api, outsider } = server
const zendesk = await startZendesk(makeZendeskPages)
after(() => zendesk.close())
beforeEach(() => {
  zendesk.requests.length = 0
  zendesk.fault = null
})

await db`
  insert into operators (project_id, id, name, email) values (${acme.id}, gen_random_uuid(), 'Omar', 'omar@acme.example')`
await db`insert into departments (project_id, id, name) values (${acme.id}, gen_random_uuid(), 'Sales')`
await db`
  insert into custom_fields (project_id, id, record, key, label, type, options)
  values (${acme.id}, gen_random_uuid(), 'ticket', 'size', 'Size', 'select', '{Small,Large}')`

const tokenFile = join(folder, 'token')
writeFileSync(tokenFile, `${zendeskToken}\n`)
const access = ['--url', zendesk.url, '--email', zendeskEmail, '--token-file', tokenFile]
const importZendesk = (...words: string[]) => importJson('zendesk', ...access, ...words)

const findTicket = async (number: number) =>
  (await get(`/tickets?page_size=100`)).items.find(
    (one: { short_id: string }) => one.short_id === String(number),
  )

test('a dry run shows the counts and the values without a counterpart, and writes nothing', async () => {
  const counts = await importZendesk('--dry-run')
  assert.partialDeepStrictEqual(counts, {
    is_dry_run: true,
    tickets: { created: 3 },
    messages: { created: 134 },
  })
  assert.deepEqual(
    counts.unmapped.map(one => [one.field, one.value, one.reason].join(' ')).sort(),
    [
      'Order A-17 unknown_field',
      'author gone@acme.example unknown_operator',
      'department Repairs unknown_department',
      'operator gone@acme.example unknown_operator',
      'type question no_counterpart',
      'via.channel twitter no_counterpart',
      'via.channel web no_counterpart',
    ].sort(),
  )
  assert.deepEqual((await get('/tickets')).items, [])
  assert.ok(!zendesk.requests.some(path => path.includes('/attachments/')))
})

/** Makes the first call of each kind fail: with status 429, with a closed connection, and with an incomplete file. */
function failOnce() {
  const failed = new Set<string>()
  zendesk.fault = (path, response) => {
    const [name = ''] = path.split('?')
    if (failed.has(name)) return false
    failed.add(name)
    if (name.endsWith('/tickets/cursor.json')) response.writeHead(429, { 'retry-after': '0' }).end()
    else if (name.endsWith('/users/cursor.json')) response.socket!.destroy()
    else if (name.endsWith('/71')) {
      response.writeHead(200, { 'content-length': 5 }).write('hel')
      response.socket!.end()
    } else return false
    return true
  }
}

test('everything is imported although Zendesk rejects and interrupts calls, and missing records are listed', async () => {
  failOnce()
  assert.partialDeepStrictEqual(await importZendesk(), {
    contacts: { created: 2 },
    tickets: { created: 3 },
    messages: { created: 134, skipped: 0 },
    skipped: 2,
  })
  const reasons = listSkipped().map(one => `${one.source_id} ${one.reason}`)
  assert.deepEqual(reasons.sort(), ['1003 deleted', 'attachment 72 attachment_gone'])
  assert.equal((await outsider.get('/tickets')).body.items.length, 0)
})

test('tickets keep their numbers, people, statuses, custom fields, ratings and times', async () => {
  const lamp = await findTicket(1001)
  assert.partialDeepStrictEqual(lamp, {
    subject: 'Broken lamp',
    status: 'closed',
    priority: 'urgent',
    channel: 'email',
    tags: ['lamp', 'vip'],
    custom_fields: { size: 'Large' },
    rating: 5,
    rating_comment: 'Quick',
    reopened_count: 2,
    created_at: '2025-03-03T09:01:00.000000',
    closed_at: '2025-03-03T09:40:00.000000',
    contact: { full_name: 'Ann Lee', email: 'ann@example.com' },
  })
  const other = { status: 'on_hold', priority: 'normal', channel: 'api', operator_id: null }
  assert.partialDeepStrictEqual(await findTicket(1002), other)
  assert.equal((await findTicket(1004)).follow_up_of_id, lamp.id)
})

test('comments become messages and internal notes with their authors and files', async () => {
  const { items } = await get(`/tickets/${(await findTicket(1001)).id}/messages`)
  const shown = items.map((one: Record<string, unknown>) => [
    one.sender_type,
    one.sender_name,
    one.is_internal,
  ])
  assert.deepEqual(shown, [
    ['contact', 'Ann Lee', false],
    ['operator', 'Omar', true],
    ['operator', 'Gone', false],
  ])
  const files = items[0].media.map((one: { filename: string; size: number }) => [one.filename, one.size])
  assert.deepEqual(files, [['log.txt', 5]])
  assert.ok(items[0].content_html.includes(`src="/api/v1/media/${items[0].media[0].id}"`))
})

test('a second run reads comments only of tickets with new ones, and imports what is new', async () => {
  assert.partialDeepStrictEqual(await importZendesk(), { messages: { created: 0, existing: 134 } })
  assert.deepEqual(
    zendesk.requests.filter(path => path.includes('comments.json')),
    [],
  )
  const page = zendesk.pages['/api/v2/tickets/1002/comments.json']
  const added = {
    id: 5,
    author_id: 11,
    plain_body: 'Later',
    public: true,
    created_at: '2025-03-04T09:00:00Z',
  }
  Object.assign(page!, { comments: [...Object(page).comments, added] })
  const [, second] = Object(zendesk.pages['/api/v2/incremental/tickets/cursor.json']).tickets
  second.comment_count = 2
  assert.partialDeepStrictEqual(await importZendesk(), { tickets: { created: 0 }, messages: { created: 1 } })
})

test('a wrong token and an address without https are refused', async () => {
  writeFileSync(join(folder, 'wrong'), 'wrong')
  const words = ['--project', acme.id, '--email', zendeskEmail]
  const refused = await run('zendesk', ...words, '--url', zendesk.url, '--token-file', join(folder, 'wrong'))
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /Zendesk refused .* \(401\): check --email and the token/)
  const plain = await run('zendesk', ...words, '--url', 'http://acme.zendesk.com', '--token-file', tokenFile)
  assert.match(plain.stderr, /^--url should be an https address/)
  assert.equal((await api.get('/tickets')).body.items.length, 3)
})
