import { Button } from '@mantine/core'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { useView } from './inbox.ts'
import type { View } from './views-query.ts'

/** The dialogs stand outside of the menu that asks for them: that closes when somebody presses elsewhere. */
export const question = createStore<'save' | 'remove' | null>(null)

/** Whether the open view is one that the reader may remove. */
export function useRemovable(): View | null {
  const { role, operatorId } = useProject()
  const view = useView()
  const isOwn = view?.owner_id === operatorId || mayDo(role, 'admin')
  return view?.kind === 'saved' && isOwn ? view : null
}

/** The view as it is narrowed now becomes one with a name; one that was saved goes. */
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
