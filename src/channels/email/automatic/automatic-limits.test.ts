import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { deliverByLmtp } from '../../../../test/dovecot.ts'
import {
  deliver,
  deliverMany,
  listAutomatic,
  listHeld,
  openAnswering,
} from '../../../../test/mail/automatic.ts'
import { type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { sendMails } from '../../../../test/mail/sending.ts'
import { type SunkMail, startSink } from '../../../../test/mail/sink.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { until } from '../../../../test/until.ts'
import { newId } from '../../../core/ids.ts'
import { createStorages } from '../../../media/media.ts'
import { startHandling } from '../incoming/handle.ts'
import { createMailTaker } from '../incoming/take-mail.ts'
import { takeReport } from '../reports/take-report.ts'

/** Limits on automatic emails, and mail loops between two installations. */

let receiving: Receiving
let other: Receiving
const stops: (() => unknown)[] = []

before(async () => {
  receiving = await startReceiving()
  other = await startReceiving()
  // Competes for the same emails, as a second process would.
  const { server } = receiving
  const taker = createMailTaker({ ...server, storages: createStorages(server), onReport: takeReport })
  const handling = startHandling({ ...server, onMail: taker.take })
  stops.push(() => handling.stop(), taker.close)
})
after(async () => {
  for (const stop of stops) await stop()
  await Promise.all([receiving.close(), other.close()])
})

const countTo = async (domain: string): Promise<number> =>
  (await receiving.server.db`select from automatic_emails where domain = ${domain}`).length

test('an address gets at most two automatic emails a day, and a note in the ticket says why there was no third', async () => {
  const { server } = receiving
  const { address } = await openAnswering(receiving, { port: 1 })
  const mail = { from: 'Ann <Ann@daily.example>', subject: 'My lamp' }
  for (const expected of [1, 1, 0]) {
    const { ticketId } = await deliver(receiving, address, { ...mail, subject: newId() })
    assert.equal((await listAutomatic(receiving, ticketId)).length, expected)
    assert.deepEqual(await listHeld(receiving, ticketId), expected ? [] : ['address_limit'])
  }
  await server.db`update automatic_emails set sent_at = sent_at - interval '1 day'`
  const { ticketId } = await deliver(receiving, address, { ...mail, subject: newId() })
  assert.equal((await listAutomatic(receiving, ticketId)).length, 1)
})

test('all plus addresses of a sender count as one address', async () => {
  const { address } = await openAnswering(receiving, { port: 1 })
  for (const [tag, expected] of [
    ['', 1],
    ['+a', 1],
    ['+b', 0],
    ['+c+d', 0],
  ] as const) {
    const mail = { from: `ann${tag}@tagged.example`, subject: newId() }
    const { ticketId } = await deliver(receiving, address, mail)
    assert.equal((await listAutomatic(receiving, ticketId)).length, expected, tag)
  }
})

test('only two of many simultaneous emails from an address are acknowledged', async () => {
  const { address } = await openAnswering(receiving, { port: 1 })
  const mails = Array.from({ length: 8 }, (_, n) => ({
    from: 'bob@atonce.example',
    subject: `Lamp ${n} ${newId()}`,
  }))
  await deliverMany(receiving, address, mails)
  assert.equal(await countTo('atonce.example'), 2)
})

test('only 20 emails an hour from a domain are acknowledged, even if many arrive simultaneously', async () => {
  const { server } = receiving
  const { address } = await openAnswering(receiving, { port: 1 })
  const mails = Array.from({ length: 24 }, (_, n) => ({ from: `person${n}@crowd.example` }))
  await deliverMany(receiving, address, mails)
  assert.equal(await countTo('crowd.example'), 20)
  const late = await deliver(receiving, address, { from: 'late@crowd.example' })
  assert.deepEqual(await listHeld(receiving, late.ticketId), ['domain_limit'])
  await server.db`
    update automatic_emails set sent_at = sent_at - interval '1 hour' where domain = 'crowd.example'`
  const later = await deliver(receiving, address, { from: 'later@crowd.example' })
  assert.equal((await listAutomatic(receiving, later.ticketId)).length, 1)
})

/** Connects two installations that send emails to each other. `change` simulates a mail server between them. */
async function connectInstallations(
  t: TestContext,
  change = (mail: SunkMail): Pick<SunkMail, 'from' | 'raw'> => mail,
) {
  const sides = [receiving, other]
  const passed: SunkMail[] = []
  const ends = []
  for (const at of [0, 1]) {
    const sink = await startSink(t, {
      onMail: async mail => {
        passed.push(mail)
        const { from, raw } = change(mail)
        await deliverByLmtp(sides[1 - at]!.port, mail.to[0]!, raw, from)
        return 'accept' as const
      },
    })
    ends.push(await openAnswering(sides[at]!, sink))
    sendMails(t, sides[at]!.server)
  }
  return { passed, acme: ends[0]!, theirs: ends[1]! }
}

const isQuiet = async ({ server: { db } }: Receiving): Promise<boolean> => {
  const [row] = await db`
    select (select count(*) from outgoing_queue where run_at < now() + interval '1 minute')
      + (select count(*) from incoming_mails where state = 'stored') as waiting`
  return Number(row!.waiting) === 0
}

/** Waits until no email is queued or being handled. */
const waitUntilQuiet = () =>
  until(async () => (await isQuiet(receiving)) && (await isQuiet(other)) && (await isQuiet(receiving)))

const newestTicket = async ({ server: { db } }: Receiving): Promise<string> =>
  (await db`select id from tickets order by created_at desc limit 1`)[0]!.id

test('a mail loop between two installations stops after the first acknowledgement, with a note', async t => {
  const { passed, acme, theirs } = await connectInstallations(t)
  const { raw } = writeMail({ from: theirs.address, to: acme.address })
  await receiving.server.db`delete from outgoing_queue`
  await deliverByLmtp(receiving.port, acme.address, raw)
  await until(() => passed.length === 1)
  await until(async () => (await other.server.db`select from incoming_mails where state = 'done'`).length > 0)
  await waitUntilQuiet()
  assert.equal(passed.length, 1)
  assert.deepEqual(await listHeld(other, await newestTicket(other)), ['automatic_reply'])
})

test('a mail loop between two installations stops after three emails, even if a mail server removes all signs that they are automatic', async t => {
  const removed =
    /^(?:auto-submitted|x-auto-response-suppress|x-deskbell-sent|references|in-reply-to|thread-index):.*\r\n(?:[ \t].*\r\n)*/gim
  const { passed, acme, theirs } = await connectInstallations(t, ({ raw }) => ({
    from: 'relay@relay.example',
    raw: raw.replaceAll(removed, '').replace(/^Message-ID:\s.*$/im, `Message-ID: <${newId()}@relay.example>`),
  }))
  const { raw } = writeMail({ from: theirs.address, to: acme.address, subject: 'Hello there' })
  await deliverByLmtp(receiving.port, acme.address, raw, theirs.address)
  await until(() => passed.length >= 2)
  await waitUntilQuiet()
  assert.equal(passed.length, 2)
})

test('an out-of-office reply gets no answer, and a single note says so', async t => {
  const sink = await startSink(t)
  const { address } = await openAnswering(receiving, sink)
  sendMails(t, receiving.server)
  const first = await deliver(receiving, address, { from: 'vera@away.example' })
  await until(() => sink.mails.length === 1)
  const answers = /^Message-ID:\s*<(.*)>/im.exec(sink.mails[0]!.raw)![1]!
  const vacation = { from: 'vera@away.example', answers, headers: ['Auto-Submitted: auto-replied'] }
  for (const _ of [1, 2]) {
    const second = await deliver(receiving, address, { ...vacation, subject: 'Out of office' })
    assert.equal(second.ticketId, first.ticketId)
  }
  assert.equal((await listAutomatic(receiving, first.ticketId)).length, 1)
  assert.deepEqual(await listHeld(receiving, first.ticketId), ['automatic_reply'])
})
