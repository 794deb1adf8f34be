import { MagnifyingGlassIcon } from '@heroicons/react/20/solid'
import { Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useEffect, useState } from 'react'
import { useActions } from '../core/actions.ts'
import { Keys } from '../core/key-caps.tsx'
import { text } from '../core/text.ts'
import { commandBar, typed } from './overlays.ts'
import { type FoundItem, useSearchResults } from './search-results.ts'

/** Ctrl-K: searches all available actions by name, and the records of the project. */
export default function CommandBar() {
  const words = typed.use()
  const [isOpen, setOpen] = useState(() => commandBar.getState().opened)
  const actions = useCommands(isOpen)
  const { items, isStale } = useSearchResults(words)
  useEffect(selectFirst)
  return (
    <Spotlight
      store={commandBar}
      actions={[...actions, ...group(items, isStale ? '' : words)]}
      query={words}
      onQueryChange={typed.set}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
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
        onFocus: selectFirst,
      }}
    />
  )
}

/** Selects the first entry for Enter, even if it was found later. */
function selectFirst(): void {
  const list = document.getElementById(commandBar.getState().listId)
  if (!list || list.querySelector('[data-selected]')) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  commandBar.updateState(state => ({ ...state, selected: 0 }))
}

const useCommands = (isOpen: boolean) =>
  useActions(isOpen)
    .filter(action => !action.isHidden)
    .map(({ id, name, icon: Sign, keys, run }) => ({
      id,
      label: name,
      onClick: run,
      leftSection: Sign && <Sign width={18} aria-hidden />,
      rightSection: keys ? <Keys keys={keys} /> : undefined,
    }))

/** Server results must pass the bar's own filter, so their keyword is the typed text. */
const group = (items: FoundItem[], keywords: string) =>
  [...Map.groupBy(items, item => item.group)].map(([name, found]) => ({
    group: name,
    actions: found.map(({ id, label, description, icon: Sign, run }) => ({
      id,
      label,
      description,
      keywords,
      onClick: () => void run(),
      leftSection: <Sign width={18} aria-hidden />,
    })),
  }))
