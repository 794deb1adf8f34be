import { Title } from '@mantine/core'
import { type FocusEvent, Suspense, useCallback, useEffect, useRef } from 'react'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useDisplay } from './display.ts'
import { FilterBar } from './filter-bar.tsx'
import { useInboxPlace, useTicketList, useViewName } from './inbox.ts'
import classes from './list.module.css'
import { ListEnd } from './list-end.tsx'
import { useListKeys } from './list-keys.ts'
import { usePlaceInList } from './place.ts'
import { useRowWindow } from './row-window.ts'
import { TicketRows } from './rows.tsx'
import { useSelection } from './selection.ts'

const BulkBar = lazily(() => import('./bulk-bar.tsx'))
const TicketTable = lazily(() => import('./table/table.tsx'))

/** The tickets of the view: contact, subject, last message and assignee. */
export function ListPane() {
  const place = useInboxPlace()
  const { number } = place
  const openTicket = useStable(place.openTicket)
  const list = useTicketList()
  const selected = useSelection()
  const display = useDisplay()
  const name = useViewName()
  const box = useRef<HTMLDivElement>(null)
  usePlaceInList(box, list)
  const keys = useListKeys(box, list.tickets)
  const open = list.tickets.findIndex(one => one.short_id === number)
  const shown = useRowWindow(box, list.tickets.length, open)
  const onFocus = (event: FocusEvent) => {
    keys.onFocus()
    shown.keepFocused(event.target)
  }
  const rows = { tickets: list.tickets, shown, selected, keys: { ...keys, onFocus }, openTicket }
  return (
    <>
      <Title
        order={number === undefined ? 1 : 2}
        className={place.view in text.inbox.dayViews ? classes.name : 'hidden'}
      >
        {name}
      </Title>
      {selected.size === 0 && <FilterBar />}
      <LazyContent>
        <BulkBar tickets={list.tickets} hasMore={list.hasNextPage} />
      </LazyContent>
      <div ref={box} className={classes.scroll} aria-busy={list.isPending}>
        {display.layout === 'table' ? (
          <Suspense>
            <TicketTable {...rows} />
          </Suspense>
        ) : (
          <TicketRows {...rows} />
        )}
        <ListEnd list={list} />
      </div>
      <div role="status" className="hidden">
        {selected.size > 0 && text.inbox.selected(selected.size)}
      </div>
    </>
  )
}

/** A stable function while the list is shown, which calls the newest one. */
function useStable(open: (number: string) => unknown): (number: string) => unknown {
  const newest = useRef(open)
  useEffect(() => {
    newest.current = open
  })
  return useCallback(number => newest.current(number), [])
}
