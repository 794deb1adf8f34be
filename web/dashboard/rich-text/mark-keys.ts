import { isMac } from '../core/keys.ts'
import type { Mark } from './marks.ts'

const keys: Record<string, Mark> = { b: 'bold', i: 'italic', e: 'code', k: 'link', 'shift+x': 'strike' }

/** The mark that a key with Ctrl or Command toggles. */
export function markOfKey(event: KeyboardEvent): Mark | undefined {
  const isMod = isMac ? event.metaKey : event.ctrlKey
  if (!isMod || event.altKey) return undefined
  return keys[(event.shiftKey ? 'shift+' : '') + event.key.toLowerCase()]
}
