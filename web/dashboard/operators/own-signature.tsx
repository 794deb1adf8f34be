import { Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useOpenProject } from '../users/open-project.ts'
import { signatureQuery } from './queries.ts'

/** The signature in the project that was opened last. */
export function OwnSignature() {
  const open = useOpenProject()
  const project_id = open?.project.id ?? ''
  const { data } = useQuery({ ...signatureQuery(project_id), enabled: project_id !== '' })
  if (!open || !data) return null
  const { signature, signatureAbout } = pageText.account
  return (
    <Section title={signature} about={signatureAbout(open.project.name)}>
      <SignatureForm project_id={project_id} signature={data.signature} />
    </Section>
  )
}

function SignatureForm({ project_id, signature }: { project_id: string; signature: string }) {
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { signature },
    send: body =>
      take(api.PUT('/projects/{project_id}/me/signature', { params: { path: { project_id } }, body })),
    onDone: saved => {
      void showSaved(client, signatureQuery(project_id).queryKey, saved)
      showNotice(text.shell.saved)
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      <Textarea
        aria-label={pageText.account.signature}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={10_000}
        dir="auto"
        {...sending.form.getInputProps('signature')}
      />
    </Form>
  )
}
