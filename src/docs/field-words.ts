/** Descriptions of fields with ambiguous names: by name, or by `Schema.field` if they differ. */
const words: Record<string, string> = {
  _links: 'URLs for GET, relative to the address of this server',
  attempts_log: 'Every attempt, oldest first',
  attempts: 'Number of attempts so far',
  breached: 'The deadlines that were missed',
  channel:
    'Where it came from: `api`, `email`, `telegram`, `widget`, `custom:<name>`, `phone`, `walk_in`; more values may be added',
  closed_by: 'Who closed it; null while it is open',
  comment: 'Posted as a message',
  'TicketRating.comment': 'Stored as `rating_comment`, and included in the system message about the rating',
  'TicketRatedData.comment': 'The `rating_comment` of the ticket',
  'TicketReopening.comment': 'Posted as an internal note',
  conflicts: 'Identifiers in the request that belong to another contact and were left there',
  consecutive_failures: 'Failed deliveries in a row; after 5 the webhook is disabled',
  contact_identity:
    'How the visitor was identified as the contact: `proved` by the site, only `typed` by the visitor, or `none`. Null if it did not come from the chat',
  content: 'The content as it was sent, in the format of `content_format`',
  content_html: 'The content as HTML that is safe to display',
  created: 'Whether the contact is new',
  custom_fields: 'Your own fields: strings, numbers, booleans, or lists of these',
  delivered: 'Whether the target answered with a 2xx status in time',
  delivery: 'The delivery of the message to the contact',
  'Delivery.status': '`cancelled`: the webhook was disabled or deleted before the delivery was sent',
  'Delivery.attempts': 'Number of attempts so far, at most 6',
  duration: 'Seconds; always null, because Deskbell does not open audio and video files',
  error: 'What went wrong, such as `timeout`; null on success',
  external_id: 'The id that the record has in your own system',
  key_id:
    'The API key that posted it; null for all other messages, and for messages from before this was recorded',
  'Message.external_id': 'Your own id of the message; a second message with the same id is not created',
  'NewMessage.external_id': 'Your own id of the message; a second message with the same id is not created',
  first_bot_reply_at:
    'When a bot first wrote to the contact through the API; null if none did, and for tickets from before this was recorded',
  first_reply_at:
    'When an operator first wrote to the contact, not counting notes, bots and system messages; null if none did',
  follow_up_of_id: 'The closed ticket that this one continues',
  force: 'Merge the tickets even if they belong to different contacts',
  has_more: 'Whether there is a next page',
  internal_id: 'The same as `id`',
  into_contact_id: 'The contact that remains',
  into_ticket_id: 'The ticket that remains: its `id` or `short_id`',
  is_blocked: 'Whether new tickets for the contact are refused',
  is_internal: 'Whether it is a note for operators, which the contact never sees',
  is_spam: 'Whether it is marked as spam; lists omit spam unless they ask for it',
  is_test: 'Whether it was sent by the test operation',
  is_verified: 'Whether it has been proved that the identity belongs to the contact',
  'EventMedia.kind': 'The kind of file, for displaying it',
  'Media.kind': 'The kind of file, for displaying it',
  'MessageMedia.kind': 'The kind of file, for displaying it',
  language: 'A BCP 47 language tag, such as `en`',
  last_message: 'The newest message that is not a system message; null if there is none',
  latency_ms: 'Milliseconds until the response, or until the attempt was abandoned',
  media_ids: 'Ids of uploaded files that do not belong to a message yet',
  merged_into_id: 'The record that this one was merged into; null if it was not merged',
  next_cursor: 'The `cursor` for the next request; null on the last page',
  note: 'For operators; the contact never sees it',
  over_limit: 'Whether it was created after the monthly limit had been used up',
  page: 'Null if the request had a `cursor`',
  pages: 'Null with `cursor` and with `count=false`',
  preview: 'The first 140 characters as plain text',
  reply_to_id: 'The message of the same ticket to which this one replies',
  redelivery_of_id: 'The delivery that this one repeats; null if it is the first one',
  reopened_count: 'How many times it was reopened',
  resolution_secs:
    'Whole seconds from creation to the last closing, by the clock: nights, snoozes and the time between an earlier closing and its reopening are included; null while it is open',
  sender_id: 'The id of the contact or operator; of the project for `bot`, null for `system`',
  sender_type: '`bot`: posted through the API; `system`: recorded by Deskbell itself',
  'NewMessage.sender_name': "The bot's name in this message; the project's name by default",
  short_id: 'The number of the ticket in its project, for people: decimal digits, never reused',
  signature_header: 'The `X-Webhook-Signature` that was sent',
  size: 'Bytes',
  sla: 'The deadlines for replies and the resolution',
  snoozed_until: 'When a ticket that is `on_hold` becomes `open` automatically',
  'Contact.source': 'Where the contact came from',
  'CreatedContact.source': 'Where the contact came from',
  'Import.source': 'The name of the import',
  'Ticket.status':
    '`new`: nobody has answered yet; `open`: waiting for you; `pending`: waiting for the contact; `on_hold`: waiting for somebody else',
  status_code: 'HTTP status of the response; null if there was none',
  last_status_code: 'HTTP status of the newest response; null if there was none',
  system:
    'What a system message records; null for other messages. If an operator wrote down what a contact said, `kind` is `written_down`, and `data` has the operator. Otherwise `kind` is one of `ticket_closed`, `ticket_reopened`, `ticket_rated`, `ticket_merged`, ' +
    '`ticket_unmerged`, `ticket_assigned`, `ticket_transferred`, `ticket_force_taken`, `ticket_split`, `ticket_split_off`, `message_moved`, ' +
    '`message_moved_here`, `loop_suspected`, `automatic_email_held`, `subject_changed`, `delivery_failed`, `delivery_delayed`, `spam_complaint`, ' +
    '`transcript_sent`; more may be added. ' +
    '`data` depends on `kind`',
  telegram_id: 'The numeric id of the Telegram account',
  timezone: 'An IANA time zone, such as `Europe/Berlin`',
  total:
    'Counted up to 10,000; null with `cursor`, with `count=false`, and if counting the matches of `q` would take more than a second',
  total_capped: 'True if there are more than 10,000',
  updated_at: 'Time of the last change',
  'Ticket.updated_at': 'Time of the last change, or of the newest message if it is later',
  version:
    'Increases with every change to the record itself, so new messages do not increase the version of a ticket; for `If-Match`',
  waiting_since:
    "Time of the contact's first message since the last operator reply, not counting bots and notes; null if the contact is not waiting. Closing the ticket ends the wait",
  workspace_id: 'Id of the project',
}

export const fieldWords = (owner: string, field: string): string | undefined =>
  words[`${owner}.${field}`] ?? (Object.hasOwn(words, field) ? words[field] : undefined)
