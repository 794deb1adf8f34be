import { Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Empty } from '../core/empty.tsx'
import { byCursor, itemsOf, More } from '../core/more.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { unlessShown } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { auditKeys } from './query-keys.ts'

type Entry = AnswerOf<'/projects/{project_id}/audit', 'get'>['items'][number]

const auditQuery = (project_id: string, action: string, after: string) =>
  infiniteQueryOptions({
    queryKey: auditKeys.log(project_id, action, after),
    queryFn: ({ pageParam: cursor }) =>
      take(
        api.GET('/projects/{project_id}/audit', {
          params: {
            path: { project_id },
            query: {
              cursor,
              page_size: 50,
              count: false,
              ...(action && { action }),
              ...(after && { created_after: after }),
            },
          },
        }),
      ),
    ...byCursor,
    staleTime: 0,
    throwOnError: unlessShown,
  })

export default function AuditPage() {
  const { id } = useProject()
  const [action, setAction] = useState('')
  const [after, setAfter] = useState('')
  const list = useInfiniteQuery(auditQuery(id, action, after))
  const entries = itemsOf<Entry>(list.data)
  return (
    <Page title={pageText.audit.title} about={pageText.audit.about}>
      <Group mb="md" align="flex-end">
        <NativeSelect
          label={pageText.audit.noun}
          value={action}
          data={[
            { value: '', label: pageText.audit.all },
            ...Object.entries(pageText.audit.nouns).map(([value, label]) => ({ value, label })),
          ]}
          onChange={event => setAction(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={pageText.audit.from}
          value={after}
          onChange={event => setAfter(event.currentTarget.value)}
        />
      </Group>
      {!entries && <Loading />}
      {entries?.length === 0 && <Empty title={pageText.audit.none} />}
      {entries && entries.length > 0 && (
        <Rows label={pageText.audit.title}>
          {entries.map(entry => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Rows>
      )}
      <More list={list} />
    </Page>
  )
}

/** Turns `last_used` into "last used". */
const spell = (word: string): string => pageText.audit.details[word] ?? word.replaceAll(/[._]/g, ' ')

/** Falls back to the action's name if this version of the dashboard does not know it. */
const word = (action: string, name: string): string =>
  pageText.auditActions[action]?.(name) ?? `${spell(action)} ${name}`

function EntryRow({ entry }: { entry: Entry }) {
  const { author_type, author_name, action, target_name, created_at, detail } = entry
  return (
    <Row
      aside={
        <Text size="sm" c="dimmed">
          <When time={created_at} />
        </Text>
      }
    >
      <Text>
        <b>{author_name ?? pageText.audit.authors[author_type] ?? author_type}</b>{' '}
        {word(action, target_name ?? '')}
      </Text>
      <Text size="sm" c="dimmed">
        {describe(detail).join(' · ')}
      </Text>
    </Row>
  )
}

const show = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return pageText.audit.nothing
  if (typeof value === 'boolean') return value ? pageText.audit.yes : pageText.audit.no
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Describes the changes from before to after, and the other details. */
function describe(detail: Entry['detail']): string[] {
  const { before, after, ...rest } = detail as Record<string, Record<string, unknown>>
  const changes = Object.keys(after ?? {}).map(
    name => `${spell(name)}: ${pageText.audit.change(show(before?.[name]), show(after?.[name]))}`,
  )
  return [...changes, ...Object.entries(rest).map(([name, value]) => `${spell(name)}: ${show(value)}`)]
}
