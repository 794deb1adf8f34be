import { signal } from '@preact/signals'
import type { Origin } from '../../protocol.ts'

/** What led the visitor to the new conversation that is about to begin. */
export const origin = signal<Origin>({})

/** Passes it to the first message. Later conversations have another reason. */
export function takeOrigin(): Origin {
  const taken = origin.peek()
  origin.value = {}
  return taken
}
