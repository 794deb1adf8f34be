import type { FocusEvent } from 'react'
import type { Ticket } from '../tickets/queries.ts'
import { useDisplay } from './display.ts'
import { useInboxPlace, useViewName } from './inbox.ts'
import classes from './list.module.css'
import type { useListKeys } from './list-keys.ts'
import type { useRowWindow } from './row-window.ts'
import { TicketRow } from './ticket-row.tsx'

export interface RowsProps {
  tickets: Ticket[]
  /** The rows that are in the page. */
  shown: ReturnType<typeof useRowWindow>
  selected: ReadonlySet<string>
  keys: Omit<ReturnType<typeof useListKeys>, 'onFocus'> & { onFocus(event: FocusEvent): void }
  openTicket(number: string): unknown
}

/** The tickets of the view as a list. */
export function TicketRows({ tickets, shown, selected, keys, openTicket }: RowsProps) {
  const name = useViewName()
  const { density } = useDisplay()
  const { number, view: viewId } = useInboxPlace()
  const open = tickets.findIndex(one => one.short_id === number)
  return (
    <ul className={classes.rows} data-density={density} aria-label={name} {...keys}>
      {shown.runs.flatMap(({ from, to, skipped }) =>
        tickets
          .slice(from, to)
          .map((ticket, offset) => (
            <TicketRow
              key={ticket.id}
              ticket={ticket}
              at={from + offset}
              gap={offset === 0 ? skipped * shown.height : 0}
              isOpen={ticket.short_id === number}
              isSelected={selected.has(ticket.id)}
              isReached={from + offset === Math.max(open, 0)}
              view={viewId}
              openTicket={openTicket}
            />
          )),
      )}
    </ul>
  )
}
