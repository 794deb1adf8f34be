import { MagnifyingGlassIcon } from '@heroicons/react/20/solid'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useAction, useActions } from '../core/actions.ts'
import { text } from '../core/text.ts'
import { Keys } from './keys.tsx'

/** Ctrl-K: everything that can be done now, by its name. */
export function CommandBar() {
  useAction({
    id: 'commands',
    name: text.shell.openCommands,
    group: text.shell.anywhere,
    keys: 'mod+k',
    isHidden: true,
    run: spotlight.toggle,
  })
  const actions = useActions()
    .filter(action => !action.isHidden)
    .map(({ id, name, icon: Sign, keys, run }) => ({
      id,
      label: name,
      onClick: run,
      leftSection: Sign && <Sign width={18} aria-hidden />,
      rightSection: keys ? <Keys keys={keys} /> : undefined,
    }))
  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      centered={false}
      yOffset="14vh"
      overlayProps={{ backgroundOpacity: 0.4 }}
      title={text.shell.commands}
      classNames={{ header: 'hidden' }}
      nothingFound={text.shell.noCommand}
      highlightQuery
      scrollable
      maxHeight={380}
      searchProps={{
        leftSection: <MagnifyingGlassIcon width={18} aria-hidden />,
        placeholder: text.shell.findCommand,
        'aria-label': text.shell.findCommand,
      }}
    />
  )
}
