import type { DbOrTx } from '../events/transaction.ts'
import { createTurns, gatherTexts } from '../words/words.ts'
import { findPeople } from './find-people.ts'
import { extendTickets } from './import-tickets.ts'
import { lockKnownTickets, placeOf } from './known-tickets.ts'
import type { MessageToPut, TicketWithMessages } from './place-messages.ts'
import { messageTexts, type PreparedMessage, prepareMessage } from './prepare-messages.ts'
import { findImportedIds } from './put-contacts.ts'
import { putMessages } from './put-messages.ts'
import { ItemReport } from './report.ts'
import { type ImportRun, type ImportTarget, runImportCall } from './run.ts'
import type { ImportedLaterMessage, ImportResult } from './schema.ts'

/** Adds messages to imported tickets. */

interface LaterMessage extends MessageToPut {
  /** The ticket's id in the other system. */
  ticket: string
}

/** The tickets of the messages. In a dry run, they may be missing because an earlier dry run wrote nothing. */
async function findTickets(run: ImportRun, items: LaterMessage[]): Promise<TicketWithMessages[]> {
  const valid = items.filter(({ report }) => !report.isSkipped)
  const ids = await findImportedIds(
    run,
    'ticket',
    valid.map(({ ticket }) => ticket),
  )
  const rows = await lockKnownTickets(run, [...ids.values()])
  const tickets = new Map(rows.map(row => [row.id, { ...placeOf(row), messages: [] as MessageToPut[] }]))
  for (const one of valid) {
    const ticket = tickets.get(ids.get(one.ticket) ?? '')
    if (ticket) ticket.messages.push(one)
    else if (run.isDryRun) one.report.settle('created', '')
    else one.report.skip('ticket_not_found')
  }
  return [...tickets.values()]
}

async function put(run: ImportRun, items: LaterMessage[]): Promise<void> {
  const tickets = await findTickets(run, items)
  const people = await findPeople(run, {
    contacts: [],
    sourceIds: [],
    operators: [],
    contactIds: tickets.map(({ contact_id }) => contact_id),
    messages: items.map(({ prepared }) => prepared),
  })
  const caused = await putMessages(run, tickets, people)
  await extendTickets(run, [...caused.values()])
}

async function prepareAll(sent: ImportedLaterMessage[]): Promise<PreparedMessage[]> {
  const takeTurn = createTurns()
  const prepared: PreparedMessage[] = []
  for (const message of sent) {
    await takeTurn()
    prepared.push(prepareMessage(message))
  }
  return prepared
}

/** Imports up to a hundred messages of imported tickets in one transaction. */
export async function importMessages(
  store: DbOrTx,
  target: ImportTarget,
  sent: ImportedLaterMessage[],
): Promise<ImportResult[]> {
  const prepared = await prepareAll(sent)
  const texts = prepared.flatMap(one => messageTexts(one, null))
  if (!target.dryRun) await gatherTexts(store, target.projectId, texts)
  return runImportCall(store, target, async run => {
    const items = prepared.map((one, at) => ({
      prepared: one,
      ticket: sent[at]!.ticket,
      report: new ItemReport(one.item.source_id, one.problem, one.warnings),
    }))
    await put(run, items)
    return items.map(({ report }) => report.print(run.isDryRun))
  })
}
