/** Returns the focus to where it was when the chat was opened, mostly the launcher. */
export function returnFocus(before: HTMLElement | null, launcher: HTMLElement): void {
  const isThere = before?.isConnected && before !== document.body && before.shadowRoot === null
  if (isThere) before.focus()
  else launcher.focus()
}
