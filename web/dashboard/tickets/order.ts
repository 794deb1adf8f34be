import type { Shape } from '../core/answers.ts'
import type { Ticket, TicketFilters } from './queries.ts'

/** The orders of lists, as the server sorts them. */

type View = Shape<'View'>
export type Sort = NonNullable<TicketFilters['sort']>

const byWait: View['kind'][] = ['mine', 'unassigned', 'open', 'department']

/** The lists of the first screen whose order is the same. */
const dayListsByWait = ['my_departments', 'late']

/** The order of a view or a list of the first screen, unless another one was chosen. */
export function usualSort(viewId: string, view: View | undefined, isSearch: boolean): Sort {
  const isByWait = view ? byWait.includes(view.kind) : dayListsByWait.includes(viewId)
  return view?.filters?.sort ?? (!isSearch && isByWait ? 'waiting_since' : '-last_message_at')
}

/** Negative if the first ticket comes first. */
export type Compare = (one: Ticket, other: Ticket) => number

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Times have one form, so their texts are in their order. Tickets without a time come last. */
const byTime =
  (read: (ticket: Ticket) => string | null, isDescending: boolean): Compare =>
  (one, other) => {
    const [first, second] = [read(one), read(other)]
    if (first !== second && (first === null || second === null)) return first === null ? 1 : -1
    const order = compareTexts(first ?? '', second ?? '') || compareTexts(one.id, other.id)
    return isDescending ? -order : order
  }

const lastMessageAt = ({ last_message }: Ticket): string | null => last_message?.created_at ?? null

const compareLatest = byTime(lastMessageAt, true)
const compareWait = byTime(ticket => ticket.waiting_since, false)

const comparisons: Record<Sort, Compare> = {
  created_at: byTime(ticket => ticket.created_at, false),
  '-created_at': byTime(ticket => ticket.created_at, true),
  updated_at: byTime(ticket => ticket.updated_at, false),
  '-updated_at': byTime(ticket => ticket.updated_at, true),
  last_message_at: byTime(lastMessageAt, false),
  '-last_message_at': compareLatest,
  waiting_since: (one, other) =>
    one.waiting_since === null && other.waiting_since === null
      ? compareLatest(one, other)
      : compareWait(one, other),
}

export const comparisonOf = (sort: Sort): Compare => comparisons[sort]
