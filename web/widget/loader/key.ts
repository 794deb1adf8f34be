/** `#deskbell-open=…` at the end of a URL opens one conversation. */

const pattern = /[#&]deskbell-open=([\w.~-]+)/

/** Removes the key from the URL, because people share URLs. */
export function readProjectKey(): string | null {
  const key = pattern.exec(location.hash)?.[1] ?? null
  if (key) {
    const rest = location.hash.replace(pattern, '')
    history.replaceState(history.state, '', location.pathname + location.search + rest)
  }
  return key
}
