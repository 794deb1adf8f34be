import { PlusIcon, XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Anchor, Button, Group, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeContact } from '../contacts/change.ts'
import { membersQuery, type Organization } from '../contacts/organization-queries.ts'
import { type Contact, contactsQuery } from '../contacts/queries.ts'
import { Go } from '../core/go.tsx'
import { More } from '../core/more.tsx'
import { pageText } from '../core/page-text.ts'
import { Picker } from '../core/picker.tsx'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { contactNameOf } from '../tickets/names.ts'

interface Props {
  projectId: string
  organization: Organization
}

/** The contacts who belong to an organization. */
export function Members({ projectId, organization }: Props) {
  const [isAdding, setAdding] = useState(false)
  const list = useInfiniteQuery(membersQuery(projectId, organization.id))
  const members = list.data?.pages.flatMap(({ items }) => items)
  const { members: heading, addMember, noMembers } = pageText.organizations
  return (
    <section aria-label={heading}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {pageText.organizations.membersHeading(organization.contacts_count)}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<PlusIcon width={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {addMember}
        </Button>
      </Group>
      {!members && <Loading />}
      {members?.length === 0 && <Text c="dimmed">{noMembers}</Text>}
      {members && members.length > 0 && (
        <Rows label={heading}>
          {members.map(contact => (
            <Member key={contact.id} contact={contact} />
          ))}
        </Rows>
      )}
      <More list={list} />
      {isAdding && (
        <AddMember projectId={projectId} organization={organization} onClose={() => setAdding(false)} />
      )}
    </section>
  )
}

function Member({ contact }: { contact: Contact }) {
  const name = contactNameOf(contact)
  const aside = (
    <ActionIcon
      aria-label={pageText.organizations.removeMember(name)}
      onClick={() => changeContact(contact, { organization_id: null })}
    >
      <XMarkIcon width={18} aria-hidden />
    </ActionIcon>
  )
  return (
    <Row aside={aside}>
      <Anchor
        dir="auto"
        style={{ overflowWrap: 'anywhere' }}
        renderRoot={props => <Go to={`/p/${contact.workspace_id}/contacts/${contact.id}`} {...props} />}
      >
        {name}
      </Anchor>
      {contact.email && contact.email !== name && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {contact.email}
        </Text>
      )}
    </Row>
  )
}

function AddMember({ projectId, organization, onClose }: Props & { onClose(): void }) {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 200)
  const { data, isPlaceholderData } = useInfiniteQuery(contactsQuery(projectId, words))
  const found = (data?.pages[0]?.items ?? []).filter(one => one.organization_id !== organization.id)
  const choose = (id: string) => {
    const contact = found.find(one => one.id === id)
    if (contact) void changeContact(contact, { organization_id: organization.id })
  }
  return (
    <Picker
      title={pageText.organizations.addMember}
      choices={found.map(one => ({ id: one.id, label: contactNameOf(one), about: one.email ?? '' }))}
      onSearch={setTyped}
      isStale={isPlaceholderData || words !== typed.trim()}
      onChoose={choose}
      onClose={onClose}
    />
  )
}
