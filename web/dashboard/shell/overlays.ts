import { QuestionMarkCircleIcon } from '@heroicons/react/20/solid'
import { createSpotlight } from '@mantine/spotlight'
import { useAction } from '../core/actions.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { catchEarlyKeys } from './early-keys.ts'

export const [commandBar, commands] = createSpotlight()

/** The text of the command bar's field, even before it is rendered. */
export const typed = createStore('')

const isOpen = (): boolean => commandBar.getState().opened

function toggleCommands(): void {
  if (!isOpen()) catchEarlyKeys(isOpen, change => typed.set(change(typed.get())))
  commands.toggle()
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
