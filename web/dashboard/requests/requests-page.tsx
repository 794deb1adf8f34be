import { Button, Group, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Empty } from '../core/empty.tsx'
import { byCursor, itemsOf, More } from '../core/more.tsx'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { unlessShown } from '../core/query.ts'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { requestKeys } from './query-keys.ts'

type Logged = AnswerOf<'/projects/{project_id}/requests', 'get'>['items'][number]

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

interface Wanted {
  request_id: string
  path: string
  method: (typeof methods)[number] | ''
  status: string
}

const noFilters: Wanted = { request_id: '', path: '', method: '', status: '' }

const requestsQuery = (project_id: string, { request_id, path, method, status }: Wanted) =>
  infiniteQueryOptions({
    queryKey: requestKeys.log(project_id, { request_id, path, method, status }),
    queryFn: ({ pageParam: cursor }) =>
      take(
        api.GET('/projects/{project_id}/requests', {
          params: {
            path: { project_id },
            query: {
              cursor,
              page_size: 50,
              ...(request_id && { request_id }),
              ...(path && { path }),
              ...(method && { method: [method] }),
              ...(status && { status: [status] }),
            },
          },
        }),
      ),
    ...byCursor,
    staleTime: 0,
    throwOnError: unlessShown,
  })

export default function RequestsPage() {
  const { id } = useProject()
  const [wanted, setWanted] = useState(noFilters)
  const list = useInfiniteQuery(requestsQuery(id, wanted))
  const requests = itemsOf<Logged>(list.data)
  return (
    <Page title={pageText.requests.title} about={pageText.requests.about}>
      <Section>
        <Search
          onFind={next => {
            setWanted(next)
            if (JSON.stringify(next) === JSON.stringify(wanted)) void list.refetch()
          }}
        />
        {!requests && <Loading />}
        {requests?.length === 0 && !list.hasNextPage && (
          <Empty title={pageText.requests.none} about={pageText.requests.noneAbout} />
        )}
        {requests && requests.length > 0 && <Found requests={requests} />}
        <More list={list} />
      </Section>
    </Page>
  )
}

function Search({ onFind }: { onFind(wanted: Wanted): void }) {
  const [wanted, setWanted] = useState(noFilters)
  const set = (change: Partial<Wanted>) => setWanted({ ...wanted, ...change })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFind({ ...wanted, request_id: wanted.request_id.trim(), path: wanted.path.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" mb="md">
        <TextInput
          label={pageText.requests.requestId}
          value={wanted.request_id}
          dir="ltr"
          flex="1 1 14rem"
          onChange={event => set({ request_id: event.currentTarget.value })}
        />
        <TextInput
          label={pageText.requests.path}
          value={wanted.path}
          dir="ltr"
          flex="1 1 10rem"
          onChange={event => set({ path: event.currentTarget.value })}
        />
        <NativeSelect
          label={pageText.requests.method}
          value={wanted.method}
          data={[{ value: '', label: pageText.requests.anyMethod }, ...methods]}
          onChange={event => set({ method: event.currentTarget.value as Wanted['method'] })}
        />
        <NativeSelect
          label={pageText.requests.status}
          value={wanted.status}
          data={[
            { value: '', label: pageText.requests.anyStatus },
            ...Object.entries(pageText.requests.kinds).map(([value, label]) => ({ value, label })),
          ]}
          onChange={event => set({ status: event.currentTarget.value })}
        />
        <Button type="submit">{pageText.requests.find}</Button>
      </Group>
    </form>
  )
}

function Found({ requests }: { requests: Logged[] }) {
  return (
    <Table.ScrollContainer
      minWidth={640}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: 'region', 'aria-label': pageText.requests.title },
      }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            {[
              pageText.requests.time,
              pageText.requests.call,
              pageText.requests.status,
              pageText.requests.duration,
              pageText.requests.key,
            ].map(head => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map(({ id, created_at, method, path, ignored, status, ms, key_name, request_id }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <When time={created_at} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }} dir="ltr">
                <Text size="sm">
                  {method} {path}
                </Text>
                <Text size="xs" c="dimmed">
                  {request_id}
                </Text>
                {ignored.length > 0 && <Text size="xs">{pageText.requests.ignored(ignored.join(', '))}</Text>}
              </Table.Td>
              <Table.Td>{status}</Table.Td>
              <Table.Td>{ms}</Table.Td>
              <Table.Td>{key_name ?? pageText.requests.keyGone}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
