import assert from 'node:assert/strict'
import type { TestServer } from '../server.ts'
import { type Receiving, receive } from './receiving.ts'
import { openSender, sendMails, waitForDelivery } from './sending.ts'
import { type SunkMail, startSink } from './sink.ts'
import { type WrittenMail, writeMail } from './write-mail.ts'

/** An email ticket in a separate mailbox, whose messages are forwarded to a vendor. */

let count = 0

export async function openForwarding(t: { after(run: () => unknown): void }, receiving: Receiving) {
  const { server } = receiving
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const number = ++count
  const [ann, vendor] = [`ann${number}@example.com`, `vendor${number}@parts.example`]
  const deliver = async (mail: WrittenMail) => {
    const { id, raw } = writeMail({ to: sender.address, ...mail })
    const { ticket_id, message_id, outcome, id: logId } = await receive(receiving, sender.address, raw)
    return { id, logId, outcome, ticket_id, message_id }
  }
  const first = await deliver({ from: `Ann Berger <${ann}>`, subject: 'My lamp', text: 'It is dark.' })
  return { server, sink, sender, ann, vendor, deliver, first, ticketId: first.ticket_id! }
}

export type Forwarding = Awaited<ReturnType<typeof openForwarding>>

export const idOf = ({ raw }: SunkMail): string => /^Message-ID:\s+<(\S+)>/im.exec(raw)![1]!

export const forwardPath = (messageId: string | null): string => `/messages/${messageId}/forward`

/** Forwards the first email to the vendor. Returns the note, and the email that was sent. */
export async function forwardFirst({ server, sink, vendor, first }: Forwarding, more: object = {}) {
  const { status, body } = await server.api.post(forwardPath(first.message_id), {
    content: 'Can you repair it?',
    email: { to: [vendor] },
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  await waitForDelivery(server, body.id)
  return { note: body, mail: sink.mails.at(-1)! }
}

export const getMessage = async ({ api }: Pick<TestServer, 'api'>, id: string | null) =>
  (await api.get(`/messages/${id}`)).body
