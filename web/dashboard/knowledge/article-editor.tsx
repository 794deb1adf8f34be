import { Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useAction } from '../core/actions.ts'
import { api, take } from '../core/api.ts'
import { Conflict } from '../core/conflict.tsx'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { ContentField } from './content-field.tsx'
import { KeepUnsaved } from './keep-unsaved.tsx'
import { ArticlePreview } from './preview.tsx'
import { type ArticleDraft, draftQuery } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

type Translation = ArticleDraft['translations'][number]

const valuesOf = ({ title, excerpt, markdown }: Translation) => ({ title, excerpt: excerpt ?? '', markdown })
type Values = ReturnType<typeof valuesOf>

interface Props {
  draft: ArticleDraft
  shown: Translation
}

/** Whether to publish the draft after saving it. */
type Then = 'publish' | null

function useWriting({ draft, shown }: Props) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const version = useRef(draft.version)
  const then = useRef<Then>(null)
  const path = { project_id, article_id: draft.id }
  const sending = useSending<Values, ArticleDraft>({
    initialValues: valuesOf(shown),
    validate: { title: value => (value.trim() ? null : pageText.knowledge.titleNeeded) },
    async send(values) {
      const saved = await take(
        api.PATCH('/projects/{project_id}/knowledge/articles/{article_id}/translations/{locale}', {
          params: { path: { ...path, locale: shown.locale } },
          headers: { 'if-match': `"${version.current}"` },
          body: { ...values, excerpt: values.excerpt || null },
        }),
      )
      version.current = saved.version
      if (then.current !== 'publish') return saved
      return take(
        api.POST('/projects/{project_id}/knowledge/articles/{article_id}/publish', { params: { path } }),
      )
    },
    onDone: saved => {
      version.current = saved.version
      void showSaved(client, draftQuery(project_id, draft.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: knowledgeKeys.all(project_id) })
      showNotice(then.current === 'publish' ? pageText.knowledge.published : text.shell.saved)
    },
  })
  // A change to another part of the article does not conflict with this text.
  if (!sending.form.isDirty()) version.current = draft.version
  const submit = (next: Then) => {
    then.current = next
    sending.submit()
  }
  return { sending, version, submit, then }
}

export function ArticleEditor({ draft, shown }: Props) {
  const { role } = useProject()
  const writing = useWriting({ draft, shown })
  const { sending, submit, then } = writing
  const { form } = sending
  useAction({
    id: 'save',
    name: pageText.knowledge.save,
    group: pageText.knowledge.title,
    keys: 'mod+s',
    run: () => submit(null),
  })
  const content = (
    <>
      <Compare writing={writing} shown={shown} />
      <Fields form={form} locale={shown.locale} />
      <KeepUnsaved isDirty={form.isDirty()} />
    </>
  )
  if (!mayDo(role, 'admin')) return <Stack>{content}</Stack>
  const publish = (
    <Button
      variant="default"
      loading={sending.isSending && then.current === 'publish'}
      onClick={() => submit('publish')}
    >
      {draft.status === 'published' ? pageText.knowledge.publishAgain : pageText.knowledge.publish}
    </Button>
  )
  const aside = (
    <>
      {publish}
      {form.isDirty() && <Text c="dimmed">{pageText.knowledge.unsaved}</Text>}
    </>
  )
  return (
    <Form sending={sending} action={pageText.knowledge.save} aside={aside}>
      {content}
    </Form>
  )
}

interface CompareProps {
  writing: ReturnType<typeof useWriting>
  shown: Translation
}

function Compare({ writing: { sending, version, submit, then }, shown }: CompareProps) {
  const { form } = sending
  const { articleTitle: title, excerpt, content: markdown } = pageText.knowledge
  const read = ({ translations }: ArticleDraft) =>
    valuesOf(translations.find(one => one.locale === shown.locale) ?? shown)
  return (
    <Conflict
      failure={sending.failure}
      mine={form.getValues()}
      labels={{ title, excerpt, markdown }}
      read={read}
      onKeep={(current: ArticleDraft) => {
        version.current = current.version
        submit(then.current)
      }}
      onTake={(theirs, current: ArticleDraft) => {
        version.current = current.version
        form.setValues(theirs)
        form.resetDirty(theirs)
        sending.forget()
      }}
    />
  )
}

function Fields({ form, locale }: { form: UseFormReturnType<Values>; locale: string }) {
  return (
    <>
      <TextInput label={pageText.knowledge.articleTitle} {...form.getInputProps('title')} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <ContentField
          value={form.getValues().markdown}
          onChange={markdown => form.setFieldValue('markdown', markdown)}
          error={form.errors.markdown}
        />
        <ArticlePreview markdown={form.getValues().markdown} locale={locale} />
      </SimpleGrid>
      <TextInput
        label={pageText.knowledge.excerpt}
        description={pageText.knowledge.excerptAbout}
        maxLength={300}
        {...form.getInputProps('excerpt')}
      />
    </>
  )
}
