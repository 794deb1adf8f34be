import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, take } from '../core/api.ts'
import { Conflict } from '../core/conflict.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Category, listChoices, type Tree, treeQuery } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

interface Props {
  category?: Category
  onDone(): void
}

/** The translation in the project's main language. */
const wordsOf = (category: Category | undefined, tree: Tree | undefined) =>
  category?.translations.find(one => one.locale === tree?.default_locale) ?? category?.translations[0]

function valuesOf(category: Category | undefined, tree: Tree | undefined) {
  const words = wordsOf(category, tree)
  return {
    title: words?.title ?? '',
    description: words?.description ?? '',
    icon: category?.icon ?? '',
    parent_id: category?.parent_id ?? '',
  }
}

type Values = ReturnType<typeof valuesOf>

function useCategorySending({ category, onDone }: Props, tree: Tree | undefined) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const version = useRef(category?.version ?? 0)
  const sending = useSending<Values, Category>({
    initialValues: valuesOf(category, tree),
    validate: { title: value => (value.trim() ? null : pageText.knowledge.titleNeeded) },
    send({ title, description, icon, parent_id }) {
      const body = {
        title,
        description: description || null,
        icon: icon || null,
        parent_id: parent_id || null,
      }
      const one = '/projects/{project_id}/knowledge/categories/{category_id}'
      const headers = { 'if-match': `"${version.current}"` }
      const path = { project_id, category_id: category?.id ?? '' }
      if (category) return take(api.PATCH(one, { params: { path }, headers, body }))
      const all = '/projects/{project_id}/knowledge/categories'
      return take(api.POST(all, { params: { path: { project_id } }, body }))
    },
    onDone: () => {
      void client.invalidateQueries({ queryKey: knowledgeKeys.all(project_id) })
      onDone()
    },
  })
  return { sending, version }
}

/** Shows what somebody else has saved in the meantime, beside what is typed here. */
function SavedElsewhere({ sending, version, tree }: ReturnType<typeof useCategorySending> & { tree?: Tree }) {
  const { form, failure } = sending
  const parents = tree ? listChoices(tree) : []
  const named = (values: Values): Values => ({
    ...values,
    parent_id: parents.find(({ value }) => value === values.parent_id)?.label.trim() ?? '',
  })
  return (
    <Conflict
      failure={failure}
      mine={named(form.getValues())}
      labels={{
        title: pageText.knowledge.articleTitle,
        description: pageText.knowledge.description,
        icon: pageText.knowledge.icon,
        parent_id: pageText.knowledge.parent,
      }}
      read={(current: Category) => named(valuesOf(current, tree))}
      onKeep={(current: Category) => {
        version.current = current.version
        sending.submit()
      }}
      onTake={(_theirs, current: Category) => {
        version.current = current.version
        form.setValues(valuesOf(current, tree))
        sending.forget()
      }}
    />
  )
}

export function CategoryForm({ category, onDone }: Props) {
  const { id } = useProject()
  const { data: tree } = useQuery(treeQuery(id))
  const { sending, version } = useCategorySending({ category, onDone }, tree)
  const parents = (tree ? listChoices(tree) : []).filter(one => one.value !== category?.id)
  const { form } = sending
  return (
    <Form
      sending={sending}
      action={category ? text.shell.save : pageText.knowledge.create}
      aside={category && <RemoveCategory category={category} onDone={onDone} />}
    >
      <SavedElsewhere sending={sending} version={version} tree={tree} />
      <TextInput label={pageText.knowledge.articleTitle} data-autofocus {...form.getInputProps('title')} />
      <Textarea label={pageText.knowledge.description} autosize {...form.getInputProps('description')} />
      <TextInput
        label={pageText.knowledge.icon}
        description={pageText.knowledge.iconAbout}
        maw={120}
        {...form.getInputProps('icon')}
      />
      <NativeSelect
        label={pageText.knowledge.parent}
        data={[{ value: '', label: pageText.knowledge.noParent }, ...parents]}
        {...form.getInputProps('parent_id')}
      />
    </Form>
  )
}

function RemoveCategory({ category, onDone }: { category: Category; onDone(): void }) {
  const { id: project_id } = useProject()
  const remove = useChange({
    send: () =>
      take(
        api.DELETE('/projects/{project_id}/knowledge/categories/{category_id}', {
          params: { path: { project_id, category_id: category.id } },
        }),
      ),
    refresh: [knowledgeKeys.all(project_id)],
    onDone,
  })
  return (
    <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
      {pageText.knowledge.removeCategory}
    </Button>
  )
}
