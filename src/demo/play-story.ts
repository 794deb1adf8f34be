import { isOneOf } from '../core/objects.ts'
import { saveDraft } from '../drafts/drafts.ts'
import { keepUpload } from '../media/upload.ts'
import {
  addMessage,
  addReaction,
  attachLockedMedia,
  draftMessage,
  lockMediaForMessage,
} from '../messages/messages.ts'
import type { NewTicket, TicketChange } from '../tickets/schema.ts'
import { priorities, ticketStatuses } from '../tickets/status.ts'
import {
  changeTicket,
  closeTicket,
  createTicket,
  getTicket,
  mergeTicket,
  rateTicket,
  reopenTicket,
  replyToTicket,
  takeTicket,
  transferTicket,
} from '../tickets/tickets.ts'
import { apiCaller, as, type DemoState, minutesOf, recordMade, setClock } from './demo-state.ts'

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
  /** Lines of the form `who [verb] [+delay]: words`. The first line is the contact's. */
  talk: Record<string, string>[]
}

interface Scene {
  ticketId: string
  story: Story
  /** The author, by the name in the script. */
  who: string
  words: string
}

type Verb = (stage: DemoState, scene: Scene) => Promise<unknown>

function requireWord<T extends string>(word: string, words: readonly T[]): T {
  if (isOneOf(word, words)) return word
  throw new Error(`"${word}" in a story should be one of ${words.join(', ')}`)
}

const change = (stage: DemoState, { who, ticketId }: Scene, fields: TicketChange) =>
  changeTicket(stage.tx, who === 'contact' ? apiCaller(stage) : as(stage, who), ticketId, fields, null)

async function sayAsContact(stage: DemoState, scene: Scene, picture?: string): Promise<void> {
  const { tx } = stage
  const { id, name } = stage.contacts.get(scene.story.from)!
  const file = picture && (await keepUpload(tx, tx.projectId, stage.pictures.get(picture)!))
  const { media } = await lockMediaForMessage(tx, file ? [file.id] : [])
  const draft = draftMessage({
    ticket_id: scene.ticketId,
    sender_type: 'contact',
    sender_id: id,
    sender_name: name,
    content: scene.words,
    media,
  })
  await addMessage(tx, draft)
  await attachLockedMedia(tx, draft)
  const { status } = await getTicket(tx, tx.projectId, scene.ticketId)
  if (status === 'pending') await changeTicket(tx, apiCaller(stage), scene.ticketId, { status: 'open' }, null)
}

const write = (stage: DemoState, { who, words, ticketId }: Scene, more: object = {}) =>
  replyToTicket(stage.tx, as(stage, who), ticketId, { content: words, content_format: 'markdown', ...more })

/** The operators that the note mentions by their first names. */
const mentionsOf = ({ people }: DemoState, words: string): string[] =>
  [...people.values()].flatMap(({ id, name }) => (words.includes(`@${firstName(name)}`) ? [id] : []))

/** Adds a reaction to the last message of another person. */
async function react(stage: DemoState, { who, words, ticketId }: Scene): Promise<void> {
  const { tx } = stage
  const [row] = await tx<{ id: string }[]>`
    select id from messages where project_id = ${tx.projectId} and ticket_id = ${ticketId}
      and sender_type in ('contact', 'operator') and sender_id <> ${stage.people.get(who)!.id}
    order by created_at desc limit 1`
  await addReaction(tx, as(stage, who), row!.id, words)
}

const inMinutes = (text: string): string => new Date(Date.now() + minutesOf(text) * 60_000).toISOString()

const verbs: Record<string, Verb> = {
  say: (stage, scene) => (scene.who === 'contact' ? sayAsContact(stage, scene) : write(stage, scene)),
  show: (stage, scene) => {
    const [picture = '', ...words] = scene.words.split(' | ')
    return sayAsContact(stage, { ...scene, words: words.join() }, picture)
  },
  note: (stage, scene) =>
    write(stage, scene, { is_internal: true, mentions: mentionsOf(stage, scene.words) }),
  draft: ({ tx, ...stage }, { who, words, ticketId }) =>
    saveDraft(tx, as({ tx, ...stage }, who), ticketId, { content: words, version: 0, force: true }),
  take: (stage, { who, ticketId }) => takeTicket(stage.tx, as(stage, who), ticketId),
  transfer: (stage, { who, words, ticketId }) =>
    transferTicket(stage.tx, as(stage, who), ticketId, { department_id: stage.departments.get(words)! }),
  assign: (stage, scene) => change(stage, scene, { operator_id: stage.people.get(scene.words)!.id }),
  priority: (stage, scene) => change(stage, scene, { priority: requireWord(scene.words, priorities) }),
  status: (stage, scene) => change(stage, scene, { status: requireWord(scene.words, ticketStatuses) }),
  snooze: (stage, scene) => change(stage, scene, { snoozed_until: inMinutes(scene.words) }),
  spam: (stage, scene) => change(stage, scene, { is_spam: true }),
  close: (stage, { who, ticketId }) => closeTicket(stage.tx, as(stage, who), ticketId, {}),
  reopen: (stage, { who, ticketId }) => reopenTicket(stage.tx, as(stage, who), ticketId, {}),
  merge: (stage, { who, words, ticketId }) => {
    const into_ticket_id = stage.tickets.get(words)!
    return mergeTicket(stage.tx, as(stage, who), ticketId, { into_ticket_id, force: true })
  },
  rate: (stage, { words, ticketId }) => {
    const [stars, ...comment] = words.split(' ')
    const input = { rating: Number(stars), comment: comment.join(' ') || null }
    return rateTicket(stage.tx, apiCaller(stage), ticketId, input)
  },
  react,
}

async function open(stage: DemoState, story: Story, words: string): Promise<string> {
  const { subject, from, to, priority = 'normal', tags = [], fields: custom_fields = {}, language } = story
  const { email, name: full_name } = stage.contacts.get(from)!
  const { id } = await createTicket(stage.tx, apiCaller(stage), {
    contact: { email, full_name, ...(language && { language }) },
    subject,
    priority,
    tags,
    custom_fields,
    content: words,
    ...(to && { department_id: stage.departments.get(to)! }),
  })
  recordMade(stage, 'tickets', id)
  if (story.key) stage.tickets.set(story.key, id)
  return id
}

const firstName = (name: string): string => name.split(' ')[0]!

const callViewer = ({ people }: DemoState, words: string): string =>
  words.replaceAll('@me', `@${firstName(people.get('me')!.name)}`)

/** Creates one ticket through the same rules that people and programs use. */
export async function playStory(stage: DemoState, story: Story): Promise<{ ticketId: string; story: Story }> {
  let minutes = minutesOf(story.ago)
  setClock(stage, minutes)
  const [first, ...rest] = story.talk
  const ticketId = await open(stage, story, Object.values(first!)[0]!)
  for (const part of rest) {
    const [[head, words] = ['', '']] = Object.entries(part)
    const [who = '', ...others] = head.split(' ')
    const delay = others.find(word => word.startsWith('+')) ?? '+10m'
    const verb = others.find(word => word in verbs) ?? 'say'
    minutes -= minutesOf(delay.slice(1))
    if (minutes < 0) throw new Error(`The demo's ticket "${story.subject}" ends in the future`)
    setClock(stage, minutes)
    await verbs[verb]!(stage, { ticketId, story, who, words: callViewer(stage, String(words ?? '')) })
  }
  return { ticketId, story }
}
