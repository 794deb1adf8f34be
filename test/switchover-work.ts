import { connect, type Db } from '../src/core/db/db.ts'
import { createLog } from '../src/core/telemetry/log.ts'
import { receiveNotifications } from '../src/events/bridge.ts'
import { onLogChange } from '../src/events/notifier.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/**
 * Work that an installation does during a switchover of its database: a webhook, a long poll, notifications
 * and a scheduled message.
 */

interface Server {
  url: string
}

type Body = Record<string, unknown>
type Page = { items: Body[]; last_seq: number }

/** The body of the response, or null if the call failed. */
export async function call({ url }: Server, key: string, path: string, body?: Body): Promise<Body | null> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  })
  const answer = (await response.json()) as Body
  return response.ok ? answer : null
}

const subjectOf = ({ data }: Body) => (data as { subject: string }).subject

/** Reads the log by long polling, as an integration without a public address does. */
function follow(server: Server, key: string) {
  const seen = new Map<string, number>()
  let isOver = false
  const work = async () => {
    let after = 0
    while (!isOver) {
      const page = (await call(
        server,
        key,
        `/updates?after=${after}&timeout=2&events=ticket.created`,
      )) as Page | null
      after = page?.last_seq ?? after
      for (const event of page?.items ?? []) seen.set(subjectOf(event), performance.now())
    }
  }
  const working = work()
  return {
    seen,
    async stop() {
      isOver = true
      await working
    },
  }
}

/** Listens like another process of the installation, and records when it is notified of new events. */
function listen(db: Db) {
  const heard: number[] = []
  const unlisten = onLogChange(projectId => void (projectId && heard.push(performance.now())))
  const unhear = receiveNotifications(db, createLog('silent'))
  return {
    heard,
    async stop() {
      unlisten()
      await unhear()
    },
  }
}

/** The subjects of the tickets in the webhooks that the receiver got. */
export const subjectsIn = ({ requests }: Receiver): Set<string> =>
  new Set(requests.map(({ body }) => subjectOf(JSON.parse(String(body)))))

/** `url` leads to the database in the same way as the server's. */
export async function startWork(server: Server, key: string, url: string) {
  const receiver = await startReceiver()
  await call(server, key, '/webhooks', { url: receiver.url, events: ['ticket.created'] })
  const ticket = await call(server, key, '/tickets', { contact: { email: 'later@x.test' } })
  const path = `/tickets/${ticket!.id}/messages`
  const db = connect({ url }, { max: 2 })
  const following = follow(server, key)
  const listening = listen(db)
  return {
    receiver,
    db,
    seen: following.seen,
    heard: listening.heard,
    postLater: (ms: number) =>
      call(server, key, path, { content: 'Later', send_at: new Date(Date.now() + ms).toISOString() }),
    readMessage: (id: unknown) => call(server, key, `/messages/${id}`),
    async stop() {
      await Promise.all([following.stop(), listening.stop()])
      await db.end({ timeout: 1 })
      await receiver.close()
    },
  }
}
