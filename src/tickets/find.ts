import { createProjectBatch } from '../core/db/batch.ts'
import { type Db, isPool, type Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse, requireVersion } from '../core/errors.ts'
import { ticketLinks } from '../events/envelope.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { findSurvivor, toTicketId } from '../messages/messages.ts'
import { type LockedTicket, lockTicket } from './queries.ts'
import { listTicketRows, type TicketRow } from './row-queries.ts'
import type { Ticket } from './schema.ts'

const noDeadlines = {
  first_reply_due_at: null,
  next_reply_due_at: null,
  resolution_due_at: null,
  breached: [],
}

const lastMessage = (row: TicketRow): Ticket['last_message'] =>
  row.last_message_id === null
    ? null
    : {
        id: row.last_message_id,
        sender_type: row.last_message_sender_type!,
        preview: row.last_message_preview!,
        created_at: row.last_message_at!,
      }

export const toTicket = (row: TicketRow): Ticket => ({
  ...row,
  short_id: String(row.number),
  last_message: lastMessage(row),
  sla: noDeadlines,
  _links: {
    self: `/api/v1/tickets/${row.id}`,
    ...ticketLinks(row.id),
    contact: `/api/v1/contacts/${row.contact_id}`,
  },
})

interface TicketKey {
  projectId: string
  id: string
}

async function findRows(sql: Sql, projectId: string, keys: TicketKey[]) {
  const rows = await listTicketRows(sql, projectId, [...new Set(keys.map(({ id }) => id))])
  const found = new Map(rows.map(row => [row.id, row]))
  return ({ id }: TicketKey): TicketRow | null => found.get(id) ?? null
}

const readers = new WeakMap<Sql, (key: TicketKey) => Promise<TicketRow | null>>()

/** Requests that read tickets at the same time share a query. */
function readerOf(db: Db): (key: TicketKey) => Promise<TicketRow | null> {
  const known = readers.get(db)
  if (known) return known
  const reader = createProjectBatch(
    (projectId, keys: TicketKey[]) => findRows(db, projectId, keys),
    ({ projectId }) => projectId,
  )
  readers.set(db, reader)
  return reader
}

/** Finds a ticket by its id or its number. */
export async function getTicket(sql: Sql, projectId: string, reference: string): Promise<Ticket> {
  const id = await toTicketId(sql, projectId, reference)
  const [row] = isPool(sql)
    ? [await readerOf(sql)({ projectId, id })]
    : await listTicketRows(sql, projectId, [id])
  if (!row) throw new ApiError('TICKET_NOT_FOUND')
  return toTicket(row)
}

/** Runs a change that returns the id of a ticket, and returns that ticket. */
export const changeAndGetTicket = (
  store: DbOrTx,
  projectId: string,
  change: (tx: Tx) => Promise<string>,
): Promise<Ticket> => transactAndRead(store, projectId, change, (tx, id) => getTicket(tx, projectId, id))

/** Locks the ticket in a path. If a version is given, the ticket must have it. */
export async function getLocked(
  tx: Tx,
  reference: string,
  version: number | null = null,
): Promise<LockedTicket> {
  const ticket = await lockTicket(tx, tx.projectId, await toTicketId(tx, tx.projectId, reference))
  if (!ticket) throw new ApiError('TICKET_NOT_FOUND')
  requireVersion(version, ticket)
  return ticket
}

/** Runs a change to a locked ticket, and returns the ticket. */
export const changeLockedTicket = (
  store: DbOrTx,
  { project }: Caller,
  reference: string,
  version: number | null,
  change: (tx: Tx, ticket: LockedTicket) => Promise<void>,
): Promise<Ticket> =>
  changeAndGetTicket(store, project.id, async tx => {
    const ticket = await getLocked(tx, reference, version)
    await change(tx, ticket)
    return ticket.id
  })

/** Refuses a merged ticket, because its conversation continues in the other one. */
export function requireUnmerged({ merged_into_id }: LockedTicket): void {
  if (merged_into_id !== null) throw refuse('ticket_id', 'merged', { merged_into_id })
}

/** Locks the ticket, or the one that it was merged into. */
export async function getSurvivor(tx: Tx, reference: string): Promise<LockedTicket> {
  const ticket = await getLocked(tx, reference)
  if (ticket.merged_into_id === null) return ticket
  return getLocked(tx, (await findSurvivor(tx, tx.projectId, ticket.id))!)
}

export async function loadTickets(sql: Sql, projectId: string, ids: string[]): Promise<Ticket[]> {
  return (await listTicketRows(sql, projectId, ids)).map(toTicket)
}
