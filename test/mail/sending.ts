import { type SendingTimes, startSendingEmail } from '../../src/channels/email/outgoing/email-channel.ts'
import { type MayReach, mayReachAll } from '../../src/core/http/guarded-agent.ts'
import { newId } from '../../src/core/ids.ts'
import { createStorages, signLinksWith } from '../../src/media/media.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import { openMailbox } from './receiving.ts'

/** Sends email from a test server. */

/** Hardly any time passes between attempts. */
export const quickTimes: SendingTimes = {
  pauses: [20, 20, 20, 20, 20, 20, 20],
  uncertainMs: 50,
  copiesMs: 50,
  limits: { tickMs: 20 },
}

/** Sends like a process with the role `channels`. */
export function sendMails(
  context: { after(run: () => unknown): void },
  server: TestServer,
  times: SendingTimes = quickTimes,
  mayReach: MayReach = mayReachAll,
) {
  signLinksWith(server.vault)
  const storages = createStorages(server)
  const sending = startSendingEmail({ ...server, storages, mayReach }, times)
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    await sending.stop()
  }
  context.after(stop)
  return { stop }
}

interface Smtp {
  port: number
  host?: string
  security?: 'tls' | 'starttls' | 'none'
  user?: string
}

/** Makes a mailbox send through this server. */
export async function sendThrough(
  { db }: Pick<TestServer, 'db'>,
  mailboxId: string,
  { port, host = '127.0.0.1', security = 'none' }: Smtp,
): Promise<void> {
  const smtp = { host, port, security, user: '', auth: 'none' }
  await db`
    update mailboxes set sending = 'smtp', smtp = ${smtp as never}, send_rate = 10000, saves_sent = false,
      version = version + 1
    where id = ${mailboxId}`
}

/** A mailbox that sends through this server. */
export async function openSender(server: TestServer, smtp: Smtp) {
  const { id, address } = await openMailbox({ server }, `support${newId()}@desk.example.com`, {
    name: 'Acme Support',
  })
  await sendThrough(server, id, smtp)
  return { id, address }
}

export type Sender = Awaited<ReturnType<typeof openSender>>

/** A ticket whose replies leave by email. */
export async function openEmailTicket({ api, db }: TestServer, email = `ann${newId()}@example.com`) {
  const { body } = await api.post('/tickets', {
    contact: { email },
    subject: 'My lamp',
    content: 'It is dark.',
  })
  await db`update tickets set channel = 'email' where id = ${body.id}`
  return { id: body.id as string, email }
}

export const findSendFault = async ({ db }: Pick<TestServer, 'db'>, { id }: Pick<Sender, 'id'>) => {
  const [row] = await db`
    select send_error->>'code' as code, send_failures, send_backoff_until from mailboxes where id = ${id}`
  return row!
}

/** Ends the pause after a failure, as a change of settings does. */
export async function endSendPause(
  { db }: Pick<TestServer, 'db'>,
  { id }: Pick<Sender, 'id'>,
): Promise<void> {
  await db`update mailboxes set send_backoff_until = null, version = version + 1 where id = ${id}`
  await db`update due_work set due_at = now() where kind = 'outgoing' and subject_id = ${id}`
}

interface Sent {
  to?: string[]
  cc?: string[]
  bcc?: string[]
  content?: string
  media_ids?: string[]
}

/** Posts a message that leaves by email, in a ticket of its own. Returns its id. */
export async function postEmail(
  server: TestServer,
  sender: Pick<Sender, 'id'>,
  sent: Sent = {},
): Promise<string> {
  const ticket = await openEmailTicket(server)
  const {
    to = [ticket.email],
    cc = [],
    bcc = [],
    content = 'We will send a new lamp.',
    media_ids = [],
  } = sent
  const email = { to, cc, bcc, mailbox_id: sender.id }
  const { status, body } = await server.api.post(`/tickets/${ticket.id}/messages`, {
    content,
    media_ids,
    email,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

export interface Delivery {
  status: string
  error: string | null
  attempts: number
}

export const findDelivery = async ({ api }: TestServer, id: string): Promise<Delivery> =>
  (await api.get(`/messages/${id}`)).body.delivery

/** Waits until a message is no longer pending. */
export const waitForDelivery = (server: TestServer, id: string): Promise<Delivery> =>
  until(async () => {
    const delivery = await findDelivery(server, id)
    return delivery.status !== 'pending' && delivery
  })

export const listRecipients = async (server: TestServer, id: string): Promise<string[]> =>
  (await listRecipientsOf(server, id)).map(({ address, status, code }) =>
    [address, status, code].filter(Boolean).join(' '),
  )

export const listRecipientsOf = ({ db }: Pick<TestServer, 'db'>, messageId: string) => db<
  { address: string; status: string; code: string | null; words: string | null }[]
>`
  select address, status, code, words from mail_recipients where message_id = ${messageId} order by address`
