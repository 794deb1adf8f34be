import { Alert, Anchor, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { ChangeWebhook } from './change-webhook.tsx'
import { ShownSecret } from './create-webhook.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { type Webhook, webhookQuery, webhooksQuery } from './queries.ts'
import { TestDelivery } from './test-delivery.tsx'
import { WebhookStatus } from './webhooks-page.tsx'

export default function WebhookPage() {
  const { id: project_id } = useProject()
  const { webhookId: webhook_id = '' } = useParams({ strict: false }) as { webhookId?: string }
  const { data: webhook } = useQuery(webhookQuery({ project_id, webhook_id }))
  if (!webhook) return <Loading />
  const back = `/p/${project_id}/settings/webhooks`
  return (
    <Page
      title={webhook.url}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{pageText.webhooks.back}</Anchor>}
      actions={<WebhookStatus webhook={webhook} />}
    >
      <Turned webhook={webhook} />
      <TestDelivery webhookId={webhook_id} />
      <DeliveryLog webhookId={webhook_id} />
      <Section title={pageText.webhooks.settings}>
        <ChangeWebhook key={webhook.id} webhook={webhook} />
      </Section>
      <Deeds webhook={webhook} back={back} />
    </Page>
  )
}

function useTurn({ id: webhook_id }: Webhook) {
  const { id: project_id } = useProject()
  return useChange({
    send: (is_active: boolean) =>
      take(
        api.PATCH('/projects/{project_id}/webhooks/{webhook_id}', {
          params: { path: { project_id, webhook_id } },
          body: { is_active },
        }),
      ),
    refresh: [webhooksQuery(project_id).queryKey],
  })
}

/** A webhook that failed too often is turned off automatically. People must notice that first. */
function Turned({ webhook }: { webhook: Webhook }) {
  const turn = useTurn(webhook)
  if (webhook.is_active) return null
  return (
    <Alert title={pageText.webhooks.off} color="gray" mb="md">
      <p>{pageText.webhooks.wentOff}</p>
      <Button mt="xs" loading={turn.isPending} onClick={() => turn.mutate(true)}>
        {pageText.webhooks.switchOn}
      </Button>
    </Alert>
  )
}

function Deeds({ webhook, back }: { webhook: Webhook; back: string }) {
  const { id: project_id } = useProject()
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const params = { path: { project_id, webhook_id: webhook.id } }
  const turn = useTurn(webhook)
  const rotate = useChange({
    send: () => take(api.POST('/projects/{project_id}/webhooks/{webhook_id}/rotate-secret', { params })),
    onDone: answer => setSecret(answer.secret),
  })
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/webhooks/{webhook_id}', { params })),
    refresh: [webhooksQuery(project_id).queryKey],
    onDone: () => navigate({ to: back }),
  })
  return (
    <Section title={pageText.webhooks.secret} about={pageText.webhooks.replaceAbout}>
      <Group>
        <Button variant="default" loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {pageText.webhooks.replaceSecret}
        </Button>
        {webhook.is_active && (
          <Button variant="default" loading={turn.isPending} onClick={() => turn.mutate(false)}>
            {pageText.webhooks.switchOff}
          </Button>
        )}
        <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setRemoving(true)}>
          {pageText.webhooks.remove}
        </Button>
      </Group>
      <HoldingDialog
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={pageText.webhooks.secretReady}
        size="lg"
      >
        {secret && <ShownSecret secret={secret} onDone={() => setSecret(null)} />}
      </HoldingDialog>
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={pageText.webhooks.removeTitle}
        about={pageText.webhooks.removeAbout}
        action={pageText.keys.removeDo}
        run={() => remove.mutate()}
      />
    </Section>
  )
}
