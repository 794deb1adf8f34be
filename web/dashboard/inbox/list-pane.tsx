import { Title } from '@mantine/core'
import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { FilterBar } from './filter-bar.tsx'
import { useInboxPlace, useTicketList, useView } from './inbox.ts'
import classes from './list.module.css'
import { ListEnd } from './list-end.tsx'
import { useListKeys } from './list-keys.ts'
import { useSelection } from './selection.ts'
import { TicketRow } from './ticket-row.tsx'
import { nameOfView } from './views.ts'

const BulkBar = lazily(() => import('./bulk-bar.tsx'))

/** The tickets of the view: contact, subject, last message and assignee. */
export function ListPane() {
  const place = useInboxPlace()
  const { number } = place
  const openTicket = useStable(place.openTicket)
  const list = useTicketList()
  const selected = useSelection()
  const view = useView()
  const box = useRef<HTMLDivElement>(null)
  const keys = useListKeys(box, list.tickets)
  const rows = useFirstRows(list.tickets)
  const open = list.tickets.findIndex(one => one.short_id === number)
  return (
    <>
      <Title order={number === undefined ? 1 : 2} className="hidden">
        {view ? nameOfView(view) : text.inbox.tickets}
      </Title>
      {selected.size === 0 && <FilterBar />}
      <LazyContent>
        <BulkBar tickets={list.tickets} />
      </LazyContent>
      <div ref={box} className={classes.scroll} aria-busy={list.isPending}>
        <ul className={classes.rows} aria-label={view && nameOfView(view)} {...keys}>
          {rows.map((ticket, at) => (
            <TicketRow
              key={ticket.id}
              ticket={ticket}
              isOpen={ticket.short_id === number}
              isSelected={selected.has(ticket.id)}
              isReached={at === Math.max(open, 0)}
              view={place.view}
              openTicket={openTicket}
            />
          ))}
        </ul>
        <ListEnd list={list} />
      </div>
      <div role="status" className="hidden">
        {selected.size > 0 && text.inbox.selected(selected.size)}
      </div>
    </>
  )
}

/** Renders one screen of rows first, to be faster, and then all. */
function useFirstRows(tickets: Ticket[]): Ticket[] {
  const [isWhole, setWhole] = useState(false)
  const isEmpty = tickets.length === 0
  useEffect(() => {
    if (!isEmpty) startTransition(() => setWhole(true))
  }, [isEmpty])
  return isWhole ? tickets : tickets.slice(0, screenful)
}

const screenful = 16

/** A stable function while the list is shown, which calls the newest one. */
function useStable(open: (number: string) => unknown): (number: string) => unknown {
  const newest = useRef(open)
  useEffect(() => {
    newest.current = open
  })
  return useCallback(number => newest.current(number), [])
}
