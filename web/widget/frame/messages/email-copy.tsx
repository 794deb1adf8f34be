import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { send } from '../core/api.ts'
import type { Ticket } from '../core/records.ts'
import { text } from '../core/text.ts'
import { IconButton } from '../shell/bar.tsx'

/** Requests a copy of the conversation by email, which is sent to the contact's address. */

const outcome = signal<{ id: string; state: 'sending' | 'sent' | 'failed' } | null>(null)

async function request(id: string): Promise<void> {
  outcome.value = { id, state: 'sending' }
  try {
    await send('POST', `/tickets/${id}/transcript`, { isWritten: true })
    outcome.value = { id, state: 'sent' }
  } catch {
    outcome.value = { id, state: 'failed' }
  }
}

const stateOf = (id: string) => (outcome.value?.id === id ? outcome.value.state : null)

export function EmailCopyButton({ ticket }: { ticket: Ticket | null }) {
  useEffect(
    () => () => {
      outcome.value = null
    },
    [],
  )
  return ticket?.is_emailable ? (
    <IconButton
      icon="email"
      label={text.value.emailCopy}
      isDisabled={stateOf(ticket.id) === 'sending'}
      onClick={() => void request(ticket.id)}
    />
  ) : null
}

/** Always rendered, because screen readers announce only changes of existing elements. */
export function EmailCopyState({ id }: { id: string }) {
  const state = stateOf(id)
  return (
    <div class="connection" role="status">
      {state === 'sent' && <p>{text.value.emailCopySent}</p>}
      {state === 'failed' && <p>{text.value.emailCopyFailed}</p>}
    </div>
  )
}
