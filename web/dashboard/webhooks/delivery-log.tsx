import { Badge, Group, Modal, NativeSelect, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { itemsOf, More } from '../core/more.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { DeliveryView } from './delivery-view.tsx'
import { type DeliveryStatus, deliveriesQuery, type WebhookDelivery } from './queries.ts'

export function DeliveryLog({ webhookId: webhook_id }: { webhookId: string }) {
  const { id: project_id } = useProject()
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const [openId, setOpenId] = useState<string | null>(null)
  const list = useInfiniteQuery(deliveriesQuery({ project_id, webhook_id }, status))
  const deliveries = itemsOf<WebhookDelivery>(list.data)
  const close = () => setOpenId(null)
  const choice = (
    <NativeSelect
      aria-label={pageText.webhooks.status}
      value={status ?? ''}
      data={[
        { value: '', label: pageText.webhooks.allStatuses },
        ...Object.entries(pageText.webhooks.statuses).map(([value, label]) => ({ value, label })),
      ]}
      onChange={event => setStatus((event.currentTarget.value || null) as DeliveryStatus | null)}
    />
  )
  return (
    <Section title={pageText.webhooks.log} actions={choice}>
      {!deliveries && <Loading />}
      {deliveries?.length === 0 && <Text c="dimmed">{pageText.webhooks.noDeliveries}</Text>}
      {deliveries && deliveries.length > 0 && (
        <Rows label={pageText.webhooks.log}>
          {deliveries.map(delivery => (
            <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpenId(delivery.id)} />
          ))}
        </Rows>
      )}
      <More list={list} />
      <Modal opened={openId !== null} onClose={close} title={pageText.webhooks.delivery} size="xl">
        {openId && <DeliveryView path={{ project_id, webhook_id, delivery_id: openId }} onDone={close} />}
      </Modal>
    </Section>
  )
}

function DeliveryRow({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen(): void }) {
  const { event_type, status, is_test, attempts, created_at, last_status_code, last_error } = delivery
  const outcome = [last_error, last_status_code].filter(Boolean).join(' ')
  return (
    <Row
      aside={
        <Badge variant="default" c={status === 'failed' ? 'var(--mantine-color-error)' : undefined}>
          {pageText.webhooks.statuses[status]}
        </Badge>
      }
    >
      <UnstyledButton onClick={onOpen} w="100%">
        <Group gap={8}>
          <Text fw={550}>{event_type}</Text>
          {is_test && <Badge variant="default">{pageText.webhooks.isTest}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" component="div">
          <When time={created_at} /> · {pageText.webhooks.attempts(attempts)} {outcome && `· ${outcome}`}
        </Text>
      </UnstyledButton>
    </Row>
  )
}
