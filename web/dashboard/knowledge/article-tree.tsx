import { ChevronDownIcon, ChevronUpIcon, PencilSquareIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Anchor, Badge, Group, Modal, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { CategoryForm } from './category-form.tsx'
import { type Category, type ListedArticleDraft, type Tree, titleOf } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

interface Props {
  drafts: ListedArticleDraft[]
  tree: Tree
}

function useOrder() {
  const { id: project_id } = useProject()
  return useChange({
    send: (body: { articles?: string[]; categories?: string[] }) =>
      take(api.POST('/projects/{project_id}/knowledge/order', { params: { path: { project_id } }, body })),
    refresh: [knowledgeKeys.all(project_id)],
  })
}

/** Moves an id one step up or down among its siblings. */
function swapped(ids: string[], at: number, step: number): string[] {
  const next = [...ids]
  ;[next[at], next[at + step]] = [next[at + step]!, next[at]!]
  return next
}

/** Categories with their articles, and then the articles without a category. */
export function ArticleTree({ drafts, tree }: Props) {
  const loose = drafts.filter(one => one.category_id === null)
  return (
    <>
      <Level drafts={drafts} tree={tree} parent={null} depth={0} />
      {loose.length > 0 && (
        <section>
          <Title order={2} size="h3" mb={6}>
            {pageText.knowledge.noCategory}
          </Title>
          <Articles articles={loose} label={pageText.knowledge.noCategory} />
        </section>
      )}
    </>
  )
}

function Level({ drafts, tree, parent, depth }: Props & { parent: string | null; depth: number }) {
  const order = useOrder()
  const own = tree.items.filter(one => one.parent_id === parent)
  const ids = own.map(one => one.id)
  return own.map((category, at) => {
    const name = titleOf(category, tree.default_locale)
    const articles = drafts.filter(one => one.category_id === category.id)
    const move = (step: number) => order.mutate({ categories: swapped(ids, at, step) })
    return (
      <section key={category.id} style={{ marginInlineStart: `${depth}rem` }}>
        <Group gap={4} mb={6} mt="sm">
          <Title order={depth ? 3 : 2} size="h3">
            {category.icon} {name}
          </Title>
          <EditCategory category={category} name={name} />
          <Steps name={name} at={at} count={ids.length} move={move} />
        </Group>
        {articles.length > 0 && <Articles articles={articles} label={name} />}
        <Level drafts={drafts} tree={tree} parent={category.id} depth={depth + 1} />
      </section>
    )
  })
}

function Articles({ articles, label }: { articles: ListedArticleDraft[]; label: string }) {
  const { id: projectId } = useProject()
  const order = useOrder()
  const ids = articles.map(one => one.id)
  return (
    <Rows label={label}>
      {articles.map((article, at) => (
        <Row
          key={article.id}
          aside={
            <Steps
              name={article.title}
              at={at}
              count={ids.length}
              move={step => order.mutate({ articles: swapped(ids, at, step) })}
            />
          }
        >
          <Anchor
            fw={550}
            renderRoot={props => <Link to={`/p/${projectId}/settings/knowledge/${article.id}`} {...props} />}
          >
            {article.title}
          </Anchor>
          <Marks article={article} />
        </Row>
      ))}
    </Rows>
  )
}

function Marks({ article: { status, is_internal, locales } }: { article: ListedArticleDraft }) {
  const hasChanges = status === 'published' && locales.some(one => one.has_changes)
  return (
    <Group gap={6} mt={2}>
      <Badge variant="default">{pageText.knowledge.statuses[status]}</Badge>
      {hasChanges && <Badge variant="default">{pageText.knowledge.hasChanges}</Badge>}
      {is_internal && <Badge variant="default">{pageText.knowledge.internal}</Badge>}
      {locales.length > 1 && <Badge variant="default">{locales.map(one => one.locale).join(' ')}</Badge>}
    </Group>
  )
}

interface StepsProps {
  name: string
  at: number
  count: number
  move(step: number): void
}

function Steps({ name, at, count, move }: StepsProps) {
  const { role } = useProject()
  if (count < 2 || !mayDo(role, 'admin')) return null
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon aria-label={pageText.knowledge.up(name)} disabled={at === 0} onClick={() => move(-1)}>
        <ChevronUpIcon width={18} />
      </ActionIcon>
      <ActionIcon
        aria-label={pageText.knowledge.down(name)}
        disabled={at === count - 1}
        onClick={() => move(1)}
      >
        <ChevronDownIcon width={18} />
      </ActionIcon>
    </Group>
  )
}

function EditCategory({ category, name }: { category: Category; name: string }) {
  const { role } = useProject()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!mayDo(role, 'admin')) return null
  return (
    <>
      <ActionIcon aria-label={pageText.knowledge.editCategory(name)} onClick={() => setOpen(true)}>
        <PencilSquareIcon width={16} />
      </ActionIcon>
      <Modal opened={isOpen} onClose={close} title={pageText.knowledge.editCategory(name)}>
        <CategoryForm category={category} onDone={close} />
      </Modal>
    </>
  )
}
