import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Category, knowledgeKey, listChoices, type Tree, treeQuery } from './queries.ts'

interface Props {
  category?: Category
  onDone(): void
}

/** In the project's main language. */
const wordsOf = (category: Category | undefined, tree: Tree | undefined) =>
  category?.translations.find(one => one.locale === tree?.default_locale) ?? category?.translations[0]

function useCategorySending({ category, onDone }: Props, tree: Tree | undefined) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const words = wordsOf(category, tree)
  return useSending({
    initialValues: {
      title: words?.title ?? '',
      description: words?.description ?? '',
      icon: category?.icon ?? '',
      parent_id: category?.parent_id ?? '',
    },
    validate: { title: value => (value.trim() ? null : text.knowledge.titleNeeded) },
    send({ title, description, icon, parent_id }) {
      const body = {
        title,
        description: description || null,
        icon: icon || null,
        parent_id: parent_id || null,
      }
      const one = '/projects/{project_id}/knowledge/categories/{category_id}'
      if (category)
        return take(api.PATCH(one, { params: { path: { project_id, category_id: category.id } }, body }))
      const all = '/projects/{project_id}/knowledge/categories'
      return take(api.POST(all, { params: { path: { project_id } }, body }))
    },
    onDone: () => {
      void client.invalidateQueries({ queryKey: knowledgeKey(project_id) })
      onDone()
    },
  })
}

export function CategoryForm({ category, onDone }: Props) {
  const { id } = useProject()
  const { data: tree } = useQuery(treeQuery(id))
  const sending = useCategorySending({ category, onDone }, tree)
  const parents = (tree ? listChoices(tree) : []).filter(one => one.value !== category?.id)
  const { form } = sending
  return (
    <Form
      sending={sending}
      action={category ? text.shell.save : text.knowledge.create}
      aside={category && <RemoveCategory category={category} onDone={onDone} />}
    >
      <TextInput label={text.knowledge.articleTitle} data-autofocus {...form.getInputProps('title')} />
      <Textarea label={text.knowledge.description} autosize {...form.getInputProps('description')} />
      <TextInput
        label={text.knowledge.icon}
        description={text.knowledge.iconAbout}
        maw={120}
        {...form.getInputProps('icon')}
      />
      <NativeSelect
        label={text.knowledge.parent}
        data={[{ value: '', label: text.knowledge.noParent }, ...parents]}
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
    refresh: [knowledgeKey(project_id)],
    onDone,
  })
  return (
    <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
      {text.knowledge.removeCategory}
    </Button>
  )
}
