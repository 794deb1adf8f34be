import { parseTime, toDatabase } from '../core/time.ts'
import { insertEstimatedCreations } from '../tickets/tickets.ts'
import { countActivity } from './activity.ts'
import { createFieldChecker } from './custom-values.ts'
import { createDepartmentFinder } from './people.ts'
import { type TicketToPut, toActivityRow, toTicketRow } from './put-tickets.ts'
import { insertRecords } from './queries.ts'
import type { ImportRun } from './run.ts'
import type { KnownPeople } from './senders.ts'
import { createTagSpelling } from './tag-spelling.ts'
import {
  type ActivityRow,
  insertActivities,
  insertImportedParticipants,
  insertImportedTickets,
  insertWidgetTickets,
  type NewTicketRow,
  type ParticipantRow,
  updateAwaited,
  updateMergedInCircle,
  type WidgetTicketRow,
} from './ticket-queries.ts'

/** Writes the new tickets of an import. */

export type CreatedTicket = TicketToPut & { id: string }

function emitTickets({ tx }: ImportRun, rows: NewTicketRow[]): void {
  for (const { id, status, priority, contact_id, subject } of rows)
    tx.emit({ type: 'ticket.created', data: { ticket_id: id, status, priority, contact_id, subject } })
}

const participantsOf = ({ id, prepared: { item } }: CreatedTicket, now: string): ParticipantRow[] =>
  (item.participants ?? []).map(({ address, name = null, is_removed = false, changed_at }) => ({
    ...{ ticket_id: id, address: address.toLowerCase(), name, is_removed },
    changed_at: toDatabase((changed_at && parseTime(changed_at)) || now),
  }))

const widgetOf = ({ id, prepared: { item } }: CreatedTicket): WidgetTicketRow[] =>
  item.widget ? [{ locale: null, page_url: null, ...item.widget, ticket_id: id }] : []

/** A ticket that was merged into one that is not imported yet is merged when that one is imported. */
async function recordTickets(run: ImportRun, created: CreatedTicket[], rows: NewTicketRow[]): Promise<void> {
  const { tx, source } = run
  const records = created.map(({ id, prepared: { item } }, at) => ({
    source_id: item.source_id,
    record_id: id,
    awaited: rows[at]!.merged_into_id === null ? (item.merged_into ?? null) : null,
  }))
  await insertRecords(tx, tx.projectId, source, 'ticket', records)
  const ids = new Map(records.map(({ source_id, record_id }) => [source_id, record_id]))
  await updateAwaited(tx, tx.projectId, source, ids)
}

async function separateCircles({ tx }: ImportRun, created: CreatedTicket[], rows: NewTicketRow[]) {
  const separated = await updateMergedInCircle(
    tx,
    tx.projectId,
    created.map(({ id }) => id),
  )
  for (const { id } of separated) {
    const at = created.findIndex(one => one.id === id)
    const { prepared, report } = created[at]!
    rows[at]!.merged_into_id = null
    report.warn('merged_into', prepared.item.merged_into, 'merged_in_circle')
  }
}

export async function writeTickets(
  run: ImportRun,
  created: CreatedTicket[],
  ticketIds: ReadonlyMap<string, string>,
  people: KnownPeople,
): Promise<NewTicketRow[]> {
  if (!created.length) return []
  const { tx, counts } = run
  const { projectId } = tx
  const context = {
    ...people,
    ticketIds,
    findDepartment: await createDepartmentFinder(run),
    check: await createFieldChecker(tx, projectId, 'ticket'),
    spellTags: await createTagSpelling(
      run,
      created.flatMap(({ prepared }) => prepared.item.tags ?? []),
    ),
  }
  const rows = created.map(one => toTicketRow(one, one.id, context))
  await insertImportedTickets(tx, projectId, rows)
  const participants = created.flatMap(one => participantsOf(one, run.now))
  if (participants.length) await insertImportedParticipants(tx, projectId, participants)
  const widgets = created.flatMap(widgetOf)
  if (widgets.length) await insertWidgetTickets(tx, projectId, widgets)
  await recordTickets(run, created, rows)
  await insertEstimatedCreations(
    tx,
    projectId,
    rows.map(({ id }) => id),
  )
  await separateCircles(run, created, rows)
  for (const { snoozed_until } of rows) if (snoozed_until) tx.noteDue('snoozes', snoozed_until)
  counts.tickets += created.length
  if (run.emits) emitTickets(run, rows)
  return rows
}

export async function insertActivitiesOf(
  { tx }: ImportRun,
  created: CreatedTicket[],
  rows: NewTicketRow[],
  caused: ReadonlyMap<string, ActivityRow>,
): Promise<void> {
  if (!created.length) return
  const activities = created.map((one, at) =>
    toActivityRow(one, rows[at]!, caused.get(one.id) ?? countActivity(one.id, [])),
  )
  await insertActivities(tx, tx.projectId, activities)
}
