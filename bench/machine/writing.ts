import { connect, type DatabaseTarget } from '../../src/core/db/db.ts'
import { type Store, withHooks } from '../../src/events/log.ts'
import { draftMessage } from '../../src/messages/draft.ts'
import { writeMessage } from '../../src/messages/write.ts'
import { createDispatcher } from '../../src/webhooks/dispatch.ts'

/** Writes the rows of a posted message with the driver alone. */
export interface Writing {
  target: DatabaseTarget
  connections: number
  seconds: number
  tickets: { id: string; projectId: string }[]
  content: string
}

export interface Written {
  count: number
  perSecond: number
}

let pool: Store | null = null

export const draftOf = ({ id, projectId }: Writing['tickets'][number], content: string) =>
  draftMessage({ ticket_id: id, sender_type: 'bot', sender_id: projectId, sender_name: 'Bench', content })

export async function write(order: Writing): Promise<Written> {
  pool ??= withHooks(connect(order.target, { max: order.connections }), { fanOut: createDispatcher().fanOut })
  const db = pool
  let count = 0
  const begun = performance.now()
  const ends = begun + order.seconds * 1000
  const work = async (first: number) => {
    for (let turn = first; performance.now() < ends; turn++, count++) {
      const ticket = order.tickets[turn % order.tickets.length]!
      await writeMessage(db, ticket.projectId, draftOf(ticket, order.content))
    }
  }
  const share = Math.ceil(order.tickets.length / order.connections)
  await Promise.all(Array.from({ length: order.connections }, (_, n) => work(n * share)))
  return { count, perSecond: count / ((performance.now() - begun) / 1000) }
}
