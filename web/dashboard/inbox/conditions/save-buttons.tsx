import { Button } from '@mantine/core'
import { api, take } from '../../core/api.ts'
import { showNotice } from '../../core/notice.ts'
import { pageText } from '../../core/page-text.ts'
import { useChange } from '../../core/query.ts'
import { useProject } from '../../projects/project.ts'
import { mayChange, viewsQuery } from '../../views/queries.ts'
import { useConditions, useInboxPlace, useView } from '../inbox.ts'
import { canBeSaved, viewQuestion } from '../view-question.ts'
import { printGroup, splitFilters } from './old-filters.ts'

/** Saves the filters in the open view, if the reader may change it. */
function useSave() {
  const { id: project_id, role, operatorId } = useProject()
  const { search, narrow } = useInboxPlace()
  const { conditions } = useConditions()
  const view = useView()
  const { rest } = splitFilters(view?.filters ?? null)
  const save = useChange({
    send: (view_id: string) => {
      const filters = {
        ...rest,
        conditions: printGroup(conditions),
        ...(search.sort && { sort: search.sort }),
      }
      const params = { path: { project_id, view_id } }
      return take(api.PATCH('/projects/{project_id}/views/{view_id}', { params, body: { filters } }))
    },
    refresh: [viewsQuery(project_id).queryKey],
    onDone: () => {
      showNotice(pageText.conditions.saved)
      void narrow({ conditions: undefined, sort: undefined })
    },
  })
  if (view?.kind !== 'saved' || !mayChange(view, role, operatorId)) return null
  return { isSaving: save.isPending, run: () => save.mutate(view.id) }
}

/** Saves the filters as a view or in the open view, and resets or clears them. */
export function SaveButtons({ isChanged, hasFilters }: { isChanged: boolean; hasFilters: boolean }) {
  const save = useSave()
  const { narrow } = useInboxPlace()
  const { change } = useConditions()
  const view = useView()
  const { saveChanges, saveView, reset, clear } = pageText.conditions
  const isSaved = view?.kind === 'saved'
  return (
    <>
      {isChanged && save && (
        <Button size="compact-xs" h={26} loading={save.isSaving} onClick={save.run}>
          {saveChanges}
        </Button>
      )}
      {canBeSaved(view) && (isChanged || (hasFilters && !isSaved)) && (
        <Button size="compact-xs" h={26} variant="default" onClick={() => viewQuestion.set('save')}>
          {saveView}
        </Button>
      )}
      {isChanged && (
        <Button
          size="compact-xs"
          h={26}
          variant="subtle"
          onClick={() => narrow({ conditions: undefined, sort: undefined }, false)}
        >
          {reset}
        </Button>
      )}
      {!isSaved && hasFilters && (
        <Button size="compact-xs" h={26} variant="subtle" onClick={() => change({ all: [] })}>
          {clear}
        </Button>
      )}
    </>
  )
}
