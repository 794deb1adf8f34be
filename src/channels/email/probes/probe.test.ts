import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { deliverByLmtp } from '../../../../test/dovecot.ts'
import { writeDsn } from '../../../../test/mail/delivery-reports.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { startRelay } from '../../../../test/mail/relay.ts'
import { sendThrough } from '../../../../test/mail/sending.ts'
import { reply, type SinkScript } from '../../../../test/mail/sink.ts'
import { makeMail } from '../../../../test/mail.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'
import { createVault } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import { makeProbeAddress, makeProbeMailId } from '../../../mail/tokens.ts'
import { createStorages } from '../../../media/media.ts'
import { storeIncoming } from '../incoming/store.ts'
import { runProbes } from './send-probe.ts'

/** The emails that a mailbox sends to itself. */

let receiving: Receiving
let olga: Person
let rita: Person
before(async () => {
  receiving = await startReceiving()
  ;({ olga, rita } = await joinCast(receiving.server))
})
after(() => receiving.close())

/** A mailbox whose mail server delivers to this server. */
async function open(t: { after(run: () => unknown): void }, script: SinkScript = {}, name = 'support') {
  const relay = await startRelay(t, receiving, script)
  const { id, address } = await openMailbox(receiving, `${name}@${newId()}.example`)
  await sendThrough(receiving.server, id, relay)
  return { id, address, relay, path: `/mailboxes/${id}` }
}
type Opened = Awaited<ReturnType<typeof open>>

const isPlus = (to: string[]): boolean => to.some(address => address.includes('+'))

const testNow = async ({ path }: Opened) => (await olga.api.post(`${path}/probe`)).body.probe
const probeOf = async ({ path }: Opened) => (await olga.api.get(`${path}/probe`)).body.probe
const plusWorks = async ({ path }: Opened) => (await olga.api.get(path)).body.plus_works
const waitForEnd = (mailbox: Opened) =>
  until(async () => {
    const probe = await probeOf(mailbox)
    return probe.state === 'ended' && probe
  })

const outcomesOf = async ({ id }: Opened): Promise<string[]> =>
  (
    await receiving.server.db`
      select outcome from incoming_mails where mailbox_id = ${id} and state <> 'stored' order by created_at, id`
  ).map(({ outcome }) => outcome)

const countTickets = async (): Promise<number> =>
  (await receiving.server.db`select from tickets where project_id = ${receiving.server.acme.id}`).length

const age = ({ id }: Opened, minutes: number) => receiving.server.db`
  update mailbox_probes set sent_at = sent_at - ${minutes}::int * interval '1 minute',
    due_at = due_at - ${minutes}::int * interval '1 minute' where mailbox_id = ${id}`

test('test emails arrive at both addresses, do not become tickets, and show what the mail server says', async t => {
  const mailbox = await open(t)
  const before = await countTickets()
  assert.equal(await probeOf(mailbox), null)
  assert.equal((await testNow(mailbox)).error, null)
  const probe = await waitForEnd(mailbox)
  assert.equal(probe.plus, 'works')
  assert.ok(probe.round_trip >= 0 && probe.round_trip < 60)
  assert.deepEqual(probe.authentication, {
    ...{ server: 'mx.acme.example', spf: 'pass', dkim: 'none', dmarc: 'fail', arc: 'none' },
  })
  assert.equal(await plusWorks(mailbox), true)
  assert.deepEqual(await outcomesOf(mailbox), ['probe', 'probe'])
  assert.equal(await countTickets(), before)
  const [plain, plus] = mailbox.relay.mails
  assert.deepEqual([plain!.from, plain!.to], [mailbox.address, [mailbox.address]])
  assert.match(plus!.to[0]!, /^support\+p\.[a-z2-7]{26}\.[a-z2-7]{16}@/)
  assert.match(plain!.raw, /^Auto-Submitted: auto-generated\r$/m)
  const { items } = (await olga.api.get('/audit')).body
  assert.partialDeepStrictEqual(items[0], { action: 'mailbox.tested', target_id: mailbox.id })
})

test('if the mail server refuses the plus address, the result contains its response', async t => {
  const mailbox = await open(t, {
    onRecipient: to => (isPlus([to]) ? reply(550, '5.1.1 No such user') : undefined),
  })
  await testNow(mailbox)
  const probe = await waitForEnd(mailbox)
  assert.deepEqual([probe.plus, probe.plus_refusal], ['refused', '550 5.1.1 No such user'])
  assert.ok(probe.round_trip !== null)
  assert.equal(await plusWorks(mailbox), false)
})

test('if the email to the plus address bounces, plus addresses do not work', async t => {
  const mailbox = await open(t, { onMail: ({ to }) => (isPlus(to) ? 'cut' : 'accept') })
  await testNow(mailbox)
  const { raw, to } = await until(() => mailbox.relay.mails.find(mail => isPlus(mail.to)))
  const returned = `Message-ID: ${/^Message-ID:\s+(\S+)/im.exec(raw)![1]}`
  const report = writeDsn({ to: mailbox.address, returned }, [{ address: to[0]! }])
  const { outcome } = await receive(receiving, mailbox.address, report)
  assert.equal(outcome, 'probe')
  assert.partialDeepStrictEqual(await waitForEnd(mailbox), {
    plus: 'refused',
    plus_refusal: '550 5.1.1 No such user',
  })
  assert.equal(await plusWorks(mailbox), false)
})

test('an email that has not arrived after 5 minutes counts as lost, until it arrives later', async t => {
  const mailbox = await open(t, { onMail: ({ to }) => (isPlus(to) ? 'cut' : 'accept') })
  await testNow(mailbox)
  await until(async () => (await probeOf(mailbox)).round_trip !== null)
  await runProbes(receiving.server)
  assert.partialDeepStrictEqual(await probeOf(mailbox), { state: 'sent', plus: 'waiting' })
  await age(mailbox, 6)
  await runProbes(receiving.server)
  assert.partialDeepStrictEqual(await probeOf(mailbox), { state: 'ended', plus: 'not_arrived' })
  assert.equal(await plusWorks(mailbox), false)
  const late = mailbox.relay.mails.find(({ to }) => isPlus(to))!
  assert.equal((await receive(receiving, late.to[0]!, late.raw)).outcome, 'probe')
  assert.equal((await probeOf(mailbox)).plus, 'works')
  assert.equal(await plusWorks(mailbox), true)
})

test('test emails from an earlier test, or from more than a day ago, change nothing and do not become tickets', async t => {
  const mailbox = await open(t, { onMail: ({ to }) => (isPlus(to) ? 'cut' : 'accept') })
  await testNow(mailbox)
  const [old] = await until(() => mailbox.relay.mails.filter(({ to }) => isPlus(to)))
  await testNow(mailbox)
  const before = await countTickets()
  assert.equal((await receive(receiving, old!.to[0]!, old!.raw)).outcome, 'probe')
  assert.equal(await plusWorks(mailbox), null)
  await age(mailbox, 25 * 60)
  const expired = mailbox.relay.mails.findLast(({ to }) => isPlus(to))!
  assert.equal((await receive(receiving, expired.to[0]!, expired.raw)).outcome, 'probe')
  assert.equal(await plusWorks(mailbox), null)
  assert.equal(await countTickets(), before)
})

test('a forged test email is handled like any other email', async t => {
  const mailbox = await open(t, { onMail: () => 'cut' })
  await testNow(mailbox)
  const [row] = await receiving.server.db`select id from mailbox_probes where mailbox_id = ${mailbox.id}`
  const { id } = row!
  const key = createVault(Buffer.alloc(32, 7)).derive('mail')
  const forged = makeProbeAddress(key, mailbox.address, id)!
  const write = (from: string) =>
    makeMail().replace('Ann <ann@example.com>', from).replace('To: support@example.com', `To: ${forged}`)
  const own = `References: <${makeProbeMailId(key, 'plus', id, 'acme.example')}>\r\n${write(`<${mailbox.address}>`)}`
  assert.equal((await receive(receiving, forged, own)).outcome, 'loop')
  assert.equal((await receive(receiving, forged, write('<ann@example.com>'))).outcome, 'new')
  assert.partialDeepStrictEqual(await probeOf(mailbox), { plus: 'waiting', round_trip: null })
  assert.equal(await plusWorks(mailbox), null)
})

test('a test email changes nothing in another mailbox or another project', async t => {
  const mailbox = await open(t, { onMail: () => 'cut' })
  const other = await open(t, { onMail: () => 'cut' })
  const theirs = await openMailbox(receiving, `help@${newId()}.example`, {}, receiving.server.rival)
  await testNow(mailbox)
  const { raw } = await until(() => mailbox.relay.mails.find(({ to }) => isPlus(to)))
  assert.equal((await receive(receiving, other.address, raw)).outcome, 'probe')
  await receive(receiving, theirs.address, raw, receiving.server.rival)
  const rows = await receiving.server.db`
    select from mailboxes where id in (${mailbox.id}, ${other.id}, ${theirs.id}) and plus_works is not null`
  assert.equal(rows.length, 0)
  assert.equal((await probeOf(mailbox)).plus, 'waiting')
})

test('a copy in the Sent folder does not count as arrived', async t => {
  const mailbox = await open(t, { onMail: () => 'cut' })
  await testNow(mailbox)
  const { raw } = await until(() => mailbox.relay.mails.find(({ to }) => isPlus(to)))
  const { server } = receiving
  const origin = {
    project_id: server.acme.id,
    mailbox_id: mailbox.id,
    source: 'imap',
    received_at: '2026-01-01',
  } as const
  await storeIncoming(
    { ...server, storages: createStorages(server) },
    origin,
    Readable.from([Buffer.from(raw)]),
  )
  await until(async () => (await outcomesOf(mailbox)).includes('probe'))
  assert.equal((await probeOf(mailbox)).plus, 'waiting')
})

test('a test that cannot be sent says why, and does not change plus_works', async t => {
  const mailbox = await open(t, { onMail: () => reply(530, 'Authentication required') })
  const probe = await testNow(mailbox)
  assert.partialDeepStrictEqual(probe, { state: 'ended', plus: 'untested', error: { code: 'needs_login' } })
  await receiving.server.db`update mailboxes set sending = 'none' where id = ${mailbox.id}`
  assert.equal((await testNow(mailbox)).error.code, 'not_sending')
  assert.equal(await plusWorks(mailbox), null)
})

test('no email is sent to a plus address that would be too long', async t => {
  const mailbox = await open(t, {}, 'customer-care-worldwide')
  await testNow(mailbox)
  assert.equal((await waitForEnd(mailbox)).plus, 'too_long')
  assert.equal(mailbox.relay.mails.length, 1)
  assert.equal(await plusWorks(mailbox), false)
})

test('a mailbox is tested after it is added and after its servers change', async t => {
  const { port, mails } = await startRelay(t, receiving)
  const smtp = { host: '127.0.0.1', port, security: 'none', auth: 'none' }
  const address = `auto@${newId()}.example`
  const { body } = await olga.api.post('/mailboxes', { address, incoming: 'listen', sending: 'smtp', smtp })
  const mailbox = { path: `/mailboxes/${body.id}` } as Opened
  assert.equal((await probeOf(mailbox)).state, 'waiting')
  await runProbes(receiving.server)
  assert.equal((await waitForEnd(mailbox)).plus, 'works')
  await olga.api.patch(mailbox.path, { name: 'Acme' })
  assert.equal((await probeOf(mailbox)).state, 'ended')
  await olga.api.patch(mailbox.path, { smtp: { host: 'localhost' } })
  assert.equal((await probeOf(mailbox)).state, 'waiting')
  assert.equal(mails.length, 2)
})

test('people in another project cannot test the mailbox or see the result', async t => {
  const { path, relay } = await open(t)
  assert.equal((await rita.api.post(`${path}/probe`)).status, 404)
  assert.equal((await rita.api.get(`${path}/probe`)).status, 404)
  assert.equal(relay.state.connections, 0)
})

test('if plus addresses work, a reply has a reply address, and an email to it joins the ticket', async t => {
  const mailbox = await open(t)
  await testNow(mailbox)
  await until(() => plusWorks(mailbox))
  const { ticket_id } = await receive(receiving, mailbox.address, makeMail('Lamp'))
  const { body } = await receiving.server.api.post(`/tickets/${ticket_id}/messages`, { content: 'Hello' })
  const [address] = body.email.reply_to
  assert.match(address, /^support\+r\./)
  await deliverByLmtp(receiving.port, address, makeMail('Something else'))
  await until(async () => (await outcomesOf(mailbox)).includes('reply_token'))
})
