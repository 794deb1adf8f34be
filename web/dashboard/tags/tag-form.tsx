import { Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { ColorField } from '../core/color-field.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Tag, tagsQuery } from './queries.ts'

/** Creates or edits a tag. */
export function TagForm({ tag, onDone }: { tag?: Tag; onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name: tag?.name ?? '', color: tag?.color ?? '' },
    validate: { name: value => (value.trim() ? null : pageText.tags.nameNeeded) },
    send({ name, color }) {
      const body = { name, color: color.toLowerCase() || null }
      const path = '/projects/{project_id}/tags/{tag_id}'
      if (tag) return take(api.PATCH(path, { params: { path: { project_id, tag_id: tag.id } }, body }))
      return take(api.POST('/projects/{project_id}/tags', { params: { path: { project_id } }, body }))
    },
    onDone: () => {
      void client.invalidateQueries({ queryKey: tagsQuery(project_id).queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={tag ? text.shell.save : pageText.tags.create}>
      {tag && <Text size="sm">{pageText.tags.editAbout}</Text>}
      <TextInput label={pageText.tags.name} data-autofocus {...sending.form.getInputProps('name')} />
      <ColorField label={pageText.tags.color} {...sending.form.getInputProps('color')} />
    </Form>
  )
}
