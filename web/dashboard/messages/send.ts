import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { tellFailure } from '../core/notice.ts'
import { patchMessage } from './cache.ts'
import { type Draft, mentionedIn } from './draft.ts'
import { addMessages, loadNewer, type Message } from './queries.ts'

type Reply =
  paths['/projects/{project_id}/tickets/{ticket_id}/messages']['post']['requestBody']['content']['application/json']

/** As long as the server takes one. */
export const longestMessage = 65_536

/** For so long a reply can be taken back. */
export const undoSeconds = 10

export interface Order {
  projectId: string
  number: string
  draft: Draft
  isInternal: boolean
  replyToId: string | null
  sendAt?: string
  afterReply?: Reply['after_reply']
  /** The newest message that was on the screen; without it nobody asks whether there are newer ones. */
  lastSeenId?: string
}

const toReply = ({ draft, isInternal, replyToId, sendAt, afterReply, lastSeenId }: Order): Reply => ({
  content: draft.content,
  content_format: 'markdown',
  media_ids: draft.files.flatMap(({ media }) => media?.id ?? []),
  is_internal: isInternal,
  reply_to_id: replyToId,
  ...(isInternal
    ? { mentions: mentionedIn(draft) }
    : sendAt
      ? { send_at: sendAt }
      : { undo_seconds: undoSeconds }),
  ...(afterReply && { after_reply: afterReply }),
  ...(lastSeenId && { last_seen_message_id: lastSeenId, unless_newer: true }),
})

/** Posts, and shows it in the conversation. */
export async function sendDraft(order: Order): Promise<Shape<'PostedReply'>> {
  const { projectId, number } = order
  const path = { project_id: projectId, ticket_id: number }
  const body = toReply(order)
  const posted = await take(
    api.POST('/projects/{project_id}/tickets/{ticket_id}/messages', { params: { path }, body }),
  )
  const { newer_messages, ...message } = posted
  addMessages(projectId, number, [...newer_messages, message])
  if (message.delivery.status === 'scheduled' && !order.sendAt) lookWhenSent(projectId, number)
  return posted
}

/** The stream tells it as well; this is for when there is none. */
function lookWhenSent(projectId: string, number: string): void {
  setTimeout(() => void loadNewer(projectId, number), (undoSeconds + 2) * 1000)
}

export async function retrySending(message: Message): Promise<void> {
  const path = { project_id: message.workspace_id, message_id: message.id }
  try {
    patchMessage(
      message,
      await take(api.POST('/projects/{project_id}/messages/{message_id}/retry', { params: { path } })),
    )
  } catch (failure) {
    tellFailure(asFailure(failure))
  }
}

/** A waiting message goes out at once. */
export async function sendNow(message: Message): Promise<void> {
  const path = { project_id: message.workspace_id, message_id: message.id }
  const address = '/projects/{project_id}/messages/{message_id}/reschedule'
  try {
    patchMessage(message, await take(api.POST(address, { params: { path }, body: { send_at: null } })))
  } catch (failure) {
    tellFailure(asFailure(failure))
  }
}
