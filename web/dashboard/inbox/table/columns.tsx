import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TicketColumn } from '../../../../src/views/columns.ts'
import { type Field, fieldsQuery } from '../../contacts/queries.ts'
import { Avatar } from '../../core/avatar.tsx'
import { printNumber } from '../../core/format.ts'
import { pageText } from '../../core/page-text.ts'
import { text } from '../../core/text.ts'
import { brief, moment } from '../../core/time.ts'
import { When } from '../../core/when.tsx'
import { useProject } from '../../projects/project.ts'
import { ChannelMark } from '../../tickets/channel-mark.tsx'
import { PriorityMark, RatingMark, StatusMark, TagMark } from '../../tickets/marks.tsx'
import { contactNameOf } from '../../tickets/names.ts'
import type { Ticket } from '../../tickets/queries.ts'
import classes from './table.module.css'

/** A column of the table of tickets, beside the subject, which contains the link to the ticket. */
export interface Column {
  id: string
  label: string
  /** The field by which the server sorts; undefined if it does not. */
  sort?: string
  show(ticket: Ticket): ReactNode
}

const time = (at: string | null): ReactNode =>
  at && (
    <time dateTime={at} title={moment(at)}>
      {brief(at)}
    </time>
  )

const named = (name: string | null | undefined): ReactNode => name && <span dir="auto">{name}</span>

const assignee = ({ operator }: Ticket): ReactNode =>
  operator && (
    <span className={classes.person}>
      <Avatar size={20} src={operator.avatar_url} name={operator.name} />
      <span dir="auto">{operator.name}</span>
    </span>
  )

const tagMarks = ({ tags }: Ticket): ReactNode =>
  tags.length > 0 && (
    <span className={classes.tags}>
      {tags.map(tag => (
        <TagMark key={tag} tag={tag} />
      ))}
    </span>
  )

const cells: Record<TicketColumn, Omit<Column, 'id' | 'label'>> = {
  number: { show: ({ short_id }) => text.inbox.number(short_id) },
  contact: { show: ({ contact }) => named(contactNameOf(contact)) },
  organization: { show: ({ organization }) => named(organization?.name) },
  subject: { show: ({ subject }) => subject },
  status: { show: ({ status }) => <StatusMark status={status} /> },
  priority: { show: ({ priority }) => priority !== 'normal' && <PriorityMark priority={priority} /> },
  assignee: { show: assignee },
  department: { show: ticket => named(ticket.department_name) },
  tags: { show: tagMarks },
  channel: { show: one => <ChannelMark projectId={one.workspace_id} channel={one.channel} /> },
  waiting_since: { sort: 'waiting_since', show: ({ waiting_since: at }) => at && <When time={at} /> },
  last_message: { sort: 'last_message_at', show: ticket => time(ticket.last_message?.created_at ?? null) },
  created_at: { sort: 'created_at', show: ticket => time(ticket.created_at) },
  closed_at: { show: ticket => time(ticket.closed_at) },
  rating: { show: ({ rating }) => rating !== null && <RatingMark rating={rating} /> },
}

export const usualColumns = ['contact', 'subject', 'status', 'priority', 'assignee', 'tags', 'last_message']

/** A value of a custom field. */
function customValue(value: unknown): ReactNode {
  const { yes, no } = pageText.conditions
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'number') return printNumber(value)
  return typeof value === 'string' ? named(value) : null
}

/** The column of a custom field of tickets or contacts. */
function customColumn({ record, key, label }: Field): Column {
  const isOfContact = record === 'contact'
  return {
    id: `${isOfContact ? 'contact.' : ''}custom_fields.${key}`,
    label: isOfContact ? pageText.conditions.ofContact(label) : label,
    show: ({ custom_fields, contact_custom_fields }) =>
      customValue((isOfContact ? contact_custom_fields : custom_fields)[key]),
  }
}

/** All columns that can be chosen, with the custom fields of tickets and contacts. */
export function useColumns(): Column[] {
  const { data: fields = [] } = useQuery(fieldsQuery(useProject().id))
  return [
    ...Object.entries(cells).map(([id, cell]) => ({
      id,
      label: pageText.ticketList.column[id] ?? id,
      ...cell,
    })),
    ...fields.filter(({ record }) => record !== 'organization').map(customColumn),
  ]
}

/** The chosen columns whose custom field was deleted. */
export function useDeletedColumns(chosen: string[]): Column[] {
  const { isSuccess } = useQuery(fieldsQuery(useProject().id))
  const all = useColumns()
  if (!isSuccess) return []
  const ids = chosen.filter(id => id.includes('custom_fields.') && !all.some(one => one.id === id))
  return ids.map(id => ({
    id,
    label: pageText.ticketList.deletedColumn(id.split('.').at(-1)!),
    show: () => null,
  }))
}
