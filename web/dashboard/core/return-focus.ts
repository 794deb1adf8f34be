import { useEffect } from 'react'

/**
 * When a dialog closes, the focus returns to where it was before. Mantine does so only for dialogs that stay in the page while
 * they are closed.
 */
export function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      // Something else may have taken the focus.
      if (document.activeElement !== document.body || !(before instanceof HTMLElement)) return
      before.focus({ preventScroll: true })
    }
  }, [isOpen])
}
