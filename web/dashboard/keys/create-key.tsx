import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { CopyField } from '../core/copy-field.tsx'
import { Form, useSending } from '../core/form.tsx'
import { ShownOnce } from '../core/shown-once.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { keysQuery } from './queries.ts'

const curlOf = (key: string): string =>
  `curl -H 'Authorization: Bearer ${key}' ${location.origin}/api/v1/project`

/** Asks for a name, and then shows the key, this once. */
export function CreateKey({ onDone }: { onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name: '' },
    validate: { name: value => (value.trim() ? null : text.keys.nameNeeded) },
    send: body => take(api.POST('/projects/{project_id}/keys', { params: { path: { project_id } }, body })),
    onDone: () => client.invalidateQueries({ queryKey: keysQuery(project_id).queryKey }),
  })
  if (sending.answer) {
    const { key } = sending.answer
    return (
      <ShownOnce about={text.keys.madeAbout} onDone={onDone}>
        <CopyField label={text.keys.key} value={key} />
        <CopyField label={text.keys.tryIt} value={curlOf(key)} />
      </ShownOnce>
    )
  }
  return (
    <Form sending={sending} action={text.keys.create}>
      <TextInput
        label={text.keys.name}
        description={text.keys.nameAbout}
        autoComplete="off"
        data-autofocus
        {...sending.form.getInputProps('name')}
      />
    </Form>
  )
}
