import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { meQuery } from '../users/me.ts'
import { type Choice, readChoice } from './choice.ts'
import { playSound } from './sound.ts'

/** A message of the log, as far as a notification shows it. */
export interface NewMessage {
  message_id: string
  ticket_id: string
  sender_type: string
  sender_name: string | null
  content: string
  is_internal: boolean
}

const tickets = '/projects/{project_id}/tickets'

async function isMention(project_id: string, ticketId: string): Promise<boolean> {
  const query = { view: 'mentions', unread: true, count: false, page_size: 100 }
  const { items } = await take(api.GET(tickets, { params: { path: { project_id }, query } }))
  return items.some(({ id }) => id === ticketId)
}

async function ownerOf(project_id: string, ticket_id: string): Promise<string | null> {
  const params = { path: { project_id, ticket_id } }
  return (await take(api.GET('/projects/{project_id}/tickets/{ticket_id}', { params }))).operator_id
}

async function isWanted(projectId: string, message: NewMessage, choice: Choice): Promise<boolean> {
  const { sender_type, ticket_id, is_internal } = message
  if (is_internal) return choice.mentions && (await isMention(projectId, ticket_id))
  if (sender_type !== 'contact' || !(choice.mine || choice.unassigned)) return false
  const owner = await ownerOf(projectId, ticket_id)
  if (owner === null) return choice.unassigned
  const memberships = queryClient.getQueryData(meQuery.queryKey)?.memberships ?? []
  return choice.mine && memberships.some(({ operator_id }) => operator_id === owner)
}

const place = 'deskbell-told'

/** Of several tabs one tells. */
function claim(id: string): boolean {
  try {
    const told: string[] = JSON.parse(localStorage.getItem(place) ?? '[]')
    if (told.includes(id)) return false
    localStorage.setItem(place, JSON.stringify([...told, id].slice(-50)))
  } catch {
    // Without a place to agree in each tab tells.
  }
  return true
}

const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

function show(projectId: string, { ticket_id, message_id, sender_name, content }: NewMessage): void {
  const title = sender_name ?? text.notifications.newMessage
  const shown = new Notification(title, { body: content.slice(0, 200), tag: message_id })
  shown.onclick = () => {
    window.focus()
    location.assign(`/p/${projectId}/inbox/open/${ticket_id}`)
  }
}

/** Tells of a message that somebody wants to be told of. */
export async function notify(projectId: string, message: NewMessage): Promise<void> {
  const choice = readChoice()
  const mayShow = choice.shows && 'Notification' in window && Notification.permission === 'granted'
  if (!mayShow && !choice.sounds) return
  if (!(await isWanted(projectId, message, choice)) || !claim(message.message_id)) return
  if (choice.sounds) playSound()
  if (mayShow && !isLookedAt()) show(projectId, message)
}
