import { ArrowDownTrayIcon } from '@heroicons/react/20/solid'
import { Badge, Button, Group, Progress, Switch, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { unlessShown, useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { day } from '../core/time.ts'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { exportKeys } from './query-keys.ts'

type Exported = AnswerOf<'/projects/{project_id}/exports', 'get'>['items'][number]

const isOpen = ({ status }: Exported): boolean => status === 'waiting' || status === 'running'

const exportsQuery = (project_id: string) =>
  queryOptions({
    queryKey: exportKeys.list(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/exports', { params: { path: { project_id } } }))).items,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 1_500 : false),
    throwOnError: unlessShown,
  })

export default function ExportPage() {
  const { id: project_id } = useProject()
  const { data: exports } = useQuery(exportsQuery(project_id))
  const [has_files, setFiles] = useState(false)
  const ask = useChange({
    send: () =>
      take(
        api.POST('/projects/{project_id}/exports', { params: { path: { project_id } }, body: { has_files } }),
      ),
    refresh: [exportsQuery(project_id).queryKey],
    onDone: () => showNotice(pageText.exports.asked),
  })
  return (
    <Page title={pageText.exports.title} about={pageText.exports.about}>
      <Section>
        <Group>
          <Switch
            label={pageText.exports.withFiles}
            checked={has_files}
            onChange={event => setFiles(event.currentTarget.checked)}
          />
          <Button loading={ask.isPending} disabled={exports?.some(isOpen)} onClick={() => ask.mutate()}>
            {pageText.exports.ask}
          </Button>
        </Group>
      </Section>
      <Section>
        {!exports && <Loading />}
        {exports?.length === 0 && <Text c="dimmed">{pageText.exports.none}</Text>}
        {exports && exports.length > 0 && (
          <Rows label={pageText.exports.title}>
            {exports.map(one => (
              <ExportRow key={one.id} exported={one} />
            ))}
          </Rows>
        )}
      </Section>
    </Page>
  )
}

function ExportRow({ exported }: { exported: Exported }) {
  const { status, created_at, rows_done, rows_total, reason } = exported
  return (
    <Row aside={<Download exported={exported} />}>
      <Group gap={8}>
        <Text fw={550} component="span">
          <When time={created_at} />
        </Text>
        <Badge variant="default">{pageText.exports.statuses[status]}</Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {reason ? pageText.exports.reasons[reason] : pageText.exports.progress(rows_done, rows_total)}
      </Text>
      {status === 'running' && (
        <Progress
          mt={6}
          value={rows_total ? (100 * rows_done) / rows_total : 0}
          aria-label={pageText.exports.statuses.running}
        />
      )}
    </Row>
  )
}

function Download({ exported: { id, status, is_own, expires_at } }: { exported: Exported }) {
  const { id: project_id } = useProject()
  if (status !== 'done') return null
  if (!is_own) return <Text size="sm">{pageText.exports.notOwn}</Text>
  return (
    <Group gap="sm">
      {expires_at && (
        <Text size="sm" c="dimmed">
          {pageText.exports.until(day(expires_at))}
        </Text>
      )}
      <Button
        component="a"
        variant="default"
        leftSection={<ArrowDownTrayIcon width={16} aria-hidden />}
        href={`/api/dashboard/projects/${project_id}/exports/${id}/file`}
      >
        {pageText.exports.download}
      </Button>
    </Group>
  )
}
