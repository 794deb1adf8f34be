import type { Message } from '@grammyjs/types'
import { formatText } from './format-text.ts'

/** Describes received messages of every kind as text. */

type Kind = keyof Message

const mapUrl = (latitude: number, longitude: number): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`

const place = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `📍 ${latitude}, ${longitude}\n${mapUrl(latitude, longitude)}`

/** Kinds of messages that have no text. The first matching entry describes the message. */
const describers: [Kind, (message: Message) => string][] = [
  ['venue', ({ venue }) => (venue ? `${venue.title}\n${venue.address}\n${place(venue.location)}` : '')],
  ['location', ({ location }) => (location ? place(location) : '')],
  [
    'contact',
    ({ contact }) =>
      contact
        ? `👤 ${[contact.first_name, contact.last_name].filter(Boolean).join(' ')} ${contact.phone_number}`
        : '',
  ],
  [
    'poll',
    ({ poll }) =>
      poll ? [`📊 ${poll.question}`, ...poll.options.map(({ text }) => `- ${text}`)].join('\n') : '',
  ],
  ['dice', ({ dice }) => (dice ? `${dice.emoji} ${dice.value}` : '')],
  ['sticker', ({ sticker }) => sticker?.emoji ?? ''],
  [
    'checklist',
    ({ checklist }) =>
      checklist ? [checklist.title, ...checklist.tasks.map(({ text }) => `- ${text}`)].join('\n') : '',
  ],
]

/** Fields that any kind of message can have. */
const commonFields = new Set<string>([
  ...[
    'message_id',
    'message_thread_id',
    'from',
    'sender_chat',
    'sender_boost_count',
    'sender_business_bot',
    'date',
  ],
  ...[
    'business_connection_id',
    'chat',
    'forward_origin',
    'is_topic_message',
    'is_automatic_forward',
    'quote',
  ],
  ...[
    'reply_to_message',
    'external_reply',
    'reply_to_story',
    'via_bot',
    'edit_date',
    'has_protected_content',
  ],
  ...[
    'is_from_offline',
    'media_group_id',
    'author_signature',
    'entities',
    'caption_entities',
    'reply_markup',
  ],
  ...[
    'link_preview_options',
    'effect_id',
    'show_caption_above_media',
    'has_media_spoiler',
    'paid_star_count',
  ],
  ...['text', 'caption', 'sender_tag', 'direct_messages_topic', 'is_paid_post', 'reply_to_checklist_task_id'],
  ...['forward_from', 'forward_from_chat', 'forward_date', 'forward_sender_name', 'forward_from_message_id'],
  ...['photo', 'animation', 'document', 'video', 'video_note', 'voice', 'audio', 'live_photo'],
])

/** Fields of messages that report an event in the chat and contain nothing that a person wrote. */
const serviceFields = new Set<string>([
  ...['new_chat_members', 'left_chat_member', 'new_chat_title', 'new_chat_photo', 'delete_chat_photo'],
  ...['group_chat_created', 'supergroup_chat_created', 'channel_chat_created', 'pinned_message'],
  ...['message_auto_delete_timer_changed', 'migrate_to_chat_id', 'migrate_from_chat_id', 'boost_added'],
  ...['forum_topic_created', 'forum_topic_edited', 'forum_topic_closed', 'forum_topic_reopened'],
  ...['general_forum_topic_hidden', 'general_forum_topic_unhidden', 'write_access_allowed'],
  ...['video_chat_scheduled', 'video_chat_started', 'video_chat_ended', 'video_chat_participants_invited'],
  ...['chat_background_set', 'proximity_alert_triggered', 'connected_website', 'community_chat_added'],
  ...['community_chat_joined', 'community_chat_removed', 'chat_owner_left', 'chat_owner_changed'],
])

const ownFields = (message: Message): string[] => Object.keys(message).filter(name => !commonFields.has(name))

/** Whether a message only reports an event in the chat. */
export const isServiceMessage = (message: Message): boolean =>
  message.text === undefined && ownFields(message).some(name => serviceFields.has(name))

const isFile = ({ photo, animation, document, video, video_note, voice, audio }: Message): boolean =>
  [photo, animation, document, video, video_note, voice, audio].some(one => one !== undefined)

export interface DescribedText {
  content: string
  /** Null if plain text is enough. */
  content_html: string | null
}

/** Names kinds that Deskbell does not know, such as new ones, so that no message is lost. */
function describeOther(message: Message): string {
  const known = describers.find(([kind]) => message[kind] !== undefined)
  if (known) return known[1](message)
  if (isFile(message)) return ''
  return `[${ownFields(message).join(', ').replaceAll('_', ' ') || 'message'}]`
}

export function describeMessage(message: Message): DescribedText {
  const { text, entities, caption, caption_entities } = message
  const written = text ?? caption
  if (written === undefined || written === '') return { content: describeOther(message), content_html: null }
  return {
    content: written,
    content_html: formatText(written, text === undefined ? caption_entities : entities),
  }
}
