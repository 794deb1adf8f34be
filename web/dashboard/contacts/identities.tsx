import { PlusIcon } from '@heroicons/react/16/solid'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { refreshContacts, tryChange } from './change.ts'
import classes from './identities.module.css'
import { addIdentity, identitiesQuery } from './identity-calls.ts'
import { IdentityForm } from './identity-form.tsx'
import { IdentityRow, VisitorRow } from './identity-row.tsx'
import type { Contact } from './queries.ts'

const { identities: words } = pageText.contactProfile

/** The addresses and ids that identify the contact, and how each was verified. */
export function Identities({ contact }: { contact: Contact }) {
  const { data } = useQuery(identitiesQuery(contact))
  const [isAdding, setAdding] = useState(false)
  if (!data) return <Loading />
  const isOnlyShown = contact.email && !data.items.some(({ value }) => value === contact.email)
  return (
    <section aria-label={words.title}>
      <Group justify="space-between" gap={4} mb={4}>
        <Title order={2}>{words.title}</Title>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<PlusIcon width={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {words.add}
        </Button>
      </Group>
      <ul className={classes.list}>
        {data.items.map(identity => (
          <IdentityRow key={`${identity.type} ${identity.value}`} contact={contact} identity={identity} />
        ))}
        {isOnlyShown && <OnlyShown contact={contact} email={contact.email!} />}
        {data.visitors.map(visitor => (
          <VisitorRow key={visitor.id} contact={contact} visitor={visitor}>
            {words.browserSeen} <When time={visitor.seen_at} />
          </VisitorRow>
        ))}
      </ul>
      {data.items.length + data.visitors.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.none}
        </Text>
      )}
      <IdentityForm
        isOpen={isAdding}
        title={words.add}
        action={words.add}
        onClose={() => setAdding(false)}
        send={(type, value) => addIdentity(contact, { type, value })}
        onDone={() => refreshContacts(contact.workspace_id)}
      />
    </section>
  )
}

/** An address that the contact has entered. It does not match messages to the contact. */
const OnlyShown = ({ contact, email }: { contact: Contact; email: string }) => (
  <li className={classes.row}>
    <Stack gap={0} className={classes.words}>
      <span dir="auto">{email}</span>
      <Text size="xs" c="dimmed">
        {words.unconfirmed}
      </Text>
    </Stack>
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        tryChange(contact.workspace_id, () =>
          addIdentity(contact, { type: 'email', value: email, is_primary: true }),
        )
      }
    >
      {words.useAnyway}
    </Button>
  </li>
)
