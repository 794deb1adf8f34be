import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { channelOf, customChannelsQuery } from '../../channels/custom-channels.ts'
import { organizationChoicesQuery } from '../../contacts/organization-queries.ts'
import { contactsQuery } from '../../contacts/queries.ts'
import { pageText } from '../../core/page-text.ts'
import type { PickerOption } from '../../core/picker.tsx'
import { text } from '../../core/text.ts'
import { departmentsQuery, peopleQuery } from '../../operators/queries.ts'
import { useProject } from '../../projects/project.ts'
import { tagsQuery } from '../../tags/queries.ts'
import { contactNameOf } from '../../tickets/names.ts'
import { priorities, statuses } from '../search.ts'
import type { FieldInfo } from './fields.ts'

/** The id that stands for `null`. */
export const noneId = 'none'

interface Choices {
  choices: PickerOption[]
  /** The options match an older query. */
  isStale?: boolean
}

const toOptions = (list: { id: string; name: string }[] = []): PickerOption[] =>
  list.map(({ id, name }) => ({ id, label: name }))

const stars = [5, 4, 3, 2, 1]

function useContactChoices(words: string, isWanted: boolean): Choices {
  const [searched] = useDebouncedValue(words.trim(), 200)
  const { data, isPlaceholderData } = useInfiniteQuery({
    ...contactsQuery(useProject().id, searched),
    enabled: isWanted,
  })
  const contacts = data?.pages.flatMap(({ items }) => items) ?? []
  return {
    choices: contacts.map(one => ({ id: one.id, label: contactNameOf(one), about: one.email ?? undefined })),
    isStale: isPlaceholderData || searched !== words.trim(),
  }
}

function useOrganizationChoices(words: string, isWanted: boolean): Choices {
  const [searched] = useDebouncedValue(words.trim(), 200)
  const query = organizationChoicesQuery(useProject().id, searched)
  const { data, isPlaceholderData } = useQuery({ ...query, enabled: isWanted })
  const none = { id: noneId, label: pageText.conditions.noOrganization }
  // Otherwise, Enter would choose it and not the first match of the typed words.
  const isNoneShown = none.label.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
  return {
    choices: [...(isNoneShown ? [none] : []), ...toOptions(data)],
    isStale: isPlaceholderData || searched !== words.trim(),
  }
}

/** The possible values of a field; for contacts and organizations, those that match what was typed. */
export function useChoices({ field, options }: FieldInfo, words: string): Choices & { isSearched: boolean } {
  const { id } = useProject()
  const { data: people } = useQuery({ ...peopleQuery(id), enabled: field === 'operator_id' })
  const { data: departments } = useQuery({ ...departmentsQuery(id), enabled: field === 'department_id' })
  const { data: tags } = useQuery({ ...tagsQuery(id), enabled: field === 'tags' })
  const { data: channels } = useQuery({ ...customChannelsQuery(id), enabled: field === 'channel' })
  const contacts = useContactChoices(words, field === 'contact_id')
  const organizations = useOrganizationChoices(words, field === 'organization_id')
  if (field === 'contact_id') return { ...contacts, isSearched: true }
  if (field === 'organization_id') return { ...organizations, isSearched: true }
  const { me, nobody, noDepartment } = pageText.conditions
  const lists: Record<string, () => PickerOption[]> = {
    status: () => statuses.map(one => ({ id: one, label: text.inbox.statuses[one] })),
    priority: () => priorities.map(one => ({ id: one, label: text.inbox.priorities[one] })),
    channel: () => [
      ...Object.entries(text.inbox.channels).map(([name, label]) => ({ id: name, label })),
      ...(channels ?? []).map(({ name, title }) => ({ id: channelOf(name), label: title })),
    ],
    operator_id: () => [{ id: 'me', label: me }, { id: noneId, label: nobody }, ...toOptions(people)],
    department_id: () => [{ id: noneId, label: noDepartment }, ...toOptions(departments)],
    tags: () => (tags ?? []).map(({ name }) => ({ id: name, label: name })),
    rating: () => stars.map(one => ({ id: String(one), label: pageText.conditions.stars(one) })),
  }
  return {
    choices: lists[field]?.() ?? (options ?? []).map(one => ({ id: one, label: one })),
    isSearched: false,
  }
}
