import { Button, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { listLanguages } from '../core/language-names.ts'
import { LanguageSelect } from '../core/language-select.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type ArticleDraft, draftQuery } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

/** Starts with the text of an existing language. */
export function AddLanguage({ draft, onAdded }: { draft: ArticleDraft; onAdded(locale: string): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const known = draft.translations.map(one => one.locale)
  const offered = isOpen ? listLanguages().filter(({ value }) => !known.includes(value)) : []
  const sending = useSending({
    initialValues: { locale: null as string | null },
    validate: { locale: value => (value ? null : text.problems.missing) },
    send({ locale }) {
      const { title, markdown, excerpt } = draft.translations[0]!
      return take(
        api.PATCH('/projects/{project_id}/knowledge/articles/{article_id}/translations/{locale}', {
          params: { path: { project_id, article_id: draft.id, locale: locale! } },
          body: { title, markdown, excerpt },
        }),
      )
    },
    onDone: (saved, form) => {
      void showSaved(client, draftQuery(project_id, draft.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: knowledgeKeys.all(project_id) })
      onAdded(saved.translations.find(one => !known.includes(one.locale))?.locale ?? form.getValues().locale!)
      form.reset()
      close()
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {pageText.knowledge.addLanguage}
      </Button>
      <Modal opened={isOpen} onClose={close} title={pageText.knowledge.addLanguage}>
        <Form sending={sending} action={pageText.knowledge.add}>
          <LanguageSelect
            label={pageText.knowledge.language}
            languages={offered}
            data-autofocus
            {...sending.form.getInputProps('locale')}
          />
        </Form>
      </Modal>
    </>
  )
}
