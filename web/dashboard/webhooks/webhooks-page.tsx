import { BoltIcon, PlusIcon } from '@heroicons/react/20/solid'
import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAction } from '../core/actions.ts'
import { Empty } from '../core/empty.tsx'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { type Webhook, webhooksQuery } from './queries.ts'

export default function WebhooksPage() {
  const { id } = useProject()
  const { data: webhooks } = useQuery(webhooksQuery(id))
  const [isCreating, setCreating] = useState(false)
  const open = () => setCreating(true)
  const close = () => setCreating(false)
  const { title, about, create } = pageText.webhooks
  useAction({ id: 'create webhook', name: create, group: title, icon: BoltIcon, run: open })
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={open}>
      {create}
    </Button>
  )
  return (
    <Page title={title} about={about} actions={action}>
      {!webhooks && <Loading />}
      {webhooks?.length === 0 && (
        <Empty icon={BoltIcon} title={pageText.webhooks.none} about={pageText.webhooks.noneAbout} />
      )}
      {webhooks && webhooks.length > 0 && (
        <Rows label={title}>
          {webhooks.map(webhook => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </Rows>
      )}
      <HoldingDialog opened={isCreating} onClose={close} title={create} size="lg">
        <CreateWebhook onDone={close} />
      </HoldingDialog>
    </Page>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id: projectId } = useProject()
  const { id, url, events, description } = webhook
  return (
    <Row aside={<WebhookStatus webhook={webhook} />}>
      <Anchor
        fw={550}
        renderRoot={props => <Link to={`/p/${projectId}/settings/webhooks/${id}`} {...props} />}
      >
        {url}
      </Anchor>
      <Text size="sm" c="dimmed">
        {[pageText.webhooks.eventsOf(events.length), description].filter(Boolean).join(' · ')}
      </Text>
    </Row>
  )
}

/** Whether the webhook is active, and how often it has failed. */
export function WebhookStatus({
  webhook: { is_active, consecutive_failures: failures },
}: {
  webhook: Webhook
}) {
  return (
    <Group gap={6}>
      {failures > 0 && (
        <Badge variant="default" c="var(--mantine-color-error)">
          {pageText.webhooks.failing(failures)}
        </Badge>
      )}
      <Badge variant="default">{is_active ? pageText.webhooks.active : pageText.webhooks.off}</Badge>
    </Group>
  )
}
