import type { Caller } from '../core/endpoint.ts'
import { keepUpload } from '../media/upload.ts'
import { addMessage, attachLockedMedia, draftMessage, lockMediaForMessage } from '../messages/messages.ts'
import type { NewTicket } from '../tickets/schema.ts'
import { changeTicket, getTicket } from '../tickets/tickets.ts'
import { apiCaller, as, type DemoState } from './demo-state.ts'

/** The stories of the demo, and what their contacts say. */

export interface Story {
  key?: string
  subject: string
  from: string
  /** How long ago it began, such as `3d 4h`. */
  ago: string
  to?: string
  priority?: NewTicket['priority']
  tags?: string[]
  fields?: Record<string, string>
  language?: string
  unread?: boolean
  /** Whether it was written to the project's bot in Telegram. */
  telegram?: boolean
  /** Lines of the form `who [verb] [+delay]: words`. The first line is the contact's. */
  talk: Record<string, string>[]
}

export interface Scene {
  ticketId: string
  story: Story
  /** The author, by the name in the script. */
  who: string
  words: string
}

interface Said {
  /** Names of pictures. Several become an album. */
  pictures?: string[]
  reply_to_id?: string | null
  /** The sender's name, if the contact is a group. */
  name?: string
}

/** Writes a message of the contact. */
export async function sayAsContact(
  stage: DemoState,
  scene: Scene,
  { pictures = [], reply_to_id = null, name }: Said = {},
): Promise<void> {
  const { tx } = stage
  const contact = stage.contacts.get(scene.story.from)!
  const files = []
  for (const picture of pictures) files.push(await keepUpload(tx, tx.projectId, stage.pictures.get(picture)!))
  const { media } = await lockMediaForMessage(
    tx,
    files.map(({ id }) => id),
  )
  const draft = draftMessage({
    ticket_id: scene.ticketId,
    sender_type: 'contact',
    sender_id: contact.id,
    sender_name: name ?? contact.name,
    content: scene.words,
    media,
    reply_to_id,
  })
  await addMessage(tx, draft)
  await attachLockedMedia(tx, draft)
  const { status } = await getTicket(tx, tx.projectId, scene.ticketId)
  if (status === 'pending') await changeTicket(tx, apiCaller(stage), scene.ticketId, { status: 'open' }, null)
}

export const authorOf = (stage: DemoState, { who, story }: Scene): Caller => {
  if (who !== 'contact') return as(stage, who)
  const { id, name } = stage.contacts.get(story.from)!
  return { project: stage.project, actor: { type: 'contact', id, name, visitor_id: id } }
}

/** The last message of another person. */
export async function findLastOfOthers(stage: DemoState, scene: Scene): Promise<string> {
  const { tx } = stage
  const [row] = await tx<{ id: string }[]>`
    select id from messages where project_id = ${tx.projectId} and ticket_id = ${scene.ticketId}
      and sender_type in ('contact', 'operator') and sender_id <> ${authorOf(stage, scene).actor.id}
    order by created_at desc limit 1`
  return row!.id
}
