import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Lines } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { moment } from '../core/time.ts'
import { deliveryQuery, type ShownDelivery } from './queries.ts'
import { webhookKeys } from './query-keys.ts'

interface Props {
  path: { project_id: string; webhook_id: string; delivery_id: string }
  onDone(): void
}

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** The request as sent, every response, and a button to redeliver. */
export function DeliveryView({ path, onDone }: Props) {
  const { data: delivery } = useQuery({ ...deliveryQuery(path), staleTime: 0 })
  const again = useChange({
    send: () =>
      take(
        api.POST('/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', {
          params: { path },
        }),
      ),
    refresh: [webhookKeys.deliveries(path)],
    onDone: () => {
      showNotice(pageText.webhooks.redelivered)
      onDone()
    },
  })
  if (!delivery) return <Loading />
  const headers = Object.entries(delivery.request_headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <Stack gap="md">
      <Title order={3}>{pageText.webhooks.request}</Title>
      <Lines label={pageText.webhooks.headers}>
        {[`POST ${delivery.request_url}`, ...headers].join('\n')}
      </Lines>
      {delivery.request_body === null ? (
        <Text c="dimmed">{pageText.webhooks.bodyGone}</Text>
      ) : (
        <Lines label={pageText.webhooks.body}>{pretty(delivery.request_body)}</Lines>
      )}
      <Attempts delivery={delivery} />
      {delivery.status !== 'pending' && (
        <div>
          <Button loading={again.isPending} onClick={() => again.mutate()}>
            {pageText.webhooks.redeliver}
          </Button>
        </div>
      )}
    </Stack>
  )
}

function Attempts({ delivery }: { delivery: ShownDelivery }) {
  return (
    <>
      {delivery.attempts_log.map(({ attempt, at, status_code, error, latency_ms, response_excerpt }) => (
        <Stack key={attempt} gap={4}>
          <Title order={3}>{pageText.webhooks.attempt(attempt)}</Title>
          <Text size="sm">
            {[moment(at), status_code, error, `${latency_ms} ms`].filter(Boolean).join(' · ')}
          </Text>
          {response_excerpt && <Lines label={pageText.webhooks.answerTo(attempt)}>{response_excerpt}</Lines>}
        </Stack>
      ))}
      {delivery.next_attempt_at && (
        <Text size="sm">{pageText.webhooks.nextAttempt(moment(delivery.next_attempt_at))}</Text>
      )}
    </>
  )
}
