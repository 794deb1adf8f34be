import { Alert, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Lines } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { catalogQuery, deliveryQuery } from './queries.ts'
import { webhookKeys } from './query-keys.ts'

/** Sends one event at once, and shows the response. */
export function TestDelivery({ webhookId: webhook_id }: { webhookId: string }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { data: catalog = [] } = useQuery(catalogQuery(project_id))
  const [event, setEvent] = useState('webhook.test')
  const path = { project_id, webhook_id }
  const trial = useChange({
    async send() {
      const url = '/projects/{project_id}/webhooks/{webhook_id}/test'
      const result = await take(api.POST(url, { params: { path }, body: { event } }))
      const sent = await client.fetchQuery(deliveryQuery({ ...path, delivery_id: result.delivery_id }))
      return { ...result, answer: sent.attempts_log.at(-1)?.response_excerpt ?? null }
    },
    refresh: [webhookKeys.deliveries({ project_id, webhook_id })],
  })
  const names = ['webhook.test', ...catalog.map(({ name }) => name).filter(name => name !== 'webhook.test')]
  return (
    <Section title={pageText.webhooks.test} about={pageText.webhooks.testAbout}>
      <Group align="flex-end">
        <NativeSelect
          label={pageText.webhooks.testEvent}
          value={event}
          data={names}
          onChange={change => setEvent(change.currentTarget.value)}
        />
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          {pageText.webhooks.send}
        </Button>
      </Group>
      <div aria-live="polite">{trial.data && !trial.isPending && <Result result={trial.data} />}</div>
    </Section>
  )
}

interface Tried {
  delivered: boolean
  status_code: number | null
  error: string | null
  latency_ms: number
  answer: string | null
}

function Result({ result: { delivered, status_code, error, latency_ms, answer } }: { result: Tried }) {
  const words = delivered
    ? pageText.webhooks.delivered(latency_ms)
    : pageText.webhooks.notDelivered([error, status_code].filter(Boolean).join(' '))
  return (
    <Alert mt="md" color="gray" title={words}>
      {answer ? (
        <Lines label={pageText.webhooks.testAnswer}>{answer}</Lines>
      ) : (
        <Text size="sm">{status_code === null ? pageText.webhooks.noAnswer : status_code}</Text>
      )}
    </Alert>
  )
}
