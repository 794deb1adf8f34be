import type { paths } from '../api.d.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import { showFailure } from '../core/notice.ts'
import { patchMessage } from './cache.ts'
import { type DraftPlace, draftOf, type EmailValues, type MessageDraft, setDraft } from './draft.ts'
import { loadMentionable, notifiedIn } from './notified.ts'
import { addMessages, loadNewer, type Message } from './queries.ts'

type Reply =
  paths['/projects/{project_id}/tickets/{ticket_id}/messages']['post']['requestBody']['content']['application/json']

/** The server's limit. */
export const maxMessageLength = 65_536

/**
 * The seconds in which a reply can be undone: as set for the project, and none while the visitor is in the
 * chat.
 */
export const undoSecondsOf = ({ send_at, created_at }: Pick<Message, 'send_at' | 'created_at'>): number =>
  send_at ? Math.round((Date.parse(`${send_at}Z`) - Date.parse(`${created_at}Z`)) / 1_000) : 0

export interface Order {
  place: DraftPlace
  number: string
  draft: MessageDraft
  replyToId: string | null
  /** Null if it is not sent by email. */
  email: EmailValues | null
  sendAt?: string
  afterReply?: Reply['after_reply']
  /** The newest message on the screen. Without it, the server does not check for newer ones. */
  lastSeenId?: string
}

const toReply = ({ place, draft, replyToId, email, sendAt, afterReply, lastSeenId }: Order): Reply => ({
  content: draft.content,
  content_format: 'markdown',
  media_ids: draft.files.flatMap(({ media }) => media?.id ?? []),
  is_internal: place.isInternal,
  reply_to_id: replyToId,
  ...(place.isInternal
    ? { mentions: notifiedIn(place, draft) }
    : sendAt
      ? { send_at: sendAt }
      : { can_undo: true }),
  ...(email && { email: { ...email, subject: email.subject || null } }),
  ...(afterReply && { after_reply: afterReply }),
  ...(lastSeenId && { last_seen_message_id: lastSeenId, unless_newer: true }),
})

const withoutSeen = ({ last_seen_message_id, unless_newer, ...rest }: Reply): string => JSON.stringify(rest)

/**
 * The request to send. The server may have received an earlier one whose response was lost. While the text is
 * unchanged, it is repeated with its key, so that it is not posted twice.
 */
function attemptOf(order: Order): { key: string; body: string } {
  const reply = toReply(order)
  const { attempt } = draftOf(order.place).get()
  if (attempt && withoutSeen(JSON.parse(attempt.body) as Reply) === withoutSeen(reply)) return attempt
  return { key: newId(), body: JSON.stringify(reply) }
}

async function post(order: Order): Promise<Shape<'PostedReply'>> {
  const path = { project_id: order.place.projectId, ticket_id: order.number }
  await loadMentionable(order.place, order.draft.content)
  const attempt = attemptOf(order)
  setDraft(order.place, { attempt })
  try {
    return await take(
      api.POST('/projects/{project_id}/tickets/{ticket_id}/messages', {
        params: { path },
        headers: { 'idempotency-key': attempt.key },
        body: JSON.parse(attempt.body) as Reply,
      }),
    )
  } catch (thrown) {
    if (!asFailure(thrown).isOffline) setDraft(order.place, { attempt: null })
    throw thrown
  }
}

/** Posts the draft, and shows it in the conversation. */
export async function sendDraft(order: Order): Promise<Shape<'PostedReply'>> {
  const { number } = order
  const { projectId } = order.place
  const posted = await post(order)
  const { newer_messages, ...message } = posted
  addMessages(projectId, number, [...newer_messages, message])
  if (message.delivery.status === 'scheduled' && !order.sendAt)
    lookWhenSent(projectId, number, undoSecondsOf(message))
  return posted
}

/** The stream reports it too; this is for when there is no stream. */
export function lookWhenSent(projectId: string, number: string, seconds: number): void {
  setTimeout(() => void loadNewer(projectId, number), (seconds + 2) * 1000)
}

export async function retrySending(message: Message): Promise<void> {
  const path = { project_id: message.workspace_id, message_id: message.id }
  try {
    patchMessage(
      message,
      await take(api.POST('/projects/{project_id}/messages/{message_id}/retry', { params: { path } })),
    )
  } catch (failure) {
    showFailure(asFailure(failure))
  }
}

/** Sends a waiting message at once. */
export async function sendNow(message: Message): Promise<void> {
  const path = { project_id: message.workspace_id, message_id: message.id }
  const address = '/projects/{project_id}/messages/{message_id}/reschedule'
  try {
    patchMessage(message, await take(api.POST(address, { params: { path }, body: { send_at: null } })))
  } catch (failure) {
    showFailure(asFailure(failure))
  }
}
