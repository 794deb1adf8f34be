import type { DbOrTx } from '../events/transaction.ts'
import { gatherTexts } from '../words/words.ts'
import { findPeople } from './find-people.ts'
import { makeIdAt } from './ids.ts'
import { lockKnownTickets, placeOf } from './known-tickets.ts'
import { numberTickets } from './number-tickets.ts'
import type { MessageToPut, TicketWithMessages } from './place-messages.ts'
import { type PreparedTicket, prepareTickets, ticketTexts } from './prepare-tickets.ts'
import { findImportedIds } from './put-contacts.ts'
import { putMessages } from './put-messages.ts'
import { contactSourceId, type TicketToPut } from './put-tickets.ts'
import { ItemReport } from './report.ts'
import { type ImportRun, type ImportTarget, runImportCall } from './run.ts'
import type { ImportedTicket, ImportResult } from './schema.ts'
import type { KnownPeople } from './senders.ts'
import { type ActivityRow, listKnownTickets, updateActivities, updateReads } from './ticket-queries.ts'
import { type CreatedTicket, insertActivitiesOf, writeTickets } from './write-tickets.ts'

/** Imports tickets with their contacts and messages. */

export interface TicketImportResult extends ImportResult {
  /** The results of the ticket's messages. */
  messages: ImportResult[]
}

interface TicketItem extends TicketToPut {
  messages: MessageToPut[]
}

const toItem = (prepared: PreparedTicket): TicketItem => ({
  prepared,
  report: new ItemReport(prepared.item.source_id, prepared.problem, prepared.warnings),
  messages: prepared.messages.map(one => ({
    prepared: one,
    report: new ItemReport(one.item.source_id, one.problem, one.warnings),
  })),
})

/** Returns the ids of tickets that were imported before, and the new items. If several have the same `source_id`, the first one counts. */
async function sortItems(run: ImportRun, items: TicketItem[]) {
  const named = items.flatMap(({ prepared: { item } }) =>
    [item.source_id, item.merged_into, item.follow_up_of].filter(id => typeof id === 'string'),
  )
  const ticketIds = await findImportedIds(run, 'ticket', named)
  const fresh = new Map<string, TicketItem>()
  for (const one of items.filter(({ report }) => !report.isSkipped)) {
    const { source_id } = one.prepared.item
    if (!ticketIds.has(source_id) && !fresh.has(source_id)) fresh.set(source_id, one)
  }
  return { ticketIds, fresh: [...fresh.values()] }
}

async function findPeopleOf(
  run: ImportRun,
  items: TicketItem[],
  fresh: TicketItem[],
  contactIds: string[],
): Promise<KnownPeople> {
  const contacts = fresh.flatMap(({ prepared: { contact } }) =>
    contact
      ? [{ prepared: contact, report: new ItemReport(contact.item.source_id, contact.problem, []) }]
      : [],
  )
  const people = await findPeople(run, {
    contacts,
    contactIds,
    sourceIds: fresh.map(({ prepared }) => contactSourceId(prepared)),
    operators: fresh.flatMap(({ prepared: { item } }) => [item.operator, item.closed_by]),
    messages: items.flatMap(({ prepared }) => prepared.messages),
  })
  const reports = new Map(contacts.map(({ prepared, report }) => [prepared, report]))
  for (const { prepared, report } of fresh)
    if (prepared.contact) report.addWarnings(reports.get(prepared.contact)!, 'contact.')
  return people
}

/** Adds messages to tickets that were imported before. The caller has locked their activity. */
export async function extendTickets({ tx }: ImportRun, rows: ActivityRow[]): Promise<void> {
  if (!rows.length) return
  await updateReads(tx, tx.projectId, rows)
  await updateActivities(tx, tx.projectId, rows)
}

/** The tickets whose messages are written: new ones, and existing ones for which an item has messages. */
async function listPlaces(run: ImportRun, items: TicketItem[], ticketIds: ReadonlyMap<string, string>) {
  const valid = items.filter(({ report, messages }) => !report.isSkipped && messages.length)
  const idOf = ({ prepared }: TicketItem) => ticketIds.get(prepared.item.source_id)!
  const rows = await lockKnownTickets(run, valid.map(idOf))
  const known = new Map(rows.map(row => [row.id, row]))
  return valid.flatMap((one): TicketWithMessages[] => {
    const ticket = known.get(idOf(one))
    return ticket ? [{ ...placeOf(ticket), messages: one.messages }] : []
  })
}

async function listContactsOf({ tx }: ImportRun, ids: string[]): Promise<string[]> {
  const rows = ids.length ? await listKnownTickets(tx, tx.projectId, ids) : []
  return rows.map(({ contact_id }) => contact_id)
}

async function put(run: ImportRun, items: TicketItem[]): Promise<void> {
  const { ticketIds, fresh } = await sortItems(run, items)
  const existing = items.flatMap(({ prepared }) => ticketIds.get(prepared.item.source_id) ?? [])
  const people = await findPeopleOf(run, items, fresh, await listContactsOf(run, existing))
  const created: CreatedTicket[] = []
  for (const one of fresh) {
    if (!people.contactIds.has(contactSourceId(one.prepared))) {
      one.report.skip('contact_not_found')
      continue
    }
    const id = makeIdAt(one.prepared.times.created_at!, created.length)
    one.report.settle('created', id)
    ticketIds.set(one.prepared.item.source_id, id)
    created.push({ ...one, id })
  }
  const rows = await writeTickets(run, created, ticketIds, people)
  for (const { prepared, report } of items) {
    const id = ticketIds.get(prepared.item.source_id)
    if (!report.isSkipped && report.id === null && id) report.settle('existing', id)
    else if (report.id === null) report.skip('contact_not_found')
  }
  const caused = await putMessages(run, await listPlaces(run, items, ticketIds), people)
  const isNew = new Set(created.map(({ id }) => id))
  await insertActivitiesOf(run, created, rows, caused)
  await extendTickets(
    run,
    [...caused.values()].filter(row => !isNew.has(row.ticket_id)),
  )
  if (created.length) await numberTickets(run, created)
}

/** Imports up to a hundred tickets in one transaction. Tickets that were imported before stay unchanged, except that new messages are added. */
export async function importTickets(
  store: DbOrTx,
  target: ImportTarget,
  sent: ImportedTicket[],
): Promise<TicketImportResult[]> {
  const prepared = await prepareTickets(sent)
  if (!target.dryRun) await gatherTexts(store, target.projectId, prepared.flatMap(ticketTexts))
  return runImportCall(store, target, async run => {
    const items = prepared.map(toItem)
    await put(run, items)
    return items.map(({ report, messages }) => ({
      ...report.print(run.isDryRun),
      messages: messages.map(one => {
        if (report.isSkipped) one.report.skip('ticket_skipped')
        return one.report.print(run.isDryRun)
      }),
    }))
  })
}
