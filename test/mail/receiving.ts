import { after } from 'node:test'
import { startHandling } from '../../src/channels/email/incoming/handle.ts'
import { createMailTaker } from '../../src/channels/email/incoming/take-mail.ts'
import { startListening } from '../../src/channels/email/listener/listener.ts'
import type { NewMailbox } from '../../src/channels/email/mailboxes/mailbox.ts'
import { createMailbox } from '../../src/channels/email/mailboxes/mailboxes.ts'
import { takeReport } from '../../src/channels/email/reports/take-report.ts'
import type { Config } from '../../src/core/config/config.ts'
import type { MailReader } from '../../src/mail/read.ts'
import { createStorages } from '../../src/media/media.ts'
import type { Member } from '../cast.ts'
import { deliverByLmtp } from '../dovecot.ts'
import { startServer, type TestServer } from '../server.ts'
import { until } from '../until.ts'

/** Starts a server that receives email by LMTP and turns it into messages. */

export interface HandledMail {
  id: string
  state: string
  outcome: string
  reason: string | null
  ticket_id: string | null
  message_id: string | null
}

/** The setting with which a server can receive email by LMTP. */
export const mailListen: Config['mailListen'] = [{ protocol: 'lmtp', host: '127.0.0.1', port: 0 }]

interface Reading {
  /** Are asked about senders of email by SMTP. */
  nameServers?: string[]
  reader?: MailReader
}

/** Makes a server that has `mailListen` receive email, until closed. */
export async function startReceivingIn(server: TestServer, { nameServers, reader }: Reading = {}) {
  const storages = createStorages(server)
  const listening = await startListening({ ...server, storages })
  const taker = createMailTaker({ ...server, storages, nameServers, onReport: takeReport }, reader)
  const handling = startHandling({ ...server, onMail: taker.take })
  return {
    server,
    port: listening.ports[0]!,
    /** The ports of the addresses in `mailListen`. */
    ports: listening.ports,
    async stop(): Promise<void> {
      await listening.stop()
      await handling.stop()
      await taker.close()
    },
  }
}

export async function startReceiving({
  protocol = 'lmtp',
  ...reading
}: Reading & { protocol?: 'smtp' | 'lmtp' } = {}) {
  const listen = [{ protocol, host: '127.0.0.1', port: 0 }]
  const server = await startServer({
    delivers: false,
    config: { mailListen: listen, mailConnectionsPerIp: 50 },
  })
  const receiving = await startReceivingIn(server, reading)
  return {
    ...receiving,
    async close(): Promise<void> {
      await receiving.stop()
      await server.close()
    },
  }
}

export type Receiving = Awaited<ReturnType<typeof startReceiving>>

/** What delivering an email needs. */
type Port = Pick<Receiving, 'server' | 'port'>

export const openMailbox = (
  { server }: Pick<Receiving, 'server'>,
  address: string,
  fields: Partial<NewMailbox> = {},
  { id }: Pick<Member, 'id'> = server.acme,
) =>
  createMailbox(
    server,
    server.db,
    { project: { id }, actor: { type: 'cli' } },
    { address, incoming: 'listen', ...fields },
  )

/** A server that receives email at one address until the tests of the file have ended. */
export async function startSupport(address: string) {
  const receiving = await startReceiving()
  after(() => receiving.close())
  await openMailbox(receiving, address)
  return { receiving, get: async (path: string) => (await receiving.server.api.get(path)).body }
}

/** Waits until the latest email has been handled and returns it. */
export const lastMail = (
  { db, acme }: Pick<TestServer, 'db' | 'acme'>,
  { id }: Pick<Member, 'id'> = acme,
): Promise<HandledMail> =>
  until(async () => {
    const [row] = await db<HandledMail[]>`
      select id, state, outcome, reason, ticket_id, message_id from incoming_mails
      where project_id = ${id} order by created_at desc, id desc limit 1`
    return row && row.state !== 'stored' && row
  })

const countMails = async ({ db }: Pick<TestServer, 'db'>, { id }: Pick<Member, 'id'>) =>
  (await db`select from incoming_mails where project_id = ${id}`).length

/** Delivers an email, waits until it has been handled and returns it. */
export async function receive(
  { server, port }: Port,
  to: string,
  mail: string | Buffer,
  member: Pick<Member, 'id'> = server.acme,
): Promise<HandledMail> {
  const before = await countMails(server, member)
  await deliverByLmtp(port, to, mail)
  await until(async () => (await countMails(server, member)) > before)
  return lastMail(server, member)
}
