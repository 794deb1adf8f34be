import { NativeSelect, Switch, TagsInput, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type ArticleDraft, draftQuery, listChoices, treeQuery } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

/** The details that an article shares in all languages. */
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
      void showSaved(client, draftQuery(project_id, draft.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: knowledgeKeys.all(project_id) })
      showNotice(text.shell.saved)
    },
  })
  const { form } = sending
  return (
    <Section title={pageText.knowledge.details}>
      <Form sending={sending} action={text.shell.save}>
        <NativeSelect
          label={pageText.knowledge.category}
          data={[{ value: '', label: pageText.knowledge.noCategory }, ...(tree ? listChoices(tree) : [])]}
          {...form.getInputProps('category_id')}
        />
        <TextInput label={pageText.knowledge.slug} dir="ltr" {...form.getInputProps('slug')} />
        <TagsInput label={pageText.knowledge.tags} {...form.getInputProps('tags')} />
        <Switch
          label={pageText.knowledge.isInternal}
          description={pageText.knowledge.isInternalAbout}
          {...form.getInputProps('is_internal', { type: 'checkbox' })}
        />
      </Form>
    </Section>
  )
}
