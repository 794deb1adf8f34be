import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receive, startSupport } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'

/** The log of received emails. */

const support = 'support@example.com'
const { receiving, get } = await startSupport(support)

const subjects = async (query: string): Promise<string[]> =>
  (await get(`/mail-log?${query}`)).items.map(({ subject }: { subject: string }) => subject)

test('filters by several outcomes', async () => {
  const mail = makeMail('Filtered')
  await receive(receiving, support, mail)
  await receive(receiving, support, mail)
  await receive(receiving, support, makeMail('Empty', '').replace('From: Ann <ann@example.com>', 'From: '))
  const found = await get('/mail-log?outcome=duplicate,no_sender')
  assert.deepEqual(
    found.items.map(({ outcome }: { outcome: string }) => outcome),
    ['no_sender', 'duplicate'],
  )
  assert.equal((await receiving.server.api.get('/mail-log?outcome=lost')).status, 422)
})

test('finds emails by the beginning of their sender or subject, whatever its case', async () => {
  const mail = makeMail('Überraschung 100%').replace('Ann <ann@', 'Zoe <Zoe@')
  await receive(receiving, support, mail)
  assert.deepEqual(await subjects('q=zoe@EXAMPLE'), ['Überraschung 100%'])
  assert.deepEqual(await subjects(`q=${encodeURIComponent('überraschung 100%')}`), ['Überraschung 100%'])
  assert.deepEqual(await subjects('q=raschung'), [])
  assert.deepEqual(await subjects(`q=${encodeURIComponent('über_')}`), [])
})

test('finds an email by its Message-ID, with or without angle brackets', async () => {
  await receive(
    receiving,
    support,
    makeMail('By its ID').replace(/^Message-ID.*$/m, 'Message-ID: <Only.One@x.example>\r'),
  )
  assert.deepEqual(await subjects('q=Only.One@x.example'), ['By its ID'])
  assert.deepEqual(await subjects(`q=${encodeURIComponent('<Only.One@x.example>')}`), ['By its ID'])
  assert.deepEqual(await subjects('q=Only.One@x'), [])
})

test("lists a ticket's emails, also after its messages have moved to another ticket", async () => {
  const mail = await receive(receiving, support, makeMail('Of a ticket'))
  const { short_id } = await get(`/tickets/${mail.ticket_id}`)
  assert.deepEqual(await subjects(`ticket_id=${short_id}`), ['Of a ticket'])
  const other = await receive(receiving, support, makeMail('Another matter'))
  await receiving.server.api.post(`/tickets/${mail.ticket_id}/merge`, { into_ticket_id: other.ticket_id })
  assert.deepEqual(await subjects(`ticket_id=${other.ticket_id}`), ['Another matter', 'Of a ticket'])
  assert.equal((await get(`/mail-log/${mail.id}`)).ticket_id, other.ticket_id)
  assert.deepEqual(await subjects('ticket_id=999999'), [])
})

test("an entry shows the email's envelope, Message-ID and evidence", async () => {
  const mail = await receive(receiving, support, makeMail('In detail'))
  const entry = await get(`/mail-log/${mail.id}`)
  assert.partialDeepStrictEqual(entry, {
    source: 'lmtp',
    outcome: 'new',
    reason: 'person',
    evidence: null,
    last_error: null,
    attempts: 1,
    has_raw: true,
    duplicate_of_id: null,
    next_attempt_at: null,
    envelope: { to: [support], client_ip: '127.0.0.1' },
  })
  assert.match(entry.header_id, /@example\.com$/)
})

test('the entry of a duplicate leads to the copy that was handled', async () => {
  const mail = makeMail('Two copies')
  const first = await receive(receiving, support, mail)
  const second = await receive(receiving, support, mail)
  assert.equal((await get(`/mail-log/${second.id}`)).duplicate_of_id, first.id)
})

test('the original of an email is downloaded byte for byte', async () => {
  const text = makeMail('The original')
  const { id } = await receive(receiving, support, text)
  const { text: raw, headers } = await receiving.server.api.get(`/mail-log/${id}/raw`)
  assert.ok(raw.endsWith(text), raw)
  assert.equal(headers.get('content-type'), 'message/rfc822')
  assert.match(headers.get('content-disposition')!, /^attachment; filename="The original\.eml"/)
})

test('an original that is no longer stored answers 404', async () => {
  const { server } = receiving
  const { id } = await receive(receiving, support, makeMail('Deleted'))
  await server.db`update incoming_mails set storage_key = '' where project_id = ${server.acme.id} and id = ${id}`
  const { status, body } = await server.api.get(`/mail-log/${id}/raw`)
  assert.deepEqual([status, body], [404, { detail: 'File not found' }])
  assert.equal((await get(`/mail-log/${id}`)).has_raw, false)
})

test('another project sees neither an entry nor its original', async () => {
  const { id } = await receive(receiving, support, makeMail('Only for Acme'))
  for (const path of [`/mail-log/${id}`, `/mail-log/${id}/raw`])
    assert.equal((await receiving.server.outsider.get(path)).status, 404)
  assert.equal((await receiving.server.outsider.get('/mail-log?q=Only')).body.items.length, 0)
})
