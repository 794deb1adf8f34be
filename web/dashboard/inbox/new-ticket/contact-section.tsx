import { Button, Fieldset } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { ChosenContact, ContactField } from '../../contacts/contact-field.tsx'
import { contactValuesOf } from '../../contacts/new-contact.ts'
import { NewContactFields } from '../../contacts/new-contact-fields.tsx'
import { text } from '../../core/text.ts'
import type { NewTicketErrors } from './create.ts'
import type { NewTicketValues } from './draft.ts'

interface Props {
  projectId: string
  values: NewTicketValues
  errors: NewTicketErrors
  onChange(change: Partial<NewTicketValues>): void
}

/** Moves the focus to the first field when the fields are replaced, because the focused one is gone. */
function useFocusAfter(shown: string) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    box.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [shown])
  return box
}

/** The contact of the ticket: an existing one, found as you type, or a new one. */
export function ContactSection(props: Props) {
  const { projectId, values, errors, onChange } = props
  const { contact, newContact } = values
  const box = useFocusAfter(contact ? 'chosen' : newContact ? 'new' : 'search')
  const error = errors.contact ?? errors['contact.id']
  return (
    <div ref={box}>
      {contact ? (
        <ChosenContact contact={contact} error={error} onChange={() => onChange({ contact: null })} />
      ) : newContact ? (
        <NewContact {...props} />
      ) : (
        <ContactField
          projectId={projectId}
          error={error}
          onChoose={chosen => onChange({ contact: chosen })}
          onCreate={words => onChange({ newContact: contactValuesOf(words) })}
        />
      )}
    </div>
  )
}

function NewContact({ projectId, values: { newContact }, errors, onChange }: Props) {
  if (!newContact) return null
  return (
    <Fieldset legend={text.creating.newContact} p="sm">
      <NewContactFields
        projectId={projectId}
        values={newContact}
        onChange={change => onChange({ newContact: { ...newContact, ...change } })}
        errors={{
          full_name: errors['contact.full_name'] ?? errors.full_name,
          email: errors['contact.email'],
          phone: errors['contact.phone'],
          external_id: errors['contact.external_id'],
        }}
        onUse={chosen => onChange({ contact: chosen, newContact: null })}
      />
      <Button mt="xs" size="compact-sm" variant="subtle" onClick={() => onChange({ newContact: null })}>
        {text.creating.findContact}
      </Button>
    </Fieldset>
  )
}
