import { ArrowUpTrayIcon, BookOpenIcon, FolderPlusIcon, PlusIcon } from '@heroicons/react/20/solid'
import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Empty } from '../core/empty.tsx'
import { isInHash } from '../core/hash.ts'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { ArticleTree } from './article-tree.tsx'
import { BeginArticle } from './begin-article.tsx'
import { CategoryForm } from './category-form.tsx'
import { ImportArticles } from './import-articles.tsx'
import { draftsQuery, treeQuery } from './queries.ts'

export default function KnowledgePage() {
  const { id } = useProject()
  const { data: drafts } = useQuery(draftsQuery(id))
  const { data: tree } = useQuery({ ...treeQuery(id), enabled: Boolean(drafts) })
  const isReady = drafts && tree
  return (
    <Page title={pageText.knowledge.title} about={pageText.knowledge.about} actions={isReady && <Deeds />}>
      {drafts === null && <Empty title={pageText.knowledge.off} about={pageText.knowledge.offAbout} />}
      {drafts !== null && !isReady && <Loading />}
      {isReady && drafts.length + tree.items.length === 0 && (
        <Empty icon={BookOpenIcon} title={pageText.knowledge.none} about={pageText.knowledge.noneAbout} />
      )}
      {isReady && <ArticleTree drafts={drafts} tree={tree} />}
    </Page>
  )
}

type Deed = 'article' | 'category' | 'import'

/** Buttons that each open a form. */
function Deeds() {
  const { role } = useProject()
  const [open, setOpen] = useState<Deed | null>(isInHash('new') ? 'article' : null)
  const close = () => setOpen(null)
  if (!mayDo(role, 'admin')) return null
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<ArrowUpTrayIcon width={16} aria-hidden />}
        onClick={() => setOpen('import')}
      >
        {pageText.knowledge.import}
      </Button>
      <Button
        variant="default"
        leftSection={<FolderPlusIcon width={16} aria-hidden />}
        onClick={() => setOpen('category')}
      >
        {pageText.knowledge.newCategory}
      </Button>
      <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={() => setOpen('article')}>
        {pageText.knowledge.newArticle}
      </Button>
      <Modal opened={open === 'article'} onClose={close} title={pageText.knowledge.newArticle}>
        <BeginArticle />
      </Modal>
      <Modal opened={open === 'category'} onClose={close} title={pageText.knowledge.newCategory}>
        <CategoryForm onDone={close} />
      </Modal>
      <Modal opened={open === 'import'} onClose={close} title={pageText.knowledge.importTitle}>
        <ImportArticles />
      </Modal>
    </Group>
  )
}
