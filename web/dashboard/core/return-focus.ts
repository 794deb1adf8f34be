import { type MouseEvent, useEffect } from 'react'

/**
 * When a dialog closes, the focus returns to where it was before. Mantine does so only for dialogs that were in the page
 * before they were opened.
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

/**
 * Moves the focus from a chosen item of a menu to the button of the menu, before the item opens a dialog. The dialog later
 * returns the focus to where it was, and the item disappears with its menu.
 */
export function focusMenuButton({ currentTarget }: MouseEvent): void {
  const menu = currentTarget.closest('[role=menu]')
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '')
  button?.focus({ preventScroll: true })
}
