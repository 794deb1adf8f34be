import type { MessageEntity } from '@grammyjs/types'
import { badRequest } from './refusals.ts'

/** What the Bot API requires of entities: "Offset in UTF-16 code units to the start of the entity", "Length of the entity in UTF-16 code units". */

const kinds = new Set([
  ...['mention', 'hashtag', 'cashtag', 'bot_command', 'url', 'email', 'phone_number'],
  ...['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'blockquote', 'expandable_blockquote'],
  ...['code', 'pre', 'text_link', 'text_mention', 'custom_emoji', 'date_time'],
])

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Whether a position is between the two halves of a surrogate pair. */
const splitsPair = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  isHighSurrogate(text.charCodeAt(at - 1)) &&
  !isHighSurrogate(text.charCodeAt(at))

function checkBounds(text: string, { offset, length }: MessageEntity): void {
  const isWhole = Number.isInteger(offset) && Number.isInteger(length)
  if (!isWhole || offset < 0 || length <= 0 || offset + length > text.length)
    throw badRequest('ENTITY_BOUNDS_INVALID')
  if (splitsPair(text, offset) || splitsPair(text, offset + length)) throw badRequest('ENTITY_BOUNDS_INVALID')
}

/** "If two entities have common characters, then either one is fully contained inside the other or they don't have common characters." */
function overlapsPartly(one: MessageEntity, other: MessageEntity): boolean {
  const [first, second] = one.offset <= other.offset ? [one, other] : [other, one]
  const end = first.offset + first.length
  return second.offset < end && second.offset + second.length > end && second.offset > first.offset
}

const isCode = ({ type }: MessageEntity): boolean => type === 'code' || type === 'pre'
const isQuote = ({ type }: MessageEntity): boolean => type.endsWith('blockquote')

const contains = (outer: MessageEntity, inner: MessageEntity): boolean =>
  outer !== inner &&
  outer.offset <= inner.offset &&
  outer.offset + outer.length >= inner.offset + inner.length

/** "blockquote and expandable_blockquote entities can't be nested." "pre and code entities can't contain any other entities". */
function checkNesting(outer: MessageEntity, inner: MessageEntity): void {
  if (overlapsPartly(outer, inner)) throw badRequest("can't parse entities: entities overlap")
  if (!contains(outer, inner)) return
  if (isCode(outer)) throw badRequest("can't parse entities: code can't contain other entities")
  if (isQuote(outer) && isQuote(inner)) throw badRequest("can't parse entities: blockquotes can't be nested")
}

/** "entities: List of special entities that appear in message text, which can be specified instead of parse_mode". */
export function checkEntities(text: string, entities: MessageEntity[] = []): void {
  for (const entity of entities) {
    if (!kinds.has(entity.type)) throw badRequest(`unsupported entity type "${entity.type}"`)
    checkBounds(text, entity)
    if (entity.type === 'text_link' && !/^(https?|tg|mailto|tel):/i.test(entity.url))
      throw badRequest('ENTITY_TEXTURL_INVALID')
  }
  for (const [at, entity] of entities.entries())
    for (const other of entities.slice(at + 1)) {
      checkNesting(entity, other)
      checkNesting(other, entity)
    }
}
