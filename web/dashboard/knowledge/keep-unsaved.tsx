import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'

/** Asks before leaving a page with unsaved changes. */
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
      title={pageText.knowledge.leaveTitle}
      about={pageText.knowledge.leaveAbout}
      action={pageText.knowledge.leave}
      run={() => proceed?.()}
    />
  )
}
