import { Alert, Button, Group, Text } from '@mantine/core'
import { Isolated, isolate } from '../core/isolate.tsx'
import { text } from '../core/text.ts'
import { contactNameOf } from '../tickets/names.ts'
import type { Duplicate } from './find-contacts.ts'
import type { Contact } from './queries.ts'

interface Props {
  duplicates: Duplicate[]
  onUse(contact: Contact): void
}

/** Contacts who may be the same person, before another one is created. */
export const Duplicates = ({ duplicates, onUse }: Props) => (
  <div role="status">
    {duplicates.map(({ contact, field }) => (
      <Alert key={contact.id} p="xs" mb={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" dir="auto">
            <Isolated words={text.creating.has[field](isolate(contactNameOf(contact)))} />
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${text.creating.useContact}: ${contactNameOf(contact)}`}
            onClick={() => onUse(contact)}
          >
            {text.creating.useContact}
          </Button>
        </Group>
      </Alert>
    ))}
  </div>
)
