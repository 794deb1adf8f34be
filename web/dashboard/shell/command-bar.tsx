import { MagnifyingGlassIcon } from '@heroicons/react/20/solid'
import { Modal } from '@mantine/core'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { text } from '../core/text.ts'
import { CommandList } from './command-list.tsx'
import type { Entry } from './entries.ts'
import { commandBar, typed } from './overlays.ts'
import { useRecording } from './recent.ts'

function close(): void {
  flushSync(() => commandBar.set(false))
  typed.set('')
}

/** Ctrl-K: searches everything that can be done or opened. */
export default function CommandBar() {
  const isOpen = commandBar.use()
  const before = useFocusBefore(isOpen)
  useRecording()
  const leave = () => {
    close()
    before.current?.focus()
  }
  const run = (entry: Entry) => {
    // Returns the focus first, so that an entry can move it, and its dialog can return it to the same place.
    leave()
    void entry.run()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      title={text.shell.commands}
      classNames={{ header: 'hidden' }}
      size={600}
      padding={0}
      centered={false}
      yOffset="14vh"
      returnFocus={false}
      transitionProps={{ duration: 80, exitDuration: 0 }}
      overlayProps={{ backgroundOpacity: 0.4 }}
    >
      <CommandList icon={<MagnifyingGlassIcon width={18} aria-hidden />} onRun={run} />
    </Modal>
  )
}

/** The element that had the focus when the bar was opened. */
function useFocusBefore(isOpen: boolean) {
  const before = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  if (isOpen && !wasOpen.current && document.activeElement instanceof HTMLElement)
    before.current = document.activeElement
  wasOpen.current = isOpen
  return before
}
