import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { useInboxPlace, useListFilters } from './inbox.ts'
import { findNeighbour, isFollowing } from './place.ts'
import {
  clearSelection,
  selectListed,
  selectRange,
  setListed,
  toggleSelected,
  useSelection,
} from './selection.ts'

/** The links of the rows by their index in the list. Rows far from the visible and the focused ones are missing. */
function rowsOf(box: HTMLElement | null): (HTMLElement | undefined)[] {
  const rows: (HTMLElement | undefined)[] = []
  for (const row of box?.querySelectorAll<HTMLElement>('[data-row]') ?? [])
    rows[Number(row.dataset.row)] = row.querySelector<HTMLElement>('a[data-ticket]') ?? undefined
  return rows
}

const focused = (rows: (HTMLElement | undefined)[]): number =>
  rows.findIndex(row => row?.closest('[data-row]')?.contains(document.activeElement))

/** Arrow keys within the list; j, k and x anywhere on the page. With Shift, they and clicks select ranges. */
export function useListKeys(box: RefObject<HTMLElement | null>, tickets: Ticket[]) {
  const { projectId, number } = useInboxPlace()
  const filters = useListFilters()
  const place = usePlace(box, tickets)
  useLayoutEffect(() => setListed(tickets), [tickets])
  const step = (by: 1 | -1) => {
    const rows = rowsOf(box.current)
    const next = Math.max(0, Math.min(place.from(by), rows.length - 1))
    rows[next]?.focus()
    if (number !== undefined && tickets[next]) place.open(tickets[next].short_id)
  }
  /** Does not open the row, because opening would mark each ticket of a range as read. */
  const extend = (by: number) => {
    const at = place.at()
    const next = Math.max(0, Math.min(at < 0 ? 0 : at + by, tickets.length - 1))
    const to = tickets[next]
    if (!to) return
    rowsOf(box.current)[next]?.focus()
    selectRange(to.id, tickets[at]?.id)
  }
  const select = () => {
    const ticket = tickets[place.at()]
    if (ticket) toggleSelected(ticket.id)
  }
  const selectView = async () => {
    const { selectWholeView } = await import('./select-view.ts')
    await selectWholeView(projectId, filters)
  }
  useListActions({ step, extend, select, selectView })
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = rowsOf(box.current)
    const to = { ArrowDown: focused(rows) + 1, ArrowUp: focused(rows) - 1, Home: 0, End: rows.length - 1 }
    const next = rows[to[event.key as keyof typeof to]]
    if (!next || (event.target as HTMLElement).matches('input:not([type=checkbox])')) return
    event.preventDefault()
    if (event.shiftKey && event.key.startsWith('Arrow')) extend(event.key === 'ArrowDown' ? 1 : -1)
    else next.focus()
  }
  const onClickCapture = (event: MouseEvent) => {
    const { target, shiftKey } = event
    const row = target instanceof Element ? target.closest<HTMLElement>('a[data-ticket]') : null
    if (!shiftKey || !row?.dataset.ticket) return
    event.preventDefault()
    event.stopPropagation()
    selectRange(row.dataset.ticket, tickets[place.at()]?.id)
    row.focus()
  }
  return { onKeyDown, onClickCapture, onMouseDown, onFocus: place.onFocus, onBlur: place.onBlur }
}

/** With Shift, the browser would select the text between two clicks. */
function onMouseDown(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault()
}

interface ListActions {
  step(by: 1 | -1): void
  extend(by: number): void
  select(): void
  selectView(): void
}

function useListActions({ step, extend, select, selectView }: ListActions): void {
  const group = text.actions.list
  const { down, up, selectTicket, selectAll } = text.actions
  const { selectDown, selectUp } = text.bulk
  useAction({ id: 'down', name: down, group, keys: 'j', run: () => step(1) })
  useAction({ id: 'up', name: up, group, keys: 'k', run: () => step(-1) })
  useAction({ id: 'select', name: selectTicket, group, keys: 'x', run: select })
  useAction({ id: 'select down', name: selectDown, group, keys: 'shift+j', run: () => extend(1) })
  useAction({ id: 'select up', name: selectUp, group, keys: 'shift+k', run: () => extend(-1) })
  useAction({ id: 'select all', name: selectAll, group, keys: 'mod+a', run: selectListed })
  useAction({ id: 'select view', name: text.inbox.selectView, group, keys: 'shift+a', run: selectView })
  const clear = { id: 'clear selection', name: text.inbox.clearSelection, group, keys: 'escape' }
  const isAny = useSelection().size > 0
  useAction(isAny ? { ...clear, isForSelection: true, run: clearSelection } : null)
}

/** The reader's position in the list. When its row is removed, the next row takes its position. */
function usePlace(box: RefObject<HTMLElement | null>, tickets: Ticket[]) {
  const { number, openTicket } = useInboxPlace()
  const last = useRef(0)
  const hasFocus = useRef(false)
  /** The ticket that a key opens, which may take longer than the next key. */
  const opening = useRef(number)
  useLayoutEffect(() => {
    opening.current = number
  }, [number])
  const open = tickets.findIndex(one => one.short_id === number)
  useLayoutEffect(() => {
    const rows = rowsOf(box.current)
    const at = focused(rows)
    if (at >= 0 || open >= 0) last.current = at >= 0 ? at : open
    // A removed row loses the focus without an event.
    else if (hasFocus.current) rows[Math.min(last.current, rows.length - 1)]?.focus()
  })
  useFocusAfterSelection(() => {
    const rows = rowsOf(box.current)
    rows[Math.min(last.current, rows.length - 1)]?.focus()
  })
  /** The row with the focus, or that of the open ticket; -1 without one. */
  const find = (): number => {
    const at = focused(rowsOf(box.current))
    return at >= 0 ? at : open
  }
  return {
    at: find,
    open(shortId: string) {
      opening.current = shortId
      openTicket(shortId)
    },
    from(by: 1 | -1): number {
      const at = find()
      const near = number === undefined || opening.current !== number ? undefined : findNeighbour(by)
      // The focus is also on the next row if the open ticket has left the list.
      if (near && (at === open || isFollowing(tickets[at]))) return tickets.indexOf(near)
      if (at >= 0) return at + by
      return number === undefined ? 0 : last.current + Math.min(by, 0)
    },
    onFocus() {
      hasFocus.current = true
      last.current = focused(rowsOf(box.current))
    },
    onBlur() {
      hasFocus.current = false
    },
  }
}

/** When the selection ends, its toolbar disappears, and the focus that was in it returns to the list. */
function useFocusAfterSelection(focus: () => void): void {
  const isAny = useSelection().size > 0
  const wasAny = useRef(isAny)
  useLayoutEffect(() => {
    const hasEnded = wasAny.current && !isAny
    wasAny.current = isAny
    if (hasEnded && document.activeElement === document.body) focus()
  })
}
