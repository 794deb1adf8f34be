import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { listChoices, treeQuery } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

/** Asks for a title, and then opens the editor. */
export function BeginArticle() {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: tree } = useQuery(treeQuery(project_id))
  const sending = useSending({
    initialValues: { title: '', category_id: '' },
    validate: { title: value => (value.trim() ? null : pageText.knowledge.titleNeeded) },
    send: ({ title, category_id }) =>
      take(
        api.POST('/projects/{project_id}/knowledge/articles', {
          params: { path: { project_id } },
          body: { title, category_id: category_id || null },
        }),
      ),
    onDone: ({ id }) => {
      void client.invalidateQueries({ queryKey: knowledgeKeys.all(project_id) })
      return navigate({ to: `/p/${project_id}/settings/knowledge/${id}` })
    },
  })
  return (
    <Form sending={sending} action={pageText.knowledge.begin}>
      <TextInput
        label={pageText.knowledge.articleTitle}
        data-autofocus
        {...sending.form.getInputProps('title')}
      />
      <NativeSelect
        label={pageText.knowledge.category}
        data={[{ value: '', label: pageText.knowledge.noCategory }, ...(tree ? listChoices(tree) : [])]}
        {...sending.form.getInputProps('category_id')}
      />
    </Form>
  )
}
