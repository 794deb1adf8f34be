import { Button } from '@mantine/core'
import { replaceEqualDeep } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../core/failure.ts'
import { showNotice } from '../../core/notice.ts'
import { pageText } from '../../core/page-text.ts'
import { useChange } from '../../core/query.ts'
import { useProject } from '../../projects/project.ts'
import { changeView, mayChange, type View, viewsQuery } from '../../views/queries.ts'
import { useConditions, useInboxPlace, useView } from '../inbox.ts'
import { canBeSaved, viewQuestion } from '../view-question.ts'
import classes from './chips.module.css'
import { printGroup, splitFilters } from './old-filters.ts'

/** The view as it was when the reader began to change its filters. */
function useBase(view: View | undefined, isChanged: boolean) {
  const [base, setBase] = useState(view)
  if (base !== view && (!isChanged || base?.id !== view?.id)) setBase(view)
  return [base, setBase] as const
}

const currentOf = (thrown: unknown): View | null => {
  const { code, detail } = asFailure(thrown)
  return code === 'SETTINGS_CHANGED' ? (detail as { current: View }).current : null
}

const areSame = (one: View, other: View): boolean =>
  replaceEqualDeep(one.filters, other.filters) === one.filters

/** Saves the filters in the open view, if the reader may change it. The second attempt replaces filters that somebody else has saved. */
function useSave(isChanged: boolean) {
  const { id: project_id, role, operatorId } = useProject()
  const { search, narrow } = useInboxPlace()
  const { conditions } = useConditions()
  const view = useView()
  const [base, setBase] = useBase(view, isChanged)
  const [conflict, setConflict] = useState<View | null>(null)
  const { rest } = splitFilters(view?.filters ?? null)
  const save = useChange({
    send: async (old: View) => {
      const filters = {
        ...rest,
        conditions: printGroup(conditions),
        ...(search.sort && { sort: search.sort }),
      }
      try {
        return await changeView(project_id, old, { filters }, current => areSame(current, old))
      } catch (thrown) {
        const current = currentOf(thrown)
        if (!current) throw thrown
        setBase(current)
        setConflict(current)
        return null
      }
    },
    refresh: [viewsQuery(project_id).queryKey],
    onDone: saved => {
      if (!saved) return
      showNotice(pageText.conditions.saved)
      void narrow({ conditions: undefined, sort: undefined })
    },
  })
  if (base?.kind !== 'saved' || !mayChange(base, role, operatorId)) return null
  return { isSaving: save.isPending, isConflict: conflict === base, run: () => save.mutate(base) }
}

/** Saves the filters as a view or in the open view, and resets or clears them. */
export function SaveButtons({ isChanged, hasFilters }: { isChanged: boolean; hasFilters: boolean }) {
  const save = useSave(isChanged)
  const { narrow } = useInboxPlace()
  const { change } = useConditions()
  const view = useView()
  const { saveChanges, saveView, reset, clear, changedSince } = pageText.conditions
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
      {isChanged && save?.isConflict && (
        <p role="alert" className={classes.attention}>
          {changedSince}
        </p>
      )}
      {!isSaved && hasFilters && (
        <Button size="compact-xs" h={26} variant="subtle" onClick={() => change({ all: [] })}>
          {clear}
        </Button>
      )}
    </>
  )
}
