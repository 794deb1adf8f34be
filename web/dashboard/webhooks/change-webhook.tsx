import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Webhook, webhooksQuery } from './queries.ts'
import { validate, WebhookFields, type WebhookValues } from './webhook-fields.tsx'

export function ChangeWebhook({ webhook }: { webhook: Webhook }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { url, description, events } = webhook
  const sending = useSending<WebhookValues, unknown>({
    initialValues: { url, description, events },
    validate,
    send: values =>
      take(
        api.PATCH('/projects/{project_id}/webhooks/{webhook_id}', {
          params: { path: { project_id, webhook_id: webhook.id } },
          body: values,
        }),
      ),
    onDone: () => {
      void client.invalidateQueries({ queryKey: webhooksQuery(project_id).queryKey })
      showNotice(text.shell.saved)
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      <WebhookFields form={sending.form} />
    </Form>
  )
}
