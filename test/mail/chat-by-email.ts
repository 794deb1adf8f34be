import assert from 'node:assert/strict'
import { createUnreadSending } from '../../src/channels/email/outgoing/send-unread.ts'
import { sendUnreadReplies } from '../../src/channels/widget/unread-replies.ts'
import { joinProject, type Person } from '../operator.ts'
import type { TestServer } from '../server.ts'
import { begin, signIn, switchOn } from '../widget.ts'
import { openMailbox, startReceivingIn } from './receiving.ts'
import { sendMails, sendThrough } from './sending.ts'
import { type Sink, startSink } from './sink.ts'

/** A server that emails unread chat replies and receives replies to them. */

export const support = 'support@acme.example'

interface Context {
  after(run: () => unknown): void
}

/** Everything except the server stops when the context ends. */
export async function startChatByEmail(context: Context, server: TestServer, settings: object = {}) {
  await switchOn(server, server.acme, settings)
  const receiving = await startReceivingIn(server)
  context.after(() => receiving.stop())
  const mailbox = await openMailbox({ server }, support, {
    name: 'Acme Support',
    authserv_ids: ['mx.acme.example'],
  })
  const sink: Sink = await startSink(context)
  await sendThrough(server, mailbox.id, sink)
  sendMails(context, server)
  const olga = await joinProject(server, server.acme, { name: 'Olga', role: 'admin' })
  const omar = await joinProject(server, server.acme, { name: 'Omar' })
  return { receiving, mailbox, sink, olga, omar }
}

export async function chooseMailboxes({ api }: Person, fields: object): Promise<void> {
  const { status, text } = await api.patch('/reply-mailboxes', fields)
  assert.equal(status, 200, text)
}

/** Makes unread replies due, as if the contact had not read them in time. */
export async function passUnreadTime(server: TestServer): Promise<void> {
  await server.db`update unread_replies set due_at = now() where sent_with is null`
  while ((await sendUnreadReplies(server.db, server.acme.id, createUnreadSending(server))) > 0);
}

let count = 0

/** A visitor whose email address the website has signed. */
export async function beginVerified(server: TestServer, place: object = {}) {
  const email = `ann${++count}@example.com`
  const guest = await signIn(server, { email }, { guest: await begin(server, server.acme, place) })
  return { ...guest, email }
}
