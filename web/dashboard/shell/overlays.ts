import { QuestionMarkCircleIcon } from '@heroicons/react/20/solid'
import { createSpotlight } from '@mantine/spotlight'
import { useAction } from '../core/actions.ts'
import { createStore } from '../core/store.ts'
import { text } from '../core/text.ts'
import { catchEarlyKeys } from './early-keys.ts'

export const [commandBar, commands] = createSpotlight()

/** What stands in the field of the command bar, also before there is one. */
export const typed = createStore('')

const isOpen = (): boolean => commandBar.getState().opened

function toggleCommands(): void {
  if (!isOpen()) catchEarlyKeys(isOpen, change => typed.set(change(typed.get())))
  commands.toggle()
}

/** Whether the list of keys is open. */
export const keyList = createStore(false)

/** What can be called up over every page: everything that can be done, and every key. */
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
