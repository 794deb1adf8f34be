import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeMessage } from '../../../../test/cast.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { freePort } from '../../../../test/free-port.ts'
import { openMailbox, type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { startRefusing } from '../../../../test/mail/refusing-server.ts'
import {
  listRecipientsOf,
  openEmailTicket,
  sendMails,
  sendThrough,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { needs } from '../../../../test/needs.ts'
import { type Postfix, startPostfix } from '../../../../test/postfix.ts'
import { until } from '../../../../test/until.ts'

/** A real Postfix accepts our emails and returns those that other servers refuse. Its bounces reach Deskbell at the return path. */

const support = 'support@tickets.example.com'
const installed = needs('postfix')
const context = openFileContext()
let receiving: Receiving
let postfix: Postfix

const answers: Record<string, [code: number, words: string]> = {
  unknown: [550, '5.1.1 No such user here'],
  full: [552, '5.2.2 Mailbox is full'],
  refused: [554, '5.7.1 Message refused'],
}

before(async () => {
  if (installed.skip) return
  receiving = await startReceiving()
  context.after(() => receiving.close())
  const { id } = await openMailbox(receiving, support)
  const lines = [
    `tickets.example.com lmtp:inet:127.0.0.1:${receiving.port}`,
    `other.example smtp:[127.0.0.1]:${await startRefusing(context, { recipients: answers })}`,
    `down.example smtp:[127.0.0.1]:${await freePort()}`,
  ]
  postfix = await startPostfix(context, {
    // Without a lifetime in the queue, an email expires after its first attempt.
    settings:
      'mydestination =\nrelay_domains = tickets.example.com\nrecipient_delimiter = +\ntransport_maps = hash:/etc/postfix/transport\nmaximal_queue_lifetime = 0\n',
    tables: { transport: `${lines.join('\n')}\n` },
  })
  await receiving.server.db`update mailboxes set plus_works = true where id = ${id}`
  await sendThrough(receiving.server, id, postfix)
  sendMails(context, receiving.server)
})

/** Sends an email through Postfix. */
async function send(to: string[]): Promise<string> {
  const { server } = receiving
  const ticket = await openEmailTicket(server)
  const { id } = await makeMessage(server.api, ticket.id, { email: { to } })
  await waitForDelivery(server, id)
  return id
}

const failed = (id: string, count = 1) =>
  until(async () => {
    const rows = (await listRecipientsOf(receiving.server, id)).filter(({ status }) => status === 'failed')
    return rows.length === count && rows
  }, 60)

const deliveryOf = async (id: string) => (await receiving.server.api.get(`/messages/${id}`)).body.delivery

for (const [name, [code, words]] of Object.entries(answers))
  test(`a bounce with the answer "${words}" fails the message with this answer`, installed, async () => {
    const id = await send([`${name}@other.example`])
    const [recipient] = await failed(id)
    assert.equal(recipient!.code, words.split(' ')[0])
    assert.ok(recipient!.words!.includes(`${code} ${words}`), recipient!.words!)
    const { status, error } = await deliveryOf(id)
    assert.deepEqual([status, error], ['failed', recipient!.words])
  })

test(
  'an email that expires because the server of its recipient does not respond fails',
  installed,
  async () => {
    const id = await send(['ann@down.example'])
    const [recipient] = await failed(id)
    assert.match(recipient!.code!, /^4\.4\.1$/)
    assert.equal((await deliveryOf(id)).status, 'failed')
  },
)

test('a bounce for one of two recipients leaves the other one sent', installed, async () => {
  const id = await send(['ann@other.example', 'unknown@other.example'])
  await failed(id)
  const statuses = (await listRecipientsOf(receiving.server, id)).map(({ status }) => status)
  assert.deepEqual(statuses, ['sent', 'failed'])
  assert.equal((await deliveryOf(id)).status, 'sent')
})
