import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMessage, makeOperator, makeTicket, unique } from '../../test/cast.ts'
import { importItems, importSource, oldMessage, oldTicket } from '../../test/imports.ts'
import { startServer } from '../../test/server.ts'
import { makePicture, makeUpload } from '../../test/upload.ts'
import { moveRemainingTickets } from '../contacts/contacts.ts'
import { transact } from '../events/transaction.ts'
import { recountActivity } from '../messages/messages.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const importTickets = (...items: object[]) => importItems(api, 'tickets', items)
const readTicket = async (id: string) => (await api.get(`/tickets/${id}`)).body
const readMessages = async (id: string) => (await api.get(`/tickets/${id}/messages`)).body.items
const reasonsOf = (result: { warnings: { reason: string }[] }) =>
  result.warnings.map(one => one.reason).sort()

test('files are attached in the order of the item, and a file of another project is reported', async () => {
  const [picture, text, theirs] = [await makePicture(api), await makeUpload(api), await makeUpload(outsider)]
  const message = oldMessage(unique(), { content: '', media_ids: [text.id, picture.id, theirs.id] })
  const [{ id, messages }] = await importTickets(oldTicket({ messages: [message] }))
  assert.deepEqual(messages[0].warnings, [{ field: 'media_ids', value: theirs.id, reason: 'not_found' }])
  const [read] = await readMessages(id)
  assert.deepEqual(
    read.media.map((file: { id: string }) => file.id),
    [text.id, picture.id],
  )
  assert.equal((await api.get(`/media/${text.id}/info`)).body.expires_at, null)
})

test('values that do not fit their custom field are left out, keys without a field are kept, and both are reported', async () => {
  await db`insert into custom_fields (project_id, id, record, key, label, type)
    values (${acme.id}, gen_random_uuid(), 'ticket', 'amount', 'Amount', 'number')`
  const [result] = await importTickets(oldTicket({ custom_fields: { amount: 'much', order: 'A-17' } }))
  assert.deepEqual(reasonsOf(result), ['unknown_field', 'wrong_type'])
  assert.deepEqual((await readTicket(result.id)).custom_fields, { order: 'A-17' })
})

test('a message can answer an earlier one of its ticket, and reactions of unknown people are left out', async () => {
  const operator = await makeOperator(db, acme)
  const [one, two] = [unique(), unique()]
  const reaction = { created_at: '2020-03-01T12:00:00Z' }
  const [{ id }] = await importTickets(
    oldTicket({
      messages: [
        oldMessage(one, {
          reactions: [
            { ...reaction, emoji: '👍', reactor_kind: 'operator', id: operator.id },
            { ...reaction, emoji: '❤️', reactor_kind: 'contact' },
            { ...reaction, emoji: '🎉', reactor_kind: 'operator', email: 'nobody@example.com' },
          ],
        }),
        oldMessage(two, { reply_to: one, created_at: '2020-03-01T09:30:00Z' }),
      ],
    }),
  )
  const [question, answer] = await readMessages(id)
  assert.equal(answer.reply_to_id, question.id)
  assert.deepEqual(question.reactions.map((r: { emoji: string }) => r.emoji).sort(), ['❤️', '👍'].sort())
})

test('scripts and remote images are removed from HTML, and files of the message are shown', async () => {
  const picture = await makePicture(api)
  const content_html = `<p>Hi<script>alert(1)</script></p><img src="/api/v1/media/${picture.id}"><img src="https://example.com/a.png">`
  const message = oldMessage(unique(), { content: 'Hi', content_html, media_ids: [picture.id] })
  const [{ id }] = await importTickets(oldTicket({ messages: [message] }))
  const [{ content_html: html }] = await readMessages(id)
  assert.doesNotMatch(html, /script| src="https/)
  assert.match(html, new RegExp(`src="/api/v1/media/${picture.id}"`))
})

test('a ticket that was merged into one that is not imported yet is merged when that one is imported', async () => {
  const target = oldTicket()
  const [source] = await importTickets(oldTicket({ merged_into: target.source_id }))
  assert.equal((await readTicket(source.id)).merged_into_id, null)
  const [survivor] = await importTickets(target)
  assert.equal((await readTicket(source.id)).merged_into_id, survivor.id)
})

test('times in the future become the time of the import, and a snooze that has ended is left out', async () => {
  const [result] = await importTickets(
    oldTicket({ status: 'on_hold', snoozed_until: '2021-01-01', updated_at: '2999-01-01' }),
  )
  assert.deepEqual(reasonsOf(result), ['future', 'past'])
  const ticket = await readTicket(result.id)
  assert.equal(ticket.snoozed_until, null)
  assert.ok(ticket.updated_at < '2999')
})

test('an imported snoozed ticket is due at the end of its snooze', async () => {
  const [{ id }] = await importTickets(oldTicket({ status: 'on_hold', snoozed_until: '2999-01-01' }))
  assert.equal((await readTicket(id)).snoozed_until, '2999-01-01T00:00:00.000000')
  const { count } = await db`
    select from due_work where project_id = ${acme.id} and kind = 'snoozes' and due_at = '2999-01-01'`
  assert.equal(count, 1)
})

test('the activity of an imported ticket is the same as if its messages had been posted', async () => {
  const at = (hour: number) => ({ created_at: `2020-03-01T1${hour}:00:00Z` })
  const messages = [
    oldMessage(unique(), at(0)),
    oldMessage(unique(), { ...at(1), author: { type: 'bot', name: 'Bot' } }),
    oldMessage(unique(), { ...at(2), author: { type: 'operator', name: 'Olga' }, is_internal: true }),
    oldMessage(unique(), { ...at(3), author: { type: 'operator', name: 'Olga' } }),
    oldMessage(unique(), { ...at(4), author: { type: 'operator', name: 'Olga' } }),
    oldMessage(unique(), {
      ...at(5),
      author: { type: 'system' },
      system: { kind: 'ticket_closed', data: {} },
    }),
    oldMessage(unique(), {
      ...at(6),
      author: { type: 'bot' },
      system: { kind: 'automatic_message', data: {} },
    }),
  ]
  const [{ id }] = await importTickets(oldTicket({ messages }))
  const imported = await readTicket(id)
  await transact(db, acme.id, tx => recountActivity(tx, id))
  assert.deepEqual(await readTicket(id), imported)
})

test('later messages are added to their ticket, and those of an unknown ticket are skipped', async () => {
  const item = oldTicket()
  const [{ id }] = await importTickets(item)
  const later = { created_at: '2020-03-05T09:00:00Z' }
  const results = await importItems(api, 'messages', [
    { ticket: item.source_id, ...oldMessage(unique(), later) },
    { ticket: 'nothing', ...oldMessage(unique(), later) },
  ])
  assert.deepEqual(
    results.map((one: { status: string; reason: string | null }) => [one.status, one.reason]),
    [
      ['created', null],
      ['skipped', 'ticket_not_found'],
    ],
  )
  assert.partialDeepStrictEqual(await readTicket(id), {
    messages_count: 3,
    last_contact_message_at: '2020-03-05T09:00:00.000000',
    updated_at: '2020-03-05T09:00:00.000000',
    waiting_since: null,
  })
})

test('contacts keep their times and addresses, and a merged contact leads to the contact that it was merged into', async () => {
  const [main, merged] = [unique(), unique()]
  const results = await importItems(api, 'contacts', [
    {
      source_id: main,
      email: `${main}@Example.com`,
      emails: [`${main}@work.example.com`],
      created_at: '2019-05-01',
      tags: ['VIP'],
      blocked_at: '2020-01-01',
    },
    { source_id: merged, full_name: 'Double', merged_into: main },
  ])
  const { body } = await api.get(`/contacts/email:${main}@work.example.com`)
  assert.partialDeepStrictEqual(body, {
    id: results[0].id,
    email: `${main}@example.com`,
    created_at: '2019-05-01T00:00:00.000000',
    updated_at: '2019-05-01T00:00:00.000000',
    is_blocked: true,
    tags: ['VIP'],
    source: 'import',
  })
  assert.equal((await api.get(`/contacts/${results[1].id}`)).body.id, results[0].id)
  assert.equal((await outsider.get(`/contacts/${results[0].id}`)).status, 404)
})

test('imported tickets count neither towards the tickets of the month nor as unread', async () => {
  const before = (await api.get('/project')).body.plan
  const [{ id }] = await importTickets(oldTicket({ status: 'open', waiting_since: '2020-03-01T09:00:00Z' }))
  assert.deepEqual((await api.get('/project')).body.plan, before)
  const [row] =
    await db`select imported_until = last_message_at as is_read from ticket_activity where ticket_id = ${id}`
  assert.equal(row!.is_read, true)
  assert.equal((await readTicket(id)).waiting_since, '2020-03-01T09:00:00.000000')
})

test('an import name with characters that are not allowed is refused', async () => {
  const answer = await api.post('/import/Zen%20Desk/tickets', { items: [oldTicket()] })
  assert.equal(answer.status, 422)
  const { items } = (await api.get('/import')).body
  assert.deepEqual(
    items.map((one: { source: string }) => one.source),
    [importSource],
  )
  assert.deepEqual((await outsider.get('/import')).body.items, [])
})

test('a live project keeps working while an import writes', async () => {
  const email = `${unique()}@example.com`
  const ticket = await makeTicket(api, { contact: { email } })
  const contact = { source_id: unique(), email }
  const acts = Array.from({ length: 10 }, (_, at) => [
    importTickets(
      ...Array.from({ length: 10 }, () => oldTicket({ contact, number: 10_000 + at, tags: ['new'] })),
    ),
    makeTicket(api, { contact: { email }, content: 'Hello', tags: ['new', `t${at}`] }),
    makeMessage(api, ticket.id, { content: 'Live' }),
  ])
  await Promise.all(acts.flat())
  assert.equal((await readTicket(ticket.id)).messages_count, ticket.messages_count + 10)
  const [row] = await db`
    select count(*)::int as all, count(distinct number)::int as numbers, min(number)::int as lowest from tickets where project_id = ${acme.id}`
  assert.equal(row!.all, row!.numbers)
  assert.ok(row!.lowest > 0)
})

test('HTML that would take too long to sanitise is left out, whichever elements are nested', async () => {
  for (const tags of ['<div>', '<dd><li>', '<a>', '<table><tr><td>']) {
    const content_html = tags.repeat(2_000)
    const message = oldMessage(unique(), { content_html, email: { quoted_html: content_html } })
    const [{ id, messages }] = await importTickets(oldTicket({ messages: [message] }))
    const [read] = await readMessages(id)
    assert.equal(read.content_html, `<p>${message.content}</p>`, tags)
    const warning = { field: 'content_html', value: null, reason: 'nested_too_deeply' }
    assert.deepEqual(messages[0].warnings, [warning])
  }
})

test('new messages of a ticket that was merged after its import are added to the ticket that has its other messages', async () => {
  const old = oldTicket()
  const [source, target] = await importTickets(old, oldTicket({ status: 'open' }))
  const merging = { into_ticket_id: target.id, force: true }
  assert.equal((await api.post(`/tickets/${source.id}/merge`, merging)).status, 200)
  const [viaTicket, viaMessages] = [oldMessage(unique()), oldMessage(unique())]
  await importTickets({ ...old, messages: [...old.messages, viaTicket] })
  await importItems(api, 'messages', [{ ticket: old.source_id, ...viaMessages }])
  const contents = (await readMessages(target.id)).map((one: { content: string }) => one.content)
  for (const { content } of [viaTicket, viaMessages]) assert.ok(contents.includes(content))
  assert.equal((await readTicket(target.id)).messages_count, contents.length)
  const rows = await db`select from messages where origin_ticket_id = ${source.id}`
  // Visitors of the website see messages that came from other tickets only if those tickets are theirs.
  assert.ok(rows.count >= 2)
})

test('contacts that were merged several times, or in a circle, leave no ticket to be moved', async () => {
  const [last, middle, first, one, two] = [unique(), unique(), unique(), unique(), unique()]
  const chain = await importItems(api, 'contacts', [
    { source_id: last },
    { source_id: first, merged_into: middle },
    { source_id: middle, merged_into: last },
  ])
  const circle = await importItems(api, 'contacts', [
    { source_id: one, merged_into: two },
    { source_id: two, merged_into: one },
  ])
  for (const { warnings } of circle) assert.equal(warnings[0].reason, 'not_found')
  for (const contact of [first, middle, one, two]) {
    const [{ id }] = await importTickets(oldTicket({ contact }))
    const { contact_id } = await readTicket(id)
    assert.equal((await api.get(`/contacts/${contact_id}`)).body.merged_into_id, null)
    if (contact === first) assert.equal(contact_id, chain[0].id)
  }
  assert.equal(await moveRemainingTickets(db, acme.id), 0)
})

test('messages can be added to tickets that were merged in a circle', async () => {
  const [one, two, later] = [unique(), unique(), unique()]
  const both = await importTickets(
    oldTicket({ source_id: one, merged_into: two }),
    oldTicket({ source_id: two, merged_into: one }),
  )
  for (const { warnings } of both)
    assert.partialDeepStrictEqual(warnings, [{ field: 'merged_into', reason: 'merged_in_circle' }])
  const last = unique()
  const [first] = await importTickets(oldTicket({ source_id: later, merged_into: last }))
  const [second] = await importTickets(oldTicket({ source_id: last, merged_into: later }))
  assert.deepEqual([first.warnings, second.warnings[0].reason], [[], 'merged_in_circle'])
  assert.equal((await readTicket(first.id)).merged_into_id, second.id)
  for (const { id } of [...both, second]) {
    const { status, body } = await api.post(`/tickets/${id}/messages`, { content: 'Hello' })
    assert.equal(status, 201, JSON.stringify(body))
  }
})

test('a request with an invalid item is refused with the position of the item, and imports nothing', async () => {
  const good = oldTicket()
  const items = [good, oldTicket({ status: 'waiting' })]
  const { status, body } = await api.post('/import/old-desk/tickets', { items })
  assert.equal(status, 422)
  assert.deepEqual(body.detail[0].loc, ['body', 'items', 1, 'status'])
  const rows = await db`
    select from tickets where project_id = ${acme.id} and subject = ${good.subject}`
  assert.equal(rows.count, 0)
})
