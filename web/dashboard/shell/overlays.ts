import { QuestionMarkCircleIcon } from '@heroicons/react/20/solid'
import { useAction } from '../core/actions.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { catchEarlyKeys } from './early-keys.ts'

/** Whether the command bar is open. */
export const commandBar = createStore(false)

/** The text of the command bar's field, even before it is rendered. */
export const typed = createStore('')

export const openCommands = (): void => commandBar.set(true)

function toggleCommands(): void {
  if (!commandBar.get()) catchEarlyKeys(commandBar.get, change => typed.set(change(typed.get())))
  commandBar.set(!commandBar.get())
}

/** Whether the list of keys is open. */
export const keyList = createStore(false)

/** Registers the overlays of every page: the command bar and the list of keys. */
export function useOverlays(): void {
  useAction({
    id: 'commands',
    name: text.shell.openCommands,
    group: text.shell.anywhere,
    keys: 'mod+k',
    isHidden: true,
    run: toggleCommands,
  })
  useAction({
    id: 'keys',
    icon: QuestionMarkCircleIcon,
    name: text.shell.showKeys,
    group: text.shell.anywhere,
    keys: '?',
    run: () => keyList.set(true),
  })
}
