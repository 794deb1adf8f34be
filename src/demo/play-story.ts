import { isOneOf } from '../core/objects.ts'
import { saveDraft } from '../drafts/drafts.ts'
import { addReaction } from '../messages/messages.ts'
import type { TicketChange } from '../tickets/schema.ts'
import { priorities, ticketStatuses } from '../tickets/status.ts'
import {
  changeTicket,
  closeTicket,
  createTicket,
  mergeTicket,
  openTicket,
  rateTicket,
  reopenTicket,
  replyToTicket,
  takeTicket,
  transferTicket,
} from '../tickets/tickets.ts'
import { apiCaller, as, type DemoState, minutesOf, recordMade, setClock } from './demo-state.ts'
import { authorOf, findLastOfOthers, type Scene, type Story, sayAsContact } from './scene.ts'

type Verb = (stage: DemoState, scene: Scene) => Promise<unknown>

function requireWord<T extends string>(word: string, words: readonly T[]): T {
  if (isOneOf(word, words)) return word
  throw new Error(`"${word}" in a story should be one of ${words.join(', ')}`)
}

const change = (stage: DemoState, { who, ticketId }: Scene, fields: TicketChange) =>
  changeTicket(stage.tx, who === 'contact' ? apiCaller(stage) : as(stage, who), ticketId, fields, null)

const write = (stage: DemoState, { who, words, ticketId }: Scene, more: object = {}) =>
  replyToTicket(stage.tx, as(stage, who), ticketId, { content: words, content_format: 'markdown', ...more })

/** The operators that the note mentions by their first names. */
const mentionsOf = ({ people }: DemoState, words: string): string[] =>
  [...people.values()].flatMap(({ id, name }) => (words.includes(`@${firstName(name)}`) ? [id] : []))

const react: Verb = async (stage, scene) =>
  addReaction(stage.tx, authorOf(stage, scene), await findLastOfOthers(stage, scene), scene.words)

/** Replies to the last message of another person. */
const answer: Verb = async (stage, scene) => {
  const reply_to_id = await findLastOfOthers(stage, scene)
  return scene.who === 'contact'
    ? sayAsContact(stage, scene, { reply_to_id })
    : write(stage, scene, { reply_to_id })
}

/** The words before and after `|`. */
const divide = (words: string): [string, string] => {
  const [first = '', ...rest] = words.split(' | ')
  return [first, rest.join()]
}

const inMinutes = (text: string): string => new Date(Date.now() + minutesOf(text) * 60_000).toISOString()

const verbs: Record<string, Verb> = {
  say: (stage, scene) => (scene.who === 'contact' ? sayAsContact(stage, scene) : write(stage, scene)),
  show: (stage, scene) => {
    const [pictures, words] = divide(scene.words)
    return sayAsContact(stage, { ...scene, words }, { pictures: pictures.split(', ') })
  },
  by: (stage, scene) => {
    const [name, words] = divide(scene.words)
    return sayAsContact(stage, { ...scene, words }, { name })
  },
  answer,
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
  const { id: contactId, email, name: full_name } = stage.contacts.get(from)!
  const department = to && { department_id: stage.departments.get(to)! }
  const ticket = { subject, priority, tags, custom_fields, content: words, ...department }
  const owner = { id: contactId, name: full_name, isBlocked: false }
  const contact = { email, full_name, ...(language && { language }) }
  const id = story.telegram
    ? await openTicket(stage.tx, apiCaller(stage), owner, { ...ticket, channel: 'telegram' })
    : (await createTicket(stage.tx, apiCaller(stage), { ...ticket, contact })).id
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
