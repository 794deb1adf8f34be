import { PlusIcon } from '@heroicons/react/16/solid'
import { Button, Group, Input, Paper, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { Avatar } from '../core/avatar.tsx'
import { text } from '../core/text.ts'
import { contactNameOf } from '../tickets/names.ts'
import { useFoundContacts } from './find-contacts.ts'
import type { Contact } from './queries.ts'

interface Props {
  projectId: string
  error: string | undefined
  onChoose(contact: Contact): void
  /** Called with the typed words when a new contact is chosen. */
  onCreate(words: string): void
}

const created = 'new'

/** What identifies a contact, apart from the name. */
const describeContact = ({ full_name, email, phone, telegram_username, external_id }: Contact): string =>
  [full_name && email, phone, telegram_username && `@${telegram_username}`, external_id]
    .filter(Boolean)
    .join(' · ')

/** Finds a contact as you type, or starts a new one. */
export function ContactField({ projectId, error, onChoose, onCreate }: Props) {
  const [words, setWords] = useState('')
  const { contacts, isSettled } = useFoundContacts(projectId, words)
  const isTyped = words.trim() !== ''
  const add = { value: created, label: text.creating.newNamed(words.trim()) }
  const choices = contacts.map(contact => ({ value: contact.id, label: contactNameOf(contact) }))
  const choose = (id: string | null) => {
    const contact = contacts.find(one => one.id === id)
    if (contact) onChoose(contact)
    else if (id === created) onCreate(words)
  }
  return (
    <Select
      data-autofocus
      label={text.creating.contact}
      placeholder={text.creating.contactHere}
      error={error}
      searchable
      value={null}
      searchValue={words}
      onSearchChange={setWords}
      data={isTyped ? [...choices, add] : []}
      filter={({ options }) => options}
      onChange={choose}
      selectFirstOptionOnChange={isSettled}
      renderOption={({ option }) => (
        <Option contact={contacts.find(({ id }) => id === option.value)} label={option.label} />
      )}
      comboboxProps={{ keepMounted: true, withinPortal: false }}
      maxLength={200}
      autoComplete="off"
    />
  )
}

const Option = ({ contact, label }: { contact: Contact | undefined; label: string }) => (
  <Group gap="sm" wrap="nowrap">
    {contact ? (
      <Avatar size={24} name={label} src={contact.avatar_url} />
    ) : (
      <PlusIcon width={16} aria-hidden />
    )}
    <div style={{ minWidth: 0 }}>
      <Text size="sm" truncate dir="auto">
        {label}
      </Text>
      {contact && (
        <Text size="xs" c="dimmed" truncate>
          {describeContact(contact)}
        </Text>
      )}
    </div>
  </Group>
)

interface ChosenProps {
  contact: Contact
  error: string | undefined
  onChange(): void
}

/** The chosen contact, with a button to change it. */
export function ChosenContact({ contact, error, onChange }: ChosenProps) {
  const name = contactNameOf(contact)
  return (
    <Input.Wrapper label={text.creating.contact} labelElement="div" error={error}>
      <Paper withBorder p={6}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Option contact={contact} label={name} />
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={text.creating.changeContact(name)}
            onClick={onChange}
          >
            {text.creating.change}
          </Button>
        </Group>
      </Paper>
    </Input.Wrapper>
  )
}
