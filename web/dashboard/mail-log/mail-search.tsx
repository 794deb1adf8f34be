import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { mailboxesQuery } from '../mailboxes/queries.ts'
import { mayDo, useProject } from '../projects/project.ts'
import type { MailFilters } from './queries.ts'

interface Props {
  filters: MailFilters
  onChange(change: Partial<MailFilters>): void
}

export function MailSearch({ filters, onChange }: Props) {
  const { role } = useProject()
  const [q, setQ] = useState('')
  const [isShort, setShort] = useState(false)
  const { kind, kinds, allKinds, search, searchAbout, searchShort, find } = pageText.mailLog
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Characters are counted as the server counts them: an emoji is one.
    const tooShort = [...q.trim()].length === 1
    setShort(tooShort)
    if (!tooShort) onChange({ q: q.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" mb="md">
        <NativeSelect
          label={kind}
          value={filters.kind}
          data={[
            { value: '', label: allKinds },
            ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
          ]}
          onChange={event => onChange({ kind: event.currentTarget.value as MailFilters['kind'] })}
        />
        {mayDo(role, 'admin') && <MailboxChoice filters={filters} onChange={onChange} />}
        <TextInput
          label={search}
          description={searchAbout}
          value={q}
          error={isShort && searchShort}
          maxLength={320}
          flex="1 1 14rem"
          onChange={event => setQ(event.currentTarget.value)}
        />
        <Button type="submit">{find}</Button>
      </Group>
    </form>
  )
}

/** Only admins may list mailboxes. */
function MailboxChoice({ filters, onChange }: Props) {
  const { id } = useProject()
  const { data: mailboxes = [] } = useQuery(mailboxesQuery(id))
  const { mailbox, allMailboxes } = pageText.mailLog
  return (
    <NativeSelect
      label={mailbox}
      value={filters.mailbox_id}
      maw="100%"
      data={[
        { value: '', label: allMailboxes },
        ...mailboxes.map(({ id: value, address }) => ({ value, label: address })),
      ]}
      onChange={event => onChange({ mailbox_id: event.currentTarget.value })}
    />
  )
}
