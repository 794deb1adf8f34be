import { MagnifyingGlassIcon, PlusIcon, UserGroupIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Group, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { Avatar } from '../core/avatar.tsx'
import { Empty } from '../core/empty.tsx'
import { EmptyAction } from '../core/empty-action.tsx'
import { Failed } from '../core/failed.tsx'
import { More } from '../core/more.tsx'
import { Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { openNewContact } from '../tickets/creating.ts'
import { contactNameOf } from '../tickets/names.ts'
import classes from './contacts.module.css'
import { type Contact, contactsQuery } from './queries.ts'

/** The list of contacts, and the selected contact beside it. */
export default function ContactsPage() {
  const { contactId } = useParams({ strict: false })
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useAction({
    id: 'search contacts',
    name: text.contacts.search,
    group: text.contacts.title,
    keys: '/',
    run: () => field.current?.select(),
  })
  return (
    <div className={classes.page} data-open={contactId !== undefined || undefined}>
      <section className={classes.list} aria-label={text.contacts.title}>
        <Group justify="space-between" wrap="nowrap" className={classes.heading}>
          <Title order={contactId === undefined ? 1 : 2} size="h2">
            {text.contacts.title}
          </Title>
          <ActionIcon
            size="lg"
            aria-label={text.creating.newContact}
            title={text.creating.newContact}
            onClick={openNewContact}
          >
            <PlusIcon width={18} aria-hidden />
          </ActionIcon>
        </Group>
        <search className={classes.search}>
          <TextInput
            ref={field}
            aria-label={text.contacts.search}
            placeholder={text.contacts.search}
            maxLength={200}
            value={words}
            onChange={event => setWords(event.currentTarget.value)}
            leftSection={<MagnifyingGlassIcon width={16} aria-hidden />}
          />
        </search>
        <div className={classes.scroll}>
          <List words={words.trim()} />
        </div>
      </section>
      <div className={classes.detail}>
        <Outlet />
      </div>
    </div>
  )
}

function List({ words }: { words: string }) {
  const { id } = useProject()
  const [searched] = useDebouncedValue(words, 200)
  const list = useInfiniteQuery(contactsQuery(id, searched))
  const contacts = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (list.isPending) return <Loading />
  if (contacts.length === 0 && !list.error)
    return searched ? (
      <Empty icon={UserGroupIcon} title={text.contacts.noneFound} about={text.contacts.noneFoundAbout} />
    ) : (
      <Empty icon={UserGroupIcon} title={text.contacts.none} about={text.contacts.noneAbout}>
        <EmptyAction id="new contact" label={text.contacts.addFirst} />
      </Empty>
    )
  return (
    <>
      {contacts.map(contact => (
        <Row key={contact.id} projectId={id} contact={contact} />
      ))}
      {list.error ? <Failed error={list.error} retry={list.refetch} /> : <More list={list} />}
    </>
  )
}

const Row = ({ projectId, contact }: { projectId: string; contact: Contact }) => (
  <Link
    to="/p/$projectId/contacts/$contactId"
    params={{ projectId, contactId: contact.id }}
    className={classes.row}
  >
    <Avatar name={contactNameOf(contact)} src={contact.avatar_url} size={30} />
    <span className={classes.rowWords}>
      <Text span display="block" truncate dir="auto">
        {contactNameOf(contact)}
      </Text>
      <Text span display="block" size="sm" c="dimmed" truncate>
        {contact.email ?? contact.phone ?? contact.external_id}
      </Text>
    </span>
    {contact.is_blocked && (
      <Text span size="xs" c="dimmed">
        {text.contacts.blocked}
      </Text>
    )}
  </Link>
)
