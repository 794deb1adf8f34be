import type { Media, Message } from '../core/records.ts'
import { isSameDay } from '../core/time.ts'
import type { Outgoing } from './outgoing.ts'

/** A line of a conversation. */
export interface Line {
  key: string
  isMine: boolean
  name: string | null
  avatar: string | null
  /** Sanitised HTML from the server; null for a message that only this browser has. */
  html: string | null
  content: string
  media: Pick<Media, 'id' | 'filename' | 'kind'>[]
  at: string
  replyTo: string | null
  message: Message | null
  outgoing: Outgoing | null
  startsDay: boolean
  /** From another sender than the line before, or much later. */
  startsGroup: boolean
  endsGroup: boolean
}

const together = 5 * 60_000

type Plain = Omit<Line, 'startsDay' | 'startsGroup' | 'endsGroup'>

const lineOf = (message: Message): Plain => ({
  key: message.client_id ?? message.id,
  isMine: message.sender_type === 'contact',
  name: message.sender_name,
  avatar: message.sender_avatar_url,
  html: message.content_html,
  content: message.preview,
  media: message.media,
  at: message.created_at,
  replyTo: message.reply_to_id,
  message,
  outgoing: null,
})

const lineOfOutgoing = (outgoing: Outgoing): Plain => ({
  key: outgoing.client_id,
  isMine: true,
  name: null,
  avatar: null,
  html: null,
  content: outgoing.content,
  media: outgoing.media as Plain['media'],
  at: outgoing.created_at,
  replyTo: outgoing.reply_to_id ?? null,
  message: null,
  outgoing,
})

const isOneGroup = (one: Plain | undefined, next: Plain | undefined): boolean =>
  Boolean(one && next) &&
  one!.isMine === next!.isMine &&
  one!.name === next!.name &&
  isSameDay(one!.at, next!.at) &&
  Date.parse(next!.at) - Date.parse(one!.at) < together

/** Outgoing messages come last, until the server's record of them has arrived. */
export function listLines(messages: Message[], outgoing: Outgoing[]): Line[] {
  const there = new Set(messages.map(({ client_id }) => client_id))
  const plain = [
    ...messages.map(lineOf),
    ...outgoing.filter(({ client_id }) => !there.has(client_id)).map(lineOfOutgoing),
  ]
  return plain.map((line, at) => ({
    ...line,
    startsDay: at === 0 || !isSameDay(plain[at - 1]!.at, line.at),
    startsGroup: !isOneGroup(plain[at - 1], line),
    endsGroup: !isOneGroup(line, plain[at + 1]),
  }))
}
