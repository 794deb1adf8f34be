import { api, take } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import type { Ticket } from '../tickets/queries.ts'
import { meQuery } from '../users/me.ts'
import { type NotificationChoice, readChoice } from './choice.ts'
import { isPushing } from './pushing.ts'
import { playSound } from './sound.ts'

/** A message of the log, with the fields that a notification needs. */
export interface NewMessage {
  message_id: string
  ticket_id: string
  sender_type: string
  sender_name: string | null
  content: string
  is_internal: boolean
}

const tickets = '/projects/{project_id}/tickets'

async function findMention(project_id: string, ticketId: string): Promise<Ticket | undefined> {
  const query = { view: 'mentions', unread: true, count: false, page_size: 100 }
  const { items } = await take(api.GET(tickets, { params: { path: { project_id }, query } }))
  return items.find(({ id }) => id === ticketId)
}

const isOwn = (operatorId: string): boolean =>
  (queryClient.getQueryData(meQuery.queryKey)?.memberships ?? []).some(
    ({ operator_id }) => operator_id === operatorId,
  )

/** The ticket of a message, if the person wants to be notified of it. */
async function findWanted(
  project_id: string,
  { sender_type, ticket_id, is_internal }: NewMessage,
  choice: NotificationChoice,
): Promise<Ticket | undefined> {
  if (is_internal) return choice.mentions ? findMention(project_id, ticket_id) : undefined
  if (sender_type !== 'contact' || !(choice.mine || choice.unassigned)) return undefined
  const params = { path: { project_id, ticket_id } }
  const ticket = await take(api.GET('/projects/{project_id}/tickets/{ticket_id}', { params }))
  const { operator_id: owner } = ticket
  return (owner === null ? choice.unassigned : choice.mine && isOwn(owner)) ? ticket : undefined
}

const place = 'deskbell-told'

/** Lets only one of several tabs notify. */
function claim(id: string): boolean {
  try {
    const told: string[] = JSON.parse(localStorage.getItem(place) ?? '[]')
    if (told.includes(id)) return false
    localStorage.setItem(place, JSON.stringify([...told, id].slice(-50)))
  } catch {
    // Without storage to coordinate, each tab notifies.
  }
  return true
}

/** While no tab is in front, the server notifies browsers that have turned this on. */
const isShownElsewhere = (): boolean =>
  document.visibilityState === 'visible' ? document.hasFocus() : isPushing()

function show(ticket: Ticket, { message_id, sender_name, content }: NewMessage): void {
  const title = sender_name ?? text.notifications.newMessage
  const shown = new Notification(title, { body: content.slice(0, 200), tag: message_id })
  shown.onclick = () => {
    window.focus()
    location.assign(`/p/${ticket.workspace_id}/inbox/open/${ticket.short_id}`)
  }
}

/** Notifies of a message, if the person wants that. */
export async function notify(projectId: string, message: NewMessage): Promise<void> {
  const choice = readChoice()
  const mayShow = choice.shows && 'Notification' in window && Notification.permission === 'granted'
  if (!mayShow && !choice.sounds) return
  const ticket = await findWanted(projectId, message, choice)
  if (!ticket || !claim(message.message_id)) return
  if (choice.sounds) playSound()
  if (mayShow && !isShownElsewhere()) show(ticket, message)
}
