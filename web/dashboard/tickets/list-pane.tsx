import { useCallback, useEffect, useRef } from 'react'
import { text } from '../core/text.ts'
import { BulkBar } from './bulk-bar.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useInboxPlace, useTicketList, useView } from './inbox.ts'
import classes from './list.module.css'
import { ListEnd } from './list-end.tsx'
import { useListKeys } from './list-keys.ts'
import { useSelection } from './selection.ts'
import { TicketRow } from './ticket-row.tsx'
import { nameOfView } from './views.ts'

/** The tickets of the view: who, what about, the last words, and who has it. */
export function ListPane() {
  const place = useInboxPlace()
  const { number } = place
  const openTicket = useStable(place.openTicket)
  const list = useTicketList()
  const selected = useSelection()
  const view = useView()
  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = useListKeys(box, list.tickets)
  const open = list.tickets.findIndex(one => one.short_id === number)
  return (
    <>
      {selected.size > 0 ? <BulkBar tickets={list.tickets} /> : <FilterBar />}
      <div ref={box} className={classes.scroll} aria-busy={list.isPending}>
        <ul className={classes.rows} aria-label={view && nameOfView(view)} onKeyDown={onKeyDown}>
          {list.tickets.map((ticket, at) => (
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

/** The same function for as long as the list is shown, which does what the newest does. */
function useStable(open: (number: string) => unknown): (number: string) => unknown {
  const newest = useRef(open)
  useEffect(() => {
    newest.current = open
  })
  return useCallback(number => newest.current(number), [])
}
