import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'

/** What the API returns about the email of a message. */

const support = 'support@example.com'
let receiving: Receiving
let question: Awaited<ReturnType<typeof receive>>

const withHeaders = (raw: string, ...lines: string[]) => [...lines, raw].join('\r\n')

before(async () => {
  receiving = await startReceiving()
  await openMailbox(receiving, support)
  question = await receive(
    receiving,
    support,
    withHeaders(
      makeMail('A broken lamp', 'It does not light up.'),
      'Received: from b.example by c.example',
      'X-Color: =?utf-8?q?gr=C3=BCn?=',
      'Received: from a.example by b.example',
      'Message-ID: <lamp@example.com>',
    ),
  )
})
after(() => receiving.close())

const get = (path: string) => receiving.server.api.get(path)

test('lists the headers of an email in their original order, decoded and with their names as written', async () => {
  const { status, body } = await get(`/messages/${question.message_id}/email`)
  assert.equal(status, 200)
  const names = body.headers.map(({ name }: { name: string }) => name)
  const from = names.indexOf('X-Color') - 1
  assert.deepEqual(body.headers.slice(from, from + 3), [
    { name: 'Received', value: 'from b.example by c.example' },
    { name: 'X-Color', value: 'grün' },
    { name: 'Received', value: 'from a.example by b.example' },
  ])
})

test('has the fields of the message, and no quote if the email quotes nothing', async () => {
  const { body } = await get(`/messages/${question.message_id}/email`)
  const { body: message } = await get(`/messages/${question.message_id}`)
  assert.partialDeepStrictEqual(body, message.email)
  assert.partialDeepStrictEqual(body, {
    from: 'ann@example.com',
    thread_reason: 'new',
    quoted_text: '',
    quoted_html: null,
    has_raw: true,
  })
})

test('has the quoted text that the message leaves out', async () => {
  const answer = withHeaders(
    makeMail('Re: A broken lamp', 'Any news?\r\n\r\n> It does not light up.'),
    'In-Reply-To: <lamp@example.com>',
  )
  const { message_id } = await receive(receiving, support, answer)
  const { body } = await get(`/messages/${message_id}/email`)
  assert.partialDeepStrictEqual(body, {
    quoted_text: '> It does not light up.',
    thread_evidence: 'in_reply_to: lamp@example.com',
  })
  assert.equal((await get(`/messages/${message_id}`)).body.content, 'Any news?')
})

test('leaves out our signature with the quote, even if the quote has no marks', async () => {
  const { db, acme } = receiving.server
  const signature = 'Acme Lamps, open from 9 to 5'
  await db`update mailboxes set signature = ${signature} where project_id = ${acme.id}`
  const head = `From: Acme <${support}>\r\nSent: Tuesday, 3 November 2026 09:00\r\nTo: Ann\r\nSubject: A broken lamp`
  const quote = `${head}\r\n\r\nIt does not light up.\r\n\r\n-- \r\n${signature}`
  const answer = makeMail('Re: A broken lamp', `Any news?\r\n\r\n${quote}`)
  const { message_id } = await receive(
    receiving,
    support,
    withHeaders(answer, 'In-Reply-To: <lamp@example.com>'),
  )
  assert.equal((await get(`/messages/${message_id}`)).body.content, 'Any news?')
  const { body } = await get(`/messages/${message_id}/email`)
  assert.match(body.quoted_text, /open from 9 to 5$/)
})

test('downloads what was stored of the original, until it is deleted', async () => {
  const { url, acme, db } = receiving.server
  const path = `/messages/${question.message_id}/raw`
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${acme.key.key}` } })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'message/rfc822')
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="A broken lamp\.eml"/,
  )
  const source = await response.text()
  assert.match(source, /^X-Color: =\?utf-8\?q\?gr=C3=BCn\?=\r$/m)
  assert.equal(Number(response.headers.get('content-length')), Buffer.byteLength(source))
  await db`update incoming_mails set is_partial = true, size = size + 1000 where id = ${question.id}`
  const partial = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${acme.key.key}` } })
  assert.equal(await partial.text(), source)
  await db`update incoming_mails set storage_key = '' where id = ${question.id}`
  const { status, text } = await get(path)
  assert.equal(status, 404)
  assert.match(text, /File not found/)
  assert.equal((await get(`/messages/${question.message_id}/email`)).body.has_raw, false)
})

test('a note, which neither arrived nor leaves by email, has no email', async () => {
  const { body: posted } = await receiving.server.api.post(`/tickets/${question.ticket_id}/messages`, {
    content: 'Hello',
    is_internal: true,
  })
  for (const what of ['email', 'raw']) {
    const { status, body } = await get(`/messages/${posted.id}/${what}`)
    assert.deepEqual([status, body.error_code], [404, 'MESSAGE_NOT_FOUND'])
  }
})

test('another project sees neither the email nor its original', async () => {
  const { outsider } = receiving.server
  for (const what of ['email', 'raw'])
    assert.equal((await outsider.get(`/messages/${question.message_id}/${what}`)).status, 404)
})
