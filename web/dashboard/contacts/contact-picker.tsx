import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picker } from '../core/picker.tsx'
import { contactNameOf } from '../tickets/names.ts'
import { type Contact, contactsQuery } from './queries.ts'

interface Props {
  title: string
  /** The contact that is not offered. */
  except: Contact
  onChoose(contact: Contact): void
  onClose(): void
}

/** Finds another contact as you type. */
export function ContactPicker({ title, except, onChoose, onClose }: Props) {
  const [words, setWords] = useState('')
  const [searched] = useDebouncedValue(words.trim(), 200)
  const { data, isPlaceholderData } = useInfiniteQuery(contactsQuery(except.workspace_id, searched))
  const contacts = (data?.pages.flatMap(({ items }) => items) ?? []).filter(({ id }) => id !== except.id)
  return (
    <Picker
      isMulti
      title={title}
      choices={contacts.map(one => ({
        id: one.id,
        label: contactNameOf(one),
        about: one.email ?? one.phone ?? one.external_id ?? '',
      }))}
      onSearch={setWords}
      isStale={isPlaceholderData || searched !== words.trim()}
      onChoose={id => onChoose(contacts.find(one => one.id === id)!)}
      onClose={onClose}
    />
  )
}
