import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeMessage } from '../../../../test/cast.ts'
import { startExim } from '../../../../test/exim.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { freePort } from '../../../../test/free-port.ts'
import { openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { startRefusing } from '../../../../test/mail/refusing-server.ts'
import {
  findDelivery,
  listRecipientsOf,
  openEmailTicket,
  sendMails,
  sendThrough,
} from '../../../../test/mail/sending.ts'
import { needs } from '../../../../test/needs.ts'
import { until } from '../../../../test/until.ts'

/**
 * A real Exim accepts our emails and returns those that it cannot deliver. Its reports contain no exact status codes, and reasons of its
 * own only in their text.
 */

const support = 'support@tickets.example.com'
const installed = needs('exim4')
const context = openFileContext()
let receiving: Receiving

interface Case {
  title: string
  to: string
  /** Of the recipient. */
  expected: [status: string, code: string, words: string | null]
  /** Of the message, whose other recipient has the email. */
  error: string | null
  isUndeliverable: boolean
}

const failed = (title: string, to: string, code: string, words: string, error = words): Case => ({
  ...{ title, to, error, isUndeliverable: !code.startsWith('4') },
  expected: ['failed', code, words],
})

const cases: Case[] = [
  failed('an unknown user', 'unknown@other.example', '5.1.1', '550 5.1.1 No such user here'),
  failed('a full mailbox', 'full@other.example', '5.2.2', '552 5.2.2 Mailbox is full'),
  failed('a refusal without a status code', 'plain@other.example', '550', '550 unknown user'),
  failed(
    'a temporary refusal that lasts too long',
    'busy@other.example',
    '451',
    '451 try again later: retry timeout exceeded',
  ),
  failed(
    'a server that does not respond',
    'ann@down.example',
    '4.4.7',
    'retry timeout exceeded',
    '4.4.7 retry timeout exceeded',
  ),
  failed(
    'an unknown domain',
    'ann@nowhere.example',
    '5.0.0',
    'Unrouteable address',
    '5.0.0 Unrouteable address',
  ),
  {
    ...{ title: 'a warning about a delay', to: 'ann@late.example' },
    ...{ expected: ['delayed', '4.0.0', null], error: null, isUndeliverable: false },
  },
]

const sent: Record<string, string> = {}

/** Sends an email to a contact and to somebody whose server accepts it. */
async function send(contact: string, others: string[]): Promise<void> {
  const ticket = await openEmailTicket(receiving.server, contact)
  const { id } = await makeMessage(receiving.server.api, ticket.id, { email: { to: [contact, ...others] } })
  sent[contact] = id
}

before(async () => {
  if (installed.skip) return
  receiving = await startReceiving()
  context.after(() => receiving.close())
  const { server } = receiving
  const { id } = await openMailbox(receiving, support)
  const other = await startRefusing(context, {
    recipients: {
      unknown: [550, '5.1.1 No such user here'],
      full: [552, '5.2.2 Mailbox is full'],
      plain: [550, 'unknown user'],
      busy: [451, 'try again later'],
    },
    contents: { refused: [554, '5.7.1 Message refused'] },
  })
  const exim = await startExim(context, {
    routes: {
      deskbell: { domains: 'tickets.example.com', port: receiving.port, protocol: 'lmtp' },
      other: { domains: 'other.example', port: other },
      down: { domains: 'down.example : late.example', port: await freePort() },
    },
    retries: ['late.example * F,1h,1s'],
    delayWarning: '1s:1d',
  })
  await server.db`update mailboxes set plus_works = true where id = ${id}`
  await sendThrough(server, id, exim)
  for (const { to } of cases) await send(to, ['ann@other.example'])
  await send('refused@other.example', [])
  sendMails(context, server)
})

const findRecipient = (to: string) =>
  until(async () => {
    const rows = await listRecipientsOf(receiving.server, sent[to]!)
    const row = rows.find(({ address }) => address === to)!
    return ['failed', 'delayed'].includes(row.status) && row
  }, 60)

const isUndeliverable = async (email: string): Promise<boolean> => {
  const { items } = (await receiving.server.api.get(`/contacts?email=${encodeURIComponent(email)}`)).body
  return items[0].identities[0].is_undeliverable
}

for (const { title, to, expected, error, ...contact } of cases)
  test(`a report of Exim about ${title} changes only its recipient`, installed, async () => {
    const { status, code, words } = await findRecipient(to)
    assert.deepEqual([status, code, words], expected)
    assert.partialDeepStrictEqual(await findDelivery(receiving.server, sent[to]!), { status: 'sent', error })
    const rows = await listRecipientsOf(receiving.server, sent[to]!)
    assert.equal(rows.find(({ address }) => address === 'ann@other.example')?.status, 'sent')
    assert.equal(await isUndeliverable(to), contact.isUndeliverable)
  })

test('a report of Exim about a refused email fails the message', installed, async () => {
  const to = 'refused@other.example'
  const { code, words } = await findRecipient(to)
  assert.deepEqual([code, words], ['5.7.1', '554 5.7.1 Message refused'])
  assert.partialDeepStrictEqual(await findDelivery(receiving.server, sent[to]!), {
    status: 'failed',
    error: '554 5.7.1 Message refused',
  })
})
