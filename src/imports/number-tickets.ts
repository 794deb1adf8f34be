import type { TicketToPut } from './put-tickets.ts'
import type { ImportRun } from './run.ts'
import { listTakenNumbers, lockTicketNumber, updateNumbers, updateTicketNumber } from './ticket-queries.ts'

/** Assigns numbers to the new tickets of an import. */

/** A number that no other ticket has. The ticket has it until it gets its real number. */
export const temporaryNumber = (id: string): number => -Number.parseInt(id.slice(-12), 16) - 1

/**
 * A ticket keeps its number if no other ticket has it; otherwise it gets a new one. This is the last step, because the project's counter
 * stays locked until the commit, and everybody who opens a ticket waits for it.
 */
export async function numberTickets(
  { tx }: ImportRun,
  created: (TicketToPut & { id: string })[],
): Promise<void> {
  const { projectId } = tx
  const wanted = created.flatMap(({ prepared }) => prepared.item.number ?? [])
  const counter = await lockTicketNumber(tx, projectId)
  const taken = wanted.length ? await listTakenNumbers(tx, projectId, wanted) : new Set<number>()
  const numbers = new Map<string, number>()
  const others: (TicketToPut & { id: string })[] = []
  for (const one of created) {
    const { number } = one.prepared.item
    if (!number || taken.has(number)) others.push(one)
    else numbers.set(one.id, number)
    if (number) taken.add(number)
  }
  let last = Math.max(counter, ...numbers.values())
  for (const { id, prepared, report } of others) {
    const { number } = prepared.item
    if (number) report.warn('number', number, 'number_taken')
    numbers.set(id, ++last)
  }
  await updateNumbers(tx, projectId, numbers)
  await updateTicketNumber(tx, projectId, last)
}
