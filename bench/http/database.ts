import { connect, type Db, type Target } from '../../src/core/db.ts'
import { setFanOut } from '../../src/events/log.ts'
import { draftMessage } from '../../src/messages/draft.ts'
import { writeMessage } from '../../src/messages/write.ts'
import { fanOut } from '../../src/webhooks/fanout.ts'

/** The database alone: a process with nothing but the driver, which writes the rows of a posted message. */
export interface Writing {
  target: Target
  connections: number
  seconds: number
  projectId: string
  ticketIds: string[]
  content: string
}

export interface Written {
  count: number
  perSecond: number
}

let pool: Db | null = null

const draft = ({ projectId, ticketIds, content }: Writing, turn: number) =>
  draftMessage({
    ticket_id: ticketIds[turn % ticketIds.length]!,
    sender_type: 'bot',
    sender_id: projectId,
    sender_name: 'Bench',
    content,
  })

async function write(order: Writing): Promise<Written> {
  pool ??= connect(order.target, { max: order.connections })
  const db = pool
  let count = 0
  const begun = performance.now()
  const ends = begun + order.seconds * 1000
  const work = async (first: number) => {
    for (let turn = first; performance.now() < ends; turn++, count++)
      await writeMessage(db, order.projectId, draft(order, turn))
  }
  const share = Math.ceil(order.ticketIds.length / order.connections)
  await Promise.all(Array.from({ length: order.connections }, (_, n) => work(n * share)))
  return { count, perSecond: count / ((performance.now() - begun) / 1000) }
}

setFanOut(fanOut)
process.on('message', async (order: Writing) => process.send!(await write(order)))
process.on('disconnect', () => process.exit())
