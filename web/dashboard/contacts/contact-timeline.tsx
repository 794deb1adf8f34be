import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pageText } from '../core/page-text.ts'
import { moment } from '../core/time.ts'
import { contactNameOf } from '../tickets/names.ts'
import classes from './identities.module.css'
import { identitiesQuery, type KnownIdentity } from './identity-calls.ts'
import { mergesQuery } from './merge-calls.tsx'
import { type Contact, contactTicketsQuery } from './queries.ts'

const { timeline: words } = pageText.contactProfile

interface Entry {
  at: string
  words: string
}

const maxEntries = 50

/** For a custom channel, only the id in the messenger. */
const shownValue = ({ type, value }: KnownIdentity): string =>
  type === 'channel' ? value.slice(value.indexOf(':') + 1) : value

function useEntries(contact: Contact): Entry[] {
  const { data: tickets = [] } = useQuery(contactTicketsQuery(contact.workspace_id, contact.id))
  const { data: identities } = useQuery(identitiesQuery(contact))
  const { data: merges = [] } = useQuery(mergesQuery(contact))
  const entries: { at: string | null; words: string }[] = [
    { at: contact.created_at, words: words.firstSeen },
    ...tickets.flatMap(({ short_id, created_at, closed_at }) => [
      { at: created_at, words: words.opened(short_id) },
      { at: closed_at, words: words.closed(short_id) },
    ]),
    ...(identities?.items ?? []).flatMap(one => [
      { at: one.created_at, words: words.added(shownValue(one)) },
      { at: one.verified_at, words: words.verified(shownValue(one)) },
    ]),
    ...merges.map(one => ({ at: one.merged_at, words: words.merged(contactNameOf(one.contact)) })),
  ]
  return entries
    .flatMap(({ at, words: said }) => (at === null ? [] : [{ at, words: said }]))
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, maxEntries)
}

/** What has happened with the contact, newest first. */
export function ContactTimeline({ contact }: { contact: Contact }) {
  const entries = useEntries(contact)
  return (
    <section aria-label={words.title}>
      <Title order={2} mb={4} mt="lg">
        {words.title}
      </Title>
      <ol className={classes.list}>
        {entries.map(({ at, words: said }) => (
          <li key={`${at} ${said}`} className={classes.entry}>
            <span dir="auto">{said}</span>
            <Text span size="xs" c="dimmed">
              <time dateTime={at}>{moment(at)}</time>
            </Text>
          </li>
        ))}
      </ol>
    </section>
  )
}
