import { type RefObject, useLayoutEffect } from 'react'
import type { Ticket } from '../tickets/queries.ts'
import { type Destination, readWorkSettings } from '../users/work-settings.ts'
import { useInboxPlace, type useTicketList } from './inbox.ts'
import { toFilters } from './search.ts'

/**
 * The reader's place in the list. A reply moves the open ticket within the list, and other changes remove it.
 * The tickets that were above and below it before are still the next ones for the reader.
 */

interface Place {
  /** The view, its filters and its order. */
  list: string
  /** The number of the open ticket. */
  number: string
  /** The list when the open ticket was last in its place. */
  tickets: Ticket[]
}

let place: Place | null = null
let shown: Ticket[] = []
let open: (number: string | null) => unknown = () => {}

/** The row to focus as soon as it is in the page. */
let wantedFocus: string | undefined

/** Tickets that this person is changing while they are open. */
const changed = new Set<string>()
/** Tickets that were left after a change. */
const left = new Set<string>()

const indexOf = (tickets: Ticket[], number: string): number =>
  tickets.findIndex(({ short_id }) => short_id === number)

/** The ticket after the open one, or the one before it. */
export function findNeighbour(by: 1 | -1): Ticket | undefined {
  if (!place) return by === 1 ? shown[0] : undefined
  const at = indexOf(place.tickets, place.number)
  const side = by === 1 ? place.tickets.slice(at + 1) : place.tickets.slice(0, at).reverse()
  // The list may have newer copies.
  for (const { id } of side) {
    const near = shown.find(one => one.id === id)
    if (near) return near
  }
}

/** Whether this is the ticket that follows the open one, which has left the list. */
export const isFollowing = (ticket: Ticket | undefined): boolean =>
  ticket !== undefined && ticket.id === findNextToOpen()?.id

const findNextToOpen = (): Ticket | undefined => findNeighbour(1) ?? findNeighbour(-1)

/** Whether the open ticket is still between the same tickets. */
function isInPlace(number: string): boolean {
  const at = indexOf(shown, number)
  const [next, previous] = [findNeighbour(1), findNeighbour(-1)]
  return at >= 0 && (!next || shown.indexOf(next) > at) && (!previous || shown.indexOf(previous) < at)
}

/** Follows the list, which others may change too. */
function follow(list: string, tickets: Ticket[], number: string | undefined): void {
  shown = tickets
  const isSame = place?.list === list && place.number === number
  if (!isSame) changed.clear()
  if (number === undefined) place = null
  else if (!isSame) place = indexOf(tickets, number) < 0 ? null : { list, number, tickets }
  else if (isInPlace(number)) place = { list, number, tickets }
}

/** Opens what comes after a ticket, and returns whether something else is open now. */
export function leave({ id, short_id }: Ticket, to: Destination): boolean {
  if (to === 'stay' || place?.number !== short_id) return false
  const next = findNextToOpen()
  wantedFocus = next?.id
  left.add(id)
  void open(to === 'next' ? (next?.short_id ?? null) : null)
  return true
}

/** After a reply or a closing. */
export const leaveWhenDone = (ticket: Ticket): boolean => leave(ticket, readWorkSettings().after_done)

/** After another change that removes the ticket from most lists, if the person wants to go on then. */
export function leaveAfterChange(ticket: Ticket): boolean {
  const { advances, after_done } = readWorkSettings()
  return advances && leave(ticket, after_done)
}

/** Opens a ticket again that was left because of a change, after the change was undone. */
export function returnTo({ id, short_id }: Ticket): void {
  if (left.delete(id)) void open(short_id)
}

/** Records that this person is changing a ticket. If it is open and leaves the list, the next one may open. */
export const recordOwnChange = ({ id }: Ticket): unknown => changed.add(id)

/** What happens when the open ticket has left the list after a change by this person. */
function afterRemoval(): void {
  const ticket = place?.tickets[indexOf(place.tickets, place.number)]
  if (!ticket || !changed.delete(ticket.id)) return
  if (leaveAfterChange(ticket)) return
  // The focus would otherwise be lost with the row or the dialog.
  if (document.activeElement === document.body) wantedFocus = findNextToOpen()?.id
}

/** Keeps the place in the list while the component is shown. */
export function usePlaceInList(
  box: RefObject<HTMLElement | null>,
  { tickets, isPlaceholderData, isPending }: ReturnType<typeof useTicketList>,
): void {
  const { projectId, view, search, number, openTicket } = useInboxPlace()
  useLayoutEffect(() => {
    open = openTicket
    if (isPlaceholderData || isPending) return
    follow(JSON.stringify([projectId, toFilters(view, search)]), tickets, number)
    if (number !== undefined && indexOf(tickets, number) < 0) afterRemoval()
    const row = wantedFocus && box.current?.querySelector<HTMLElement>(`a[data-ticket="${wantedFocus}"]`)
    if (!row) return
    wantedFocus = undefined
    row.focus()
  })
}
