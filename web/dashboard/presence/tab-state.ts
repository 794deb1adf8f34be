import { api } from '../core/api.ts'
import { newId } from '../core/id.ts'

/** What this tab reports: the open ticket, whether the person is typing there, and whether the tab is in front. */

/** The id of this tab, for the lifetime of the page. */
export const tab = newId()

interface TabState {
  ticket_id: string | null
  is_typing: boolean
  is_internal: boolean
}

let state: TabState = { ticket_id: null, is_typing: false, is_internal: false }
let project: string | null = null

/** A failure is ignored, because the next heartbeat repeats it. */
export async function postTabState(project_id: string): Promise<void> {
  project = project_id
  const body = { tab, ...state, is_visible: document.visibilityState === 'visible' }
  await api
    .POST('/projects/{project_id}/presence', { params: { path: { project_id } }, body })
    .catch(() => null)
}

/** When the person switches tickets, the others are notified only once. */
const sendDelayMs = 60
let posting: number | undefined

function change(next: Partial<TabState>): void {
  state = { ...state, ...next }
  window.clearTimeout(posting)
  posting = window.setTimeout(() => project && void postTabState(project), sendDelayMs)
}

export function showTicket(ticket_id: string | null): void {
  if (state.ticket_id !== ticket_id) change({ ticket_id, is_typing: false })
}

document.addEventListener('visibilitychange', () => change({}))

/** The server forgets typing after six seconds. */
const typingRepeatMs = 3_000
const typingTimeoutMs = 4_000
let lastSentAt = 0
let timer: number | undefined

export function noteTyping(is_internal: boolean): void {
  window.clearTimeout(timer)
  timer = window.setTimeout(stopTyping, typingTimeoutMs)
  if (state.is_typing && state.is_internal === is_internal && Date.now() - lastSentAt < typingRepeatMs) return
  lastSentAt = Date.now()
  change({ is_typing: true, is_internal })
}

export function stopTyping(): void {
  window.clearTimeout(timer)
  if (state.is_typing) change({ is_typing: false })
}
