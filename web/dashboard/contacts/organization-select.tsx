import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { text } from '../core/text.ts'
import { type Organization, organizationChoicesQuery, organizationQuery } from './organization-queries.ts'

interface Props {
  projectId: string
  value: string | null
  onChange(id: string | null): void
}

const toOption = ({ id, name }: Organization) => ({ value: id, label: name })

const fits = ({ name }: Organization, words: string): boolean =>
  name.toLocaleLowerCase().includes(words.toLocaleLowerCase())

/** Finds an organization by part of its name or by a domain. */
export function OrganizationSelect({ projectId, value, onChange }: Props) {
  const { data: chosen } = useQuery({
    ...organizationQuery(projectId, value ?? ''),
    enabled: value !== null,
  })
  const current = value !== null && chosen?.id === value ? chosen : null
  const [typed, setTyped] = useState('')
  const wanted = typed === current?.name ? '' : typed.trim()
  const [words] = useDebouncedValue(wanted, 200)
  const { data: found = [], isPlaceholderData } = useQuery(organizationChoicesQuery(projectId, words))
  const isStale = isPlaceholderData || words !== wanted
  const choices = [...(current && !found.some(({ id }) => id === current.id) ? [current] : []), ...found]
  return (
    <Select
      label={text.contacts.organization}
      placeholder={text.contacts.noOrganization}
      size="sm"
      searchable
      clearable
      maxDropdownHeight={240}
      nothingFoundMessage={text.shell.noneFits}
      clearButtonProps={{
        'aria-label': text.contacts.clearOrganization,
        'aria-hidden': false,
        size: 'md',
        tabIndex: 0,
      }}
      // Rendered inside the popover, which closes when something outside it is clicked.
      comboboxProps={{ withinPortal: false }}
      // The server filters the options. Until it has answered, Enter must not choose one that does not match.
      filter={({ options }) => options}
      data={choices.filter(one => !isStale || fits(one, wanted)).map(toOption)}
      value={value}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}
