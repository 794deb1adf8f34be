import type { EventType, NewEvent } from '../src/events/catalogue.ts'
import { notifyLogChange } from '../src/events/notifier.ts'
import { sampleData } from '../src/events/samples.ts'
import { transact } from '../src/events/transaction.ts'
import { type Received, type Receiver, type Script, startReceiver } from './receiver.ts'
import type { TestServer } from './server.ts'
import { until } from './until.ts'

/** Helpers for webhook tests: a subscription of Acme with a receiver. */

export interface Hook {
  id: string
  secret: string
  path: string
  receiver: Receiver
}

interface Testing {
  after(act: () => Promise<void>): void
}

/** Adds a webhook that is deleted when the test ends. */
export async function addHook(
  test: Testing,
  server: TestServer,
  script: Script = 200,
  fields: object = {},
): Promise<Hook> {
  const receiver = await startReceiver(script)
  const { body } = await server.api.post('/webhooks', { url: receiver.url, ...fields })
  const path = `/webhooks/${body.id}`
  test.after(async () => {
    await server.api.delete(path)
    await receiver.close()
  })
  return { id: body.id, secret: body.secret, path, receiver }
}

export const emit = (server: TestServer, type: EventType = 'ticket.closed', projectId = server.acme.id) =>
  transact(server.db, projectId, async tx => tx.emit({ type, data: sampleData(type) } as NewEvent))

/** Waits for the newest delivery of the webhook that matches. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
export const delivery = (server: TestServer, hook: Hook, isWanted: (delivery: any) => boolean) =>
  until(async () => {
    const { body } = await server.api.get(`${hook.path}/deliveries`)
    return body.items.find(isWanted)
  })

/** Makes the waiting attempt due by changing the data, not the clock. */
export async function makeDue(server: TestServer, hook: Hook): Promise<void> {
  await server.db`
    update webhook_queue set run_at = clock_timestamp() where webhook_id = ${hook.id} and claim_id is null`
  notifyLogChange(server.acme.id)
}

/** The requests of one delivery until it has ended, skipping every delay. */
export async function exhaust(server: TestServer, hook: Hook): Promise<Received[]> {
  const first = await hook.receiver.next()
  const requests = [first]
  const id = first.headers['x-webhook-id']!
  for (let attempt = 1; ; attempt++) {
    const { status } = await delivery(
      server,
      hook,
      one => one.id === id && (one.attempts >= attempt || one.status !== 'pending'),
    )
    if (status !== 'pending') return requests
    await makeDue(server, hook)
    requests.push(await hook.receiver.next(request => request.headers['x-webhook-id'] === id))
  }
}

/** Lets a delivery fail after its six attempts. */
export async function fail(server: TestServer, hook: Hook): Promise<void> {
  await emit(server)
  await exhaust(server, hook)
}

/** The subscription as an empty PATCH returns it. */
export const readHook = async (server: TestServer, hook: Hook) => (await server.api.patch(hook.path, {})).body
