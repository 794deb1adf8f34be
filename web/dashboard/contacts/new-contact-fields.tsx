import { Stack, Textarea, TextInput } from '@mantine/core'
import { text } from '../core/text.ts'
import { Duplicates } from './duplicates.tsx'
import { useDuplicates } from './find-contacts.ts'
import type { NewContactValues } from './new-contact.ts'
import type { Contact } from './queries.ts'

interface Props {
  projectId: string
  values: NewContactValues
  onChange(change: Partial<NewContactValues>): void
  /** Error messages by field. */
  errors: Partial<Record<keyof NewContactValues, string | null>>
  hasNote?: boolean
  /** Called with an existing contact who is the same person. */
  onUse(contact: Contact): void
}

const fields = [
  { name: 'full_name', type: 'text', maxLength: 255 },
  { name: 'email', type: 'email', maxLength: 254 },
  { name: 'phone', type: 'tel', maxLength: 64 },
  { name: 'external_id', type: 'text', maxLength: 255 },
] as const

/** The fields of a new contact. The first one gets the focus. */
export function NewContactFields({ projectId, values, onChange, errors, hasNote, onUse }: Props) {
  const duplicates = useDuplicates(projectId, values)
  return (
    <Stack gap={8}>
      {fields.map(({ name, type, maxLength }, at) => (
        <TextInput
          key={name}
          type={type}
          label={text.creating.fields[name]}
          value={values[name]}
          maxLength={maxLength}
          error={errors[name]}
          dir="auto"
          autoComplete="off"
          data-autofocus={at === 0 || undefined}
          onChange={event => onChange({ [name]: event.currentTarget.value })}
        />
      ))}
      {hasNote && (
        <Textarea
          label={text.contacts.note}
          placeholder={text.contacts.notePlaceholder}
          value={values.note}
          maxLength={65_536}
          autosize
          minRows={2}
          maxRows={6}
          dir="auto"
          onChange={event => onChange({ note: event.currentTarget.value })}
        />
      )}
      <Duplicates duplicates={duplicates} onUse={onUse} />
    </Stack>
  )
}
