import { ChevronDownIcon, ChevronUpIcon } from '@heroicons/react/16/solid'
import { Fragment, type MouseEvent, memo, useMemo } from 'react'
import { Go } from '../../core/go.tsx'
import { pageText } from '../../core/page-text.ts'
import { text } from '../../core/text.ts'
import { prefetchConversation } from '../../messages/queries.ts'
import type { Ticket } from '../../tickets/queries.ts'
import { useDisplay } from '../display.ts'
import { useInboxPlace, useViewName } from '../inbox.ts'
import { useOrder } from '../order.ts'
import type { RowsProps } from '../rows.tsx'
import { sorts } from '../search.ts'
import { tick } from '../selection.ts'
import { type Column, useColumns, usualColumns } from './columns.tsx'
import classes from './table.module.css'

/** The shown columns in their order. The subject, which contains the link, is always one of them. */
function useShownColumns(): Column[] {
  const all = useColumns()
  const { columns } = useDisplay()
  const chosen = columns ?? usualColumns
  const ids = chosen.includes('subject') ? chosen : ['subject', ...chosen]
  return ids.flatMap(id => all.find(one => one.id === id) ?? [])
}

/** The tickets of the view as a table. */
export default function TicketTable({ tickets, shown, selected, keys, openTicket }: RowsProps) {
  const name = useViewName()
  const { density } = useDisplay()
  const columns = useShownColumns()
  const ids = columns.map(({ id }) => id).join(' ')
  // The same array while the columns are the same, so that rows do not render again.
  const stable = useMemo(() => columns, [ids])
  const { view: viewId } = useInboxPlace()
  return (
    <table
      className={classes.table}
      data-density={density}
      aria-label={name}
      aria-rowcount={tickets.length + 1}
      {...keys}
    >
      <Head columns={columns} />
      <tbody>
        {shown.runs.map(({ from, to, skipped }) => (
          <Fragment key={from}>
            {skipped > 0 && (
              <tr className={classes.gap} aria-hidden>
                <td colSpan={columns.length + 1} style={{ height: skipped * shown.height }} />
              </tr>
            )}
            {tickets.slice(from, to).map((ticket, offset) => (
              <TableRow
                key={ticket.id}
                ticket={ticket}
                at={from + offset}
                columns={stable}
                isSelected={selected.has(ticket.id)}
                isReached={from + offset === 0}
                view={viewId}
                openTicket={openTicket}
              />
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

function Head({ columns }: { columns: Column[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">
          <span className="hidden">{pageText.ticketList.select}</span>
        </th>
        {columns.map(column => (
          <HeadCell key={column.id} column={column} />
        ))}
      </tr>
    </thead>
  )
}

/** A click sorts in descending order, and the next one in ascending order. */
function HeadCell({ column: { label, sort } }: { column: Column }) {
  const { sort: order, choose } = useOrder()
  const now: string = order
  if (!sort)
    return (
      <th scope="col">
        <span className={classes.head}>{label}</span>
      </th>
    )
  const down = sorts.some(one => one === `-${sort}`) ? `-${sort}` : sort
  const next = sorts.find(one => one === (now === down ? sort : down))
  const isSorted = now === sort || now === `-${sort}`
  const Sign = now === sort ? ChevronUpIcon : ChevronDownIcon
  return (
    <th scope="col" aria-sort={isSorted ? (now === sort ? 'ascending' : 'descending') : undefined}>
      <button type="button" className={classes.head} onClick={() => next && choose(next)}>
        {label}
        {isSorted && <Sign width={14} aria-hidden />}
      </button>
    </th>
  )
}

interface RowProps {
  ticket: Ticket
  at: number
  columns: Column[]
  isSelected: boolean
  isReached: boolean
  view: string
  openTicket(number: string): unknown
}

const TableRow = memo(function TableRow(props: RowProps) {
  const { ticket, at, columns, isSelected, isReached, openTicket } = props
  const subject = ticket.subject ?? text.inbox.noSubject
  const open = ({ target, shiftKey }: MouseEvent) => {
    if (target instanceof Element && !shiftKey && !target.closest('a, input, label'))
      openTicket(ticket.short_id)
  }
  return (
    <tr
      className={classes.row}
      data-row={at}
      data-selected={isSelected || undefined}
      data-unread={ticket.is_unread || undefined}
      aria-rowindex={at + 2}
      onClick={open}
    >
      <td>
        <label className={classes.tick}>
          <input
            type="checkbox"
            aria-label={text.inbox.select(subject)}
            checked={isSelected}
            onChange={event => tick(ticket.id, event.nativeEvent)}
            tabIndex={isReached ? 0 : -1}
          />
        </label>
      </td>
      {columns.map(column =>
        column.id === 'subject' ? (
          <SubjectCell key={column.id} {...props} />
        ) : (
          <td key={column.id}>{column.show(ticket)}</td>
        ),
      )}
    </tr>
  )
})

function SubjectCell({ ticket, view, isReached, openTicket }: RowProps) {
  const { workspace_id: projectId, short_id } = ticket
  const prefetch = () => prefetchConversation(projectId, short_id)
  return (
    <td className={classes.subject}>
      <Go
        to={`/p/${projectId}/inbox/${view}/${short_id}`}
        onGo={() => openTicket(short_id)}
        className={classes.link}
        data-ticket={ticket.id}
        tabIndex={isReached ? 0 : -1}
        onMouseEnter={prefetch}
        onFocus={prefetch}
      >
        {ticket.is_unread && <span className="hidden">{text.inbox.unread}</span>}
        <span dir="auto">{ticket.subject ?? text.inbox.noSubject}</span>
      </Go>
    </td>
  )
}
