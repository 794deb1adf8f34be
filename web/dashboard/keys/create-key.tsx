import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { CopyField } from '../core/copy-field.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { ShownOnce } from '../core/shown-once.tsx'
import { useProject } from '../projects/project.ts'
import { keysQuery } from './queries.ts'

const curlOf = (key: string): string =>
  `curl -H 'Authorization: Bearer ${key}' ${location.origin}/api/v1/project`

/** Asks for a name, and then shows the key once. */
export function CreateKey({ onDone }: { onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name: '' },
    validate: { name: value => (value.trim() ? null : pageText.keys.nameNeeded) },
    send: body => take(api.POST('/projects/{project_id}/keys', { params: { path: { project_id } }, body })),
    onDone: () => client.invalidateQueries({ queryKey: keysQuery(project_id).queryKey }),
  })
  if (sending.answer) {
    const { key } = sending.answer
    return (
      <ShownOnce about={pageText.keys.madeAbout} onDone={onDone}>
        <CopyField label={pageText.keys.key} value={key} />
        <CopyField label={pageText.keys.tryIt} value={curlOf(key)} />
      </ShownOnce>
    )
  }
  return (
    <Form sending={sending} action={pageText.keys.create}>
      <TextInput
        label={pageText.keys.name}
        description={pageText.keys.nameAbout}
        autoComplete="off"
        data-autofocus
        {...sending.form.getInputProps('name')}
      />
    </Form>
  )
}
