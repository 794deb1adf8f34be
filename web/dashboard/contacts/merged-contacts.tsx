import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pageText } from '../core/page-text.ts'
import { When } from '../core/when.tsx'
import { contactNameOf } from '../tickets/names.ts'
import classes from './identities.module.css'
import { mergesQuery, undoMerge } from './merge-calls.tsx'
import type { Contact } from './queries.ts'

const { merge: words } = pageText.contactProfile

/** The contacts that were recently merged into this one, each with a button to undo the merge. */
export function MergedContacts({ contact, open }: { contact: Contact; open(id: string): unknown }) {
  const { data = [] } = useQuery(mergesQuery(contact))
  if (data.length === 0) return null
  return (
    <section aria-label={words.recent}>
      <Title order={2} mb={4}>
        {words.recent}
      </Title>
      <ul className={classes.list}>
        {data.map(({ contact: merged, merged_at }) => (
          <li key={merged.id} className={classes.row}>
            <div className={classes.words}>
              <bdi>{contactNameOf(merged)}</bdi>
              <Text size="xs" c="dimmed">
                {words.at} <When time={merged_at} />
              </Text>
            </div>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => void undoMerge(contact.workspace_id, merged.id, open)}
            >
              {words.undo}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
