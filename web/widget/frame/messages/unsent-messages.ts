import { goHome, type Place, place, replace } from '../core/route.ts'
import type { Stay } from '../session/session.ts'
import { answered, details, drafts } from './drafts.ts'
import { carryUploads, uploads } from './files.ts'
import { restart } from './outbox.ts'
import { carryOutbox, outbox } from './outgoing.ts'

/** What happens to unsent texts when it turns out that the visitor is another person. */

const listWords = (): string[] => [
  ...outbox.peek().map(({ client_id }) => client_id),
  ...uploads.peek().map(({ key }) => key),
  ...Object.keys(drafts.peek()).filter(id => drafts.peek()[id]),
]

let earlier = new Set<string>()

/** The page identifies the visitor: everything started from now on belongs to that person. */
export const markEarlier = (): void => {
  earlier = new Set(listWords())
}

/** The previous visitor's conversations no longer exist for this one. */
const homeOf = (id: string): string => (outbox.peek().some(one => one.ticket_id === id) ? id : 'new')

function carryDrafts(isStaying: (id: string) => boolean): void {
  const next: Record<string, string> = {}
  for (const [id, words] of Object.entries(drafts.peek()).filter(([id, words]) => words && isStaying(id)))
    next[homeOf(id)] = [next[homeOf(id)], words].filter(Boolean).join('\n\n')
  drafts.value = next
}

/**
 * A visitor who reads or writes stays in the conversation, unless it contains only the previous visitor's
 * messages.
 */
function placeOf(at: Place): Place {
  if (at.name !== 'conversation') return at
  const id = homeOf(at.id)
  const stays = id === at.id || drafts.peek()[id] || uploads.peek().length
  return stays ? { name: 'conversation', id } : { name: 'home' }
}

export function carryUnsent(stay: Stay): void {
  const at = place.peek()
  const isStaying = (key: string) => stay === 'all' || (stay === 'later' && !earlier.has(key))
  carryOutbox(isStaying)
  carryUploads(isStaying)
  carryDrafts(isStaying)
  answered.value = null
  if (stay !== 'all') details.value = null
  goHome()
  if (stay !== 'nothing') replace(placeOf(at))
  restart()
}
