import { signal } from '@preact/signals'
import { ask } from '../core/api.ts'
import type { Ticket } from '../core/records.ts'
import { text } from '../core/text.ts'
import { config } from '../session/config.ts'
import { IconButton } from '../shell/bar.tsx'

/** Continues the conversation in Telegram: the server creates a link, which opens in a new tab. */

const outcome = signal<{ id: string; url: string | null } | null>(null)
const opening = signal<string | null>(null)

/** Opens the tab during the click, because browsers block tabs that open later, when the response arrives. */
async function open(id: string): Promise<void> {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  opening.value = id
  outcome.value = null
  try {
    const { url } = await ask<{ url: string }>('POST', `/tickets/${id}/telegram-link`)
    if (tab) tab.location.href = url
    else outcome.value = { id, url }
  } catch {
    tab?.close()
    outcome.value = { id, url: null }
  }
  opening.value = null
}

export const TelegramButton = ({ ticket }: { ticket: Ticket | null }) =>
  ticket && config.value?.features.telegram ? (
    <IconButton
      icon="telegram"
      label={text.value.telegram}
      isDisabled={opening.value === ticket.id}
      onClick={() => void open(ticket.id)}
    />
  ) : null

/** Says what to do if no tab was opened. Always rendered, because screen readers announce changes only in existing elements. */
export function TelegramState({ id }: { id: string }) {
  const state = outcome.value?.id === id ? outcome.value : null
  return (
    <div class="connection" role="status">
      {state && (
        <p>
          {state.url ? (
            <a href={state.url} target="_blank" rel="noopener">
              {text.value.telegram}
            </a>
          ) : (
            text.value.failed
          )}
        </p>
      )}
    </div>
  )
}
