import { isRecord } from '../core/objects.ts'
import type { PlacedMessage } from './place-messages.ts'
import { findImportedIds } from './put-contacts.ts'
import type { ImportRun } from './run.ts'

/** Finds the tickets and messages to which an imported message refers by their ids in the other system. */

const kinds = { ticket_id: 'ticket', message_id: 'message' } as const

const dataOf = ({ prepared: { item } }: PlacedMessage): Record<string, unknown> =>
  isRecord(item.system?.data) ? item.system.data : {}

const listNamed = (placed: PlacedMessage[], field: keyof typeof kinds): string[] =>
  placed.flatMap(one => {
    const id = dataOf(one)[field]
    return typeof id === 'string' ? [id] : []
  })

const listOrigins = (placed: PlacedMessage[]): string[] =>
  placed.flatMap(({ prepared: { item } }) => item.moved_from ?? [])

export interface ReferredRecords {
  origin_ticket_id: string | null
  system: Record<string, unknown> | null
}

/** `messageIds` has the ids of the messages in the same call, by their ids in the other system. */
export async function findReferred(
  run: ImportRun,
  placed: PlacedMessage[],
  messageIds: ReadonlyMap<string, string>,
): Promise<(message: PlacedMessage) => ReferredRecords> {
  const tickets = await findImportedIds(run, 'ticket', [
    ...listOrigins(placed),
    ...listNamed(placed, 'ticket_id'),
  ])
  const messages = await findImportedIds(run, 'message', listNamed(placed, 'message_id'))
  const known = { ticket_id: tickets, message_id: new Map([...messages, ...messageIds]) }
  const rename = (field: string, value: unknown): unknown =>
    (field === 'ticket_id' || field === 'message_id') && typeof value === 'string'
      ? (known[field].get(value) ?? value)
      : value
  return one => {
    const { system = null, moved_from } = one.prepared.item
    const data = Object.entries(dataOf(one)).map(([field, value]) => [field, rename(field, value)])
    return {
      origin_ticket_id: (moved_from && tickets.get(moved_from)) || one.ticket.moved_from,
      system: system && { ...system, ...(data.length && { data: Object.fromEntries(data) }) },
    }
  }
}
