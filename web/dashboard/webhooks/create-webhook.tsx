import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { CopyField } from '../core/copy-field.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { ShownOnce } from '../core/shown-once.tsx'
import { useProject } from '../projects/project.ts'
import { type WebhookWithSecret, webhooksQuery } from './queries.ts'
import { validate, WebhookFields, type WebhookValues } from './webhook-fields.tsx'

export function CreateWebhook({ onDone }: { onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending<WebhookValues, WebhookWithSecret>({
    initialValues: { url: '', description: '', events: [] },
    validate,
    send: ({ url, ...rest }) =>
      take(
        api.POST('/projects/{project_id}/webhooks', {
          params: { path: { project_id } },
          body: { ...rest, url: url.trim() },
        }),
      ),
    onDone: () => client.invalidateQueries({ queryKey: webhooksQuery(project_id).queryKey }),
  })
  if (sending.answer) return <ShownSecret secret={sending.answer.secret} onDone={onDone} />
  return (
    <Form sending={sending} action={pageText.webhooks.create}>
      <WebhookFields form={sending.form} />
    </Form>
  )
}

export const ShownSecret = ({ secret, onDone }: { secret: string; onDone(): void }) => (
  <ShownOnce about={pageText.webhooks.secretAbout} onDone={onDone}>
    <CopyField label={pageText.webhooks.secret} value={secret} />
  </ShownOnce>
)
