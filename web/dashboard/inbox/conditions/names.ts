import { useQueries, useQuery } from '@tanstack/react-query'
import { channelOf, customChannelsQuery } from '../../channels/custom-channels.ts'
import { organizationQuery } from '../../contacts/organization-queries.ts'
import { contactQuery } from '../../contacts/queries.ts'
import { pageText } from '../../core/page-text.ts'
import { text } from '../../core/text.ts'
import { departmentsQuery, peopleQuery } from '../../operators/queries.ts'
import { useProject } from '../../projects/project.ts'
import { contactNameOf } from '../../tickets/names.ts'
import { type Condition, isLeaf, itemsOf, type Plain } from './condition.ts'

const listIds = (condition: Condition, field: string): string[] =>
  isLeaf(condition)
    ? condition.field === field && Array.isArray(condition.value)
      ? condition.value.filter(one => typeof one === 'string')
      : []
    : itemsOf(condition).flatMap(one => listIds(one, field))

const unique = (ids: string[]): string[] => [...new Set(ids)]

/** The names of contacts and organizations that the condition contains. */
function useRecordNames(condition: Condition): Map<string, string> {
  const { id: projectId } = useProject()
  const contacts = useQueries({
    queries: unique(listIds(condition, 'contact_id')).map(id => contactQuery(projectId, id)),
  })
  const organizations = useQueries({
    queries: unique(listIds(condition, 'organization_id')).map(id => organizationQuery(projectId, id)),
  })
  return new Map([
    ...contacts.flatMap(({ data }) => (data ? [[data.id, contactNameOf(data)] as const] : [])),
    ...organizations.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])),
  ])
}

/** What stands for `null`. */
const missing = (field: string): string => {
  const { nobody, noDepartment, noOrganization, noValue } = pageText.conditions
  const words: Record<string, string> = {
    operator_id: nobody,
    department_id: noDepartment,
    organization_id: noOrganization,
  }
  return words[field] ?? noValue
}

type NameOf = (field: string, value: Plain) => string

/** Names the values of fields: people, departments, channels, and so on. */
export function useNames(condition: Condition): NameOf {
  const { id: projectId, operatorId } = useProject()
  const { data: people } = useQuery(peopleQuery(projectId))
  const { data: departments } = useQuery(departmentsQuery(projectId))
  const { data: channels } = useQuery(customChannelsQuery(projectId))
  const records = useRecordNames(condition)
  const named = (list: { id: string; name: string }[] | undefined, id: string) =>
    list && (list.find(one => one.id === id)?.name ?? pageText.conditions.gone)
  const namers: Record<string, (value: string) => string | undefined> = {
    status: value => Object.entries(text.inbox.statuses).find(([name]) => name === value)?.[1],
    priority: value => Object.entries(text.inbox.priorities).find(([name]) => name === value)?.[1],
    channel: value =>
      text.inbox.channels[value] ?? channels?.find(({ name }) => channelOf(name) === value)?.title ?? value,
    operator_id: value =>
      value === 'me' || value === operatorId ? pageText.conditions.me : named(people, value),
    department_id: value => named(departments, value),
    contact_id: value => records.get(value) ?? '…',
    organization_id: value => records.get(value) ?? '…',
    rating: value => pageText.conditions.stars(Number(value)),
  }
  return (field, value) =>
    value === null
      ? missing(field)
      : (namers[field]?.(String(value)) ?? (namers[field] ? '…' : String(value)))
}
