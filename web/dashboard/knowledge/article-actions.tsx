import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { type ArticleDraft, draftQuery } from './queries.ts'
import { knowledgeKeys } from './query-keys.ts'

/** Unpublishes, archives or deletes an article. */
export function ArticleActions({ draft, back }: { draft: ArticleDraft; back: string }) {
  const { id: project_id } = useProject()
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const params = { path: { project_id, article_id: draft.id } }
  const refresh = [knowledgeKeys.all(project_id), draftQuery(project_id, draft.id).queryKey]
  const unpublish = useChange({
    send: () =>
      take(api.POST('/projects/{project_id}/knowledge/articles/{article_id}/unpublish', { params })),
    refresh,
  })
  const archive = useChange({
    send: () => take(api.POST('/projects/{project_id}/knowledge/articles/{article_id}/archive', { params })),
    refresh,
  })
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/knowledge/articles/{article_id}', { params })),
    refresh: [knowledgeKeys.all(project_id)],
    onDone: () => navigate({ to: back, ignoreBlocker: true }),
  })
  return (
    <Group mt="md">
      {draft.status === 'published' && (
        <Button variant="default" loading={unpublish.isPending} onClick={() => unpublish.mutate()}>
          {pageText.knowledge.unpublish}
        </Button>
      )}
      {draft.status !== 'archived' && (
        <Button variant="default" loading={archive.isPending} onClick={() => archive.mutate()}>
          {pageText.knowledge.archive}
        </Button>
      )}
      <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setRemoving(true)}>
        {pageText.knowledge.remove}
      </Button>
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={pageText.knowledge.removeTitle}
        about={pageText.knowledge.removeAbout}
        action={pageText.keys.removeDo}
        run={() => remove.mutate()}
      />
    </Group>
  )
}
