/** `#deskbell-open=…` at the end of an address leads to one conversation. */

const pattern = /[#&]deskbell-open=([\w.~-]+)/

/** It must not stay in the address, which people pass on. */
export function readProjectKey(): string | null {
  const key = pattern.exec(location.hash)?.[1] ?? null
  if (key) {
    const rest = location.hash.replace(pattern, '')
    history.replaceState(history.state, '', location.pathname + location.search + rest)
  }
  return key
}
