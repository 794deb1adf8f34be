import type { Config, Message, Ticket } from './core/records.ts'
import { goHome, replace } from './core/route.ts'
import { loadTexts } from './core/text.ts'
import { threads } from './messages/thread.ts'
import { config, paint } from './session/config.ts'
import { state, tickets } from './tickets/tickets.ts'

/** The message that the dashboard's preview sends at each change. */
interface Preview {
  type: 'preview'
  config: Config
  locale: string
  view: 'home' | 'conversation' | 'details'
  theme: 'light' | 'dark'
  ticket: Ticket
  messages: Message[]
}

async function draw({ config: chosen, locale, view, theme, ticket, messages }: Preview): Promise<void> {
  if (!(await loadTexts(locale))) return
  document.documentElement.dataset.theme = theme
  paint(chosen.color)
  config.value = chosen
  tickets.value = [ticket]
  state.value = 'there'
  threads.value = { [ticket.id]: { items: messages, hasMore: false, state: 'there' } }
  if (view === 'home') goHome()
  else replace({ name: 'conversation', id: view === 'details' ? 'new' : ticket.id })
}

export function showPreview(): void {
  document.documentElement.inert = true
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin === location.origin && source === window.parent && data?.type === 'preview') void draw(data)
  })
  window.parent.postMessage('deskbell:preview', location.origin)
}
