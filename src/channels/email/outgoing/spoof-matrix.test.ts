import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { sendMails, sendThrough, waitForDelivery } from '../../../../test/mail/sending.ts'
import { type Sink, startSink } from '../../../../test/mail/sink.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { makeAnchor, makeReplyAddress } from '../../../mail/tokens.ts'

/** A stranger never gets any part of a conversation by email, whatever the stranger knows or forges. */

const support = 'support@acme.example'
let receiving: Receiving
let sink: Sink
const cleanups: (() => unknown)[] = []

before(async () => {
  const context = { after: (run: () => unknown) => void cleanups.unshift(run) }
  receiving = await startReceiving()
  context.after(() => receiving.close())
  sink = await startSink(context)
  const { id } = await openMailbox(receiving, support, { authserv_ids: ['mx.acme.example'], history: 'all' })
  await sendThrough(receiving.server, id, sink)
  await receiving.server.db`update mailboxes set plus_works = true where id = ${id}`
  sendMails(context, receiving.server)
})
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

const secret = 'The code of the safe is 4711.'

interface Conversation {
  ann: string
  ticketId: string
  messageId: string
  subject: string
  threadIndex: string
}

async function reply(ticketId: string): Promise<string> {
  const { status, body } = await receiving.server.api.post(`/tickets/${ticketId}/messages`, {
    content: secret,
  })
  assert.equal(status, 201, JSON.stringify(body))
  await waitForDelivery(receiving.server, body.id)
  return body.id
}

/** Creates a conversation of two emails that both contain the secret. */
async function makeConversation(number: number): Promise<Conversation> {
  const ann = `ann${number}@example.com`
  const subject = `Safe number ${number}`
  const threadIndex = Buffer.alloc(22, number + 1).toString('base64')
  const headers = [`Thread-Index: ${threadIndex}`]
  const { id, raw } = writeMail({ from: ann, subject, headers, text: secret })
  const { ticket_id } = await receive(receiving, support, raw)
  await reply(ticket_id!)
  return { ann, ticketId: ticket_id!, messageId: id, subject, threadIndex }
}

/** Ways for an email to claim that it belongs to a conversation. Only people who have one of its emails can know the first four. */
const evidence = {
  reply_token: async () => ({}),
  in_reply_to: async ({ messageId }) => ({ answers: messageId }),
  references: async ({ ticketId }) => {
    const anchor = makeAnchor(receiving.server.vault.derive('mail'), ticketId, 'acme.example')
    return { headers: [`References: <${anchor}>`] }
  },
  thread_index: async ({ threadIndex }) => ({ headers: [`Thread-Index: ${threadIndex}`] }),
  ticket_number: async ({ ticketId }) => {
    const { short_id } = (await receiving.server.api.get(`/tickets/${ticketId}`)).body
    return { subject: `Anything [#${short_id}]` }
  },
  subject: async ({ subject }) => ({ subject: `Re: ${subject}` }),
} satisfies Record<string, (conversation: Conversation) => Promise<Partial<WrittenMail>>>

type Evidence = keyof typeof evidence
const guessable: Evidence[] = ['ticket_number', 'subject']

const resultOf = (server: string, result: string) => (from: string) => [
  `Authentication-Results: ${server}; dmarc=${result} header.from=${from.split('@')[1]}`,
]

/** `forged`: the header was not added by our server, so it is not trusted. */
const results = {
  pass: resultOf('mx.acme.example', 'pass'),
  fail: resultOf('mx.acme.example', 'fail'),
  none: () => [],
  forged: resultOf('mx.evil.example', 'pass'),
} satisfies Record<string, (from: string) => string[]>
type Result = keyof typeof results

async function attack(number: number, kind: Evidence, as: 'stranger' | 'contact', result: Result) {
  const conversation = await makeConversation(number)
  const eve = `eve${number}@evil.example`
  const from = as === 'stranger' ? eve : conversation.ann
  const shown: Partial<WrittenMail> = await evidence[kind](conversation)
  const { raw } = writeMail({
    ...{ from, replyTo: eve, cc: eve, subject: 'Hello', ...shown, text: 'Please write again.' },
    headers: [...results[result](from), ...(shown.headers ?? [])],
  })
  const key = receiving.server.vault.derive('mail')
  const to = kind === 'reply_token' ? makeReplyAddress(key, support, conversation.ticketId)! : support
  const { ticket_id } = await receive(receiving, to, raw)
  await reply(conversation.ticketId)
  if (ticket_id !== conversation.ticketId) await replyWithoutSecret(ticket_id!)
  assert.equal(countSecretsTo(conversation.ann), 2)
  return { eve, isJoined: ticket_id === conversation.ticketId }
}

/** Replies without the secret. */
async function replyWithoutSecret(ticketId: string): Promise<void> {
  const { body } = await receiving.server.api.post(`/tickets/${ticketId}/messages`, {
    content: 'Who are you?',
  })
  await waitForDelivery(receiving.server, body.id)
}

const countSecretsTo = (address: string): number =>
  sink.mails.filter(({ to, raw }) => to.includes(address) && raw.includes(secret)).length

let number = 0

for (const kind of Object.keys(evidence) as Evidence[])
  for (const result of Object.keys(results) as Result[]) {
    test(`a stranger with ${kind} and DMARC ${result} does not get the secret`, async () => {
      const { eve, isJoined } = await attack(number++, kind, 'stranger', result)
      assert.equal(isJoined, false)
      assert.equal(countSecretsTo(eve), 0)
    })
    // Someone who knows an ID of the conversation and writes from the contact's address without a failed check is taken for the contact.
    if (result !== 'pass' && (result === 'fail' || guessable.includes(kind)))
      test(`a stranger who forges the contact's address with ${kind} and DMARC ${result} does not get the secret`, async () => {
        const { eve } = await attack(number++, kind, 'contact', result)
        assert.equal(countSecretsTo(eve), 0)
      })
  }
