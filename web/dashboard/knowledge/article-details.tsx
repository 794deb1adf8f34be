import { NativeSelect, Switch, TagsInput, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type ArticleDraft, draftQuery, knowledgeKey, listChoices, treeQuery } from './queries.ts'

/** What an article has in all languages. */
export function ArticleDetails({ draft }: { draft: ArticleDraft }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { data: tree } = useQuery(treeQuery(project_id))
  const { slug, category_id, tags, is_internal } = draft
  const sending = useSending({
    initialValues: { slug, category_id: category_id ?? '', tags, is_internal },
    send: ({ category_id, ...rest }) =>
      take(
        api.PATCH('/projects/{project_id}/knowledge/articles/{article_id}', {
          params: { path: { project_id, article_id: draft.id } },
          headers: { 'if-match': `"${draft.version}"` },
          body: { ...rest, category_id: category_id || null },
        }),
      ),
    onDone: saved => {
      client.setQueryData(draftQuery(project_id, draft.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: knowledgeKey(project_id) })
      showNotice(text.shell.saved)
    },
  })
  const { form } = sending
  return (
    <Section title={text.knowledge.details}>
      <Form sending={sending} action={text.shell.save}>
        <NativeSelect
          label={text.knowledge.category}
          data={[{ value: '', label: text.knowledge.noCategory }, ...(tree ? listChoices(tree) : [])]}
          {...form.getInputProps('category_id')}
        />
        <TextInput label={text.knowledge.slug} dir="ltr" {...form.getInputProps('slug')} />
        <TagsInput label={text.knowledge.tags} {...form.getInputProps('tags')} />
        <Switch
          label={text.knowledge.isInternal}
          description={text.knowledge.isInternalAbout}
          {...form.getInputProps('is_internal', { type: 'checkbox' })}
        />
      </Form>
    </Section>
  )
}
