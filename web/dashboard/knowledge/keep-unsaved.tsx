import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../core/confirm.tsx'
import { text } from '../core/text.ts'

/** Asks before a page is left on which something was written and not saved. */
export function KeepUnsaved({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <Confirm
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      title={text.knowledge.leaveTitle}
      about={text.knowledge.leaveAbout}
      action={text.knowledge.leave}
      run={() => proceed?.()}
    />
  )
}
