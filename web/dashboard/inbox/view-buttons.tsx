import { Button } from '@mantine/core'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import type { View } from '../views/queries.ts'
import { useView } from './inbox.ts'

/** The dialogs are outside of the menu that opens them, because the menu closes on a click elsewhere. */
export const question = createStore<'save' | 'remove' | null>(null)

/** The open view, if the reader may delete it. */
export function useRemovable(): View | null {
  const { role, operatorId } = useProject()
  const view = useView()
  const isOwn = view?.owner_id === operatorId || mayDo(role, 'admin')
  return view?.kind === 'saved' && isOwn ? view : null
}

/** Saves the current filters as a view, or deletes a saved view. */
export function ViewButtons({ isNarrowed, onAsk }: { isNarrowed: boolean; onAsk(): void }) {
  const removable = useRemovable()
  const ask = (next: 'save' | 'remove') => () => {
    onAsk()
    question.set(next)
  }
  return (
    <>
      {isNarrowed && (
        <Button variant="default" size="xs" onClick={ask('save')}>
          {text.inbox.saveView}
        </Button>
      )}
      {removable && (
        <Button variant="subtle" color="red" size="xs" onClick={ask('remove')}>
          {text.inbox.removeView}
        </Button>
      )}
    </>
  )
}
