import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ImapFlow } from 'imapflow'
import { type Dovecot, startDovecot } from '../../../../test/dovecot.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { postEmail, sendMails, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { makeMailbox } from '../../../../test/mail.ts'
import { needs } from '../../../../test/needs.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** Copies in the Sent folder of a real Dovecot, and what they say about an email whose answer was lost. */

const installed = needs('dovecot')
const users = ['saving', 'looking', 'failing', 'ending']

let server: TestServer
let dovecot: Dovecot
const context = openFileContext()

before(async () => {
  if (installed.skip) return
  server = await startServer({ delivers: false })
  context.after(() => server.close())
  dovecot = await startDovecot(context, { users: Object.fromEntries(users.map(user => [user, 'secret'])) })
})

async function withSent<T>(user: string, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const auth = { user, pass: 'secret' }
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: dovecot.imapPort,
    secure: false,
    auth,
    logger: false,
  })
  await client.connect()
  try {
    await client.mailboxCreate('Sent')
    await client.mailboxOpen('Sent')
    return await work(client)
  } finally {
    await client.logout()
  }
}

const listSent = (user: string): Promise<string[]> =>
  withSent(user, async client => {
    const mails = await client.fetchAll('1:*', { source: true }).catch(() => [])
    return mails.map(({ source }) => source!.toString('latin1'))
  })

async function openSaving(user: string, port: number) {
  await listSent(user)
  const mailbox = await makeMailbox(server, dovecot, { user })
  const smtp = { host: '127.0.0.1', port, security: 'none', user: '', auth: 'none' }
  await server.db`
    update mailboxes set sending = 'smtp', smtp = ${smtp as never}, saves_sent = true, sent_folder = 'Sent'
    where id = ${mailbox.id}`
  return mailbox
}

const untilSaved = (id: string) =>
  until(
    async () =>
      (await server.db`select from outgoing_emails where message_id = ${id} and is_saved and save_at is null`)
        .length,
  )

const makeDue = (id: string) =>
  server.db`update outgoing_emails set is_saved = null, save_at = now() where message_id = ${id}`

test('stores one copy of a sent email, with the bytes that were sent', installed, async t => {
  const sink = await startSink(t)
  const mailbox = await openSaving('saving', sink.port)
  sendMails(t, server)
  const id = await postEmail(server, mailbox)
  await waitForDelivery(server, id)
  await untilSaved(id)
  const copies = await listSent('saving')
  assert.deepEqual(
    copies.map(copy => copy.trimEnd()),
    sink.mails.map(({ raw }) => raw.trimEnd()),
  )
  const raw = await server.api.get(`/messages/${id}/raw`)
  assert.equal(raw.status, 200)
  assert.equal((await server.outsider.get(`/messages/${id}/raw`)).status, 404)
})

test('an email whose answer was lost is not sent again if it is in Sent', installed, async t => {
  const sink = await startSink(t, {
    async onMail({ raw }) {
      await withSent('looking', client => client.append('Sent', Buffer.from(raw, 'latin1')))
      return 'cut' as const
    },
  })
  const mailbox = await openSaving('looking', sink.port)
  sendMails(t, server)
  const id = await postEmail(server, mailbox)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), {
    status: 'sent',
    error: null,
    attempts: 1,
  })
  assert.equal(sink.mails.length, 1)
})

test('storing a copy in Sent is retried later if it fails', installed, async t => {
  const sink = await startSink(t)
  const mailbox = await openSaving('failing', sink.port)
  const { db } = server
  await db`update mailboxes set sent_folder = 'Missing' where id = ${mailbox.id}`
  const sending = sendMails(t, server)
  const id = await postEmail(server, mailbox)
  await waitForDelivery(server, id)
  await sending.stop()
  const [row] = await db`select is_saved, save_at from outgoing_emails where message_id = ${id}`
  assert.equal(row!.is_saved, null)
  assert.notEqual(row!.save_at, null)
  await db`update mailboxes set sent_folder = 'Sent' where id = ${mailbox.id}`
  await makeDue(id)
  sendMails(t, server)
  await untilSaved(id)
  assert.equal((await listSent('failing')).length, 1)
})

test(
  'a copy is not stored twice if the process ends before recording that it was stored',
  installed,
  async t => {
    const sink = await startSink(t)
    const mailbox = await openSaving('ending', sink.port)
    const sending = sendMails(t, server)
    const id = await postEmail(server, mailbox)
    await waitForDelivery(server, id)
    await untilSaved(id)
    await sending.stop()
    await makeDue(id)
    sendMails(t, server)
    await untilSaved(id)
    assert.equal((await listSent('ending')).length, 1)
  },
)
