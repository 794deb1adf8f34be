import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { useAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { useInboxPlace } from './inbox.ts'
import { selectAll, toggleSelected } from './selection.ts'

const rowsOf = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('a[data-ticket]') ?? []),
]

const focused = (rows: HTMLElement[]): number =>
  rows.findIndex(row => row.closest('li')?.contains(document.activeElement))

/** Arrow keys within the list; j, k and x anywhere on the page. */
export function useListKeys(box: RefObject<HTMLElement | null>, tickets: Ticket[]) {
  const { number, openTicket } = useInboxPlace()
  const place = usePlace(box, tickets, number)
  const step = (by: number) => {
    const rows = rowsOf(box.current)
    const next = Math.max(0, Math.min(place.from(by), rows.length - 1))
    rows[next]?.focus()
    if (number !== undefined && tickets[next]) openTicket(tickets[next].short_id)
  }
  const select = () => {
    const at = focused(rowsOf(box.current))
    const ticket = at >= 0 ? tickets[at] : tickets.find(one => one.short_id === number)
    if (ticket) toggleSelected(ticket.id)
  }
  const group = text.actions.list
  useAction({ id: 'down', name: text.actions.down, group, keys: 'j', run: () => step(1) })
  useAction({ id: 'up', name: text.actions.up, group, keys: 'k', run: () => step(-1) })
  useAction({ id: 'select', name: text.actions.selectTicket, group, keys: 'x', run: select })
  useAction({
    id: 'select all',
    name: text.actions.selectAll,
    group,
    keys: '*',
    run: () => selectAll(tickets.map(({ id }) => id)),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const rows = rowsOf(box.current)
    const to = { ArrowDown: focused(rows) + 1, ArrowUp: focused(rows) - 1, Home: 0, End: rows.length - 1 }
    const next = rows[to[event.key as keyof typeof to]]
    if (!next || (event.target as HTMLElement).matches('input:not([type=checkbox])')) return
    event.preventDefault()
    next.focus()
  }
  return { onKeyDown, onFocus: place.onFocus, onBlur: place.onBlur }
}

/** The reader's position in the list. When its row is removed, the next row takes its position. */
function usePlace(box: RefObject<HTMLElement | null>, tickets: Ticket[], number: string | undefined) {
  const last = useRef(0)
  const hasFocus = useRef(false)
  const open = tickets.findIndex(one => one.short_id === number)
  useLayoutEffect(() => {
    const rows = rowsOf(box.current)
    const at = focused(rows)
    if (at >= 0 || open >= 0) last.current = at >= 0 ? at : open
    // A removed row loses the focus without an event.
    else if (hasFocus.current) rows[Math.min(last.current, rows.length - 1)]?.focus()
  })
  return {
    from(by: number): number {
      const at = focused(rowsOf(box.current))
      if (at >= 0 || open >= 0) return (at >= 0 ? at : open) + by
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
