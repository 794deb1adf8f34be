import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import {
  type HandledMail,
  openMailbox,
  type Receiving,
  startReceiving,
} from '../../../../test/mail/receiving.ts'
import { sendMails, sendThrough, waitForDelivery } from '../../../../test/mail/sending.ts'
import { type Sink, type SunkMail, startSink } from '../../../../test/mail/sink.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { needs } from '../../../../test/needs.ts'
import { type Postfix, startPostfix } from '../../../../test/postfix.ts'
import { until } from '../../../../test/until.ts'

/** A customer and Deskbell exchange emails through a real Postfix. A second Postfix replaces the Message-ID of each email, as some relays do. */

const support = 'support@tickets.example.com'
const installed = needs('postfix')
const context = openFileContext()
let receiving: Receiving
let mailboxId: string
let customers: Sink
let postfix: Postfix
let replacing: Postfix

before(async () => {
  if (installed.skip) return
  receiving = await startReceiving()
  context.after(() => receiving.close())
  customers = await startSink(context)
  const settings =
    'mydestination =\nrelay_domains = tickets.example.com\nrecipient_delimiter = +\ntransport_maps = hash:/etc/postfix/transport\n'
  const tables = {
    transport: `tickets.example.com lmtp:inet:127.0.0.1:${receiving.port}\ncustomer.example smtp:[127.0.0.1]:${customers.port}\n`,
  }
  postfix = await startPostfix(context, { settings, tables })
  replacing = await startPostfix(context, {
    settings: `${settings}smtp_header_checks = regexp:/etc/postfix/replaced\n`,
    tables: {
      ...tables,
      replaced: '/^Message-ID:[[:space:]]*<m\\.(.*)@/ REPLACE Message-ID: <relay.$1@relay.example>\n',
    },
  })
  mailboxId = (await openMailbox(receiving, support)).id
  sendMails(context, receiving.server)
})

const handled = (subject: string): Promise<HandledMail> =>
  until(async () => {
    const [row] = await receiving.server.db<HandledMail[]>`
      select id, state, outcome, reason, ticket_id, message_id from incoming_mails
      where subject = ${subject} and state <> 'stored'`
    return row
  }, 60)

const fieldOf = ({ raw }: SunkMail, name: string): string =>
  new RegExp(`^${name}:\\s+((?:.|\\r\\n[ \\t])*)`, 'im').exec(raw)?.[1]?.trim() ?? ''

/** The customer writes, and an operator replies. Returns the reply as it arrives. */
async function ask(customer: string, relay: Postfix) {
  await sendThrough(receiving.server, mailboxId, relay)
  const { raw } = writeMail({ from: customer, to: support, subject: `Question of ${customer}` })
  await postfix.send(customer, [support], raw)
  const { ticket_id } = await handled(`Question of ${customer}`)
  const { body } = await receiving.server.api.post(`/tickets/${ticket_id}/messages`, { content: 'An answer' })
  await waitForDelivery(receiving.server, body.id)
  const answer = await until(() => customers.mails.find(({ to }) => to.includes(customer)), 60)
  return { ticketId: ticket_id, answer }
}

/** The customer replies to the operator's reply, as a mail program does. */
async function answerAgain(customer: string, answer: SunkMail) {
  const id = fieldOf(answer, 'Message-ID')
  const to = fieldOf(answer, 'Reply-To') || support
  const address = /[^\s<>]+@[^\s<>]+/.exec(to)![0]
  const { raw } = writeMail({
    ...{ from: customer, to, subject: `Re: Question of ${customer}`, answers: id.slice(1, -1) },
    headers: [`References: ${fieldOf(answer, 'References')} ${id}`],
  })
  await postfix.send(customer, [address], raw)
  return handled(`Re: Question of ${customer}`)
}

test(
  'a reply to an email with a reply address is matched to its ticket by this address',
  installed,
  async () => {
    const { db } = receiving.server
    await db`update mailboxes set plus_works = true where id = ${mailboxId}`
    const { ticketId, answer } = await ask('ann@customer.example', postfix)
    assert.match(fieldOf(answer, 'Reply-To'), /support\+r\./)
    const again = await answerAgain('ann@customer.example', answer)
    assert.deepEqual([again.outcome, again.ticket_id], ['reply_token', ticketId])
    await db`update mailboxes set plus_works = null where id = ${mailboxId}`
  },
)

test(
  'a reply to an email without a reply address is matched to its ticket by the Message-ID',
  installed,
  async () => {
    const { ticketId, answer } = await ask('ben@customer.example', postfix)
    assert.equal(fieldOf(answer, 'Reply-To'), '')
    const again = await answerAgain('ben@customer.example', answer)
    assert.deepEqual([again.outcome, again.ticket_id], ['in_reply_to', ticketId])
  },
)

test(
  "a reply to an email whose Message-ID was replaced is matched to its ticket by the ticket's ID in References",
  installed,
  async () => {
    const { ticketId, answer } = await ask('carl@customer.example', replacing)
    assert.match(fieldOf(answer, 'Message-ID'), /@relay\.example>$/)
    const again = await answerAgain('carl@customer.example', answer)
    assert.deepEqual([again.outcome, again.ticket_id], ['references', ticketId])
  },
)
