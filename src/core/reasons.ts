/** Why a value that fits the schema cannot be taken: in `docs/errors.md` as a whole, in `error_message` the first sentence. */

/** What may stand in `detail.reason` of VALIDATION_ERROR. */
export const reasonWords: Record<string, string> = {
  already_sent: 'The message has been sent already. Edit it instead.',
  blocked_address: 'The address leads into a network that this server does not open to projects.',
  delivery_pending:
    'The event still waits for its next attempt, in the delivery of `pending_delivery_id`. Wait until that has ended.',
  event_expired: 'The event of the delivery is no longer kept, so it cannot be sent again.',
  idempotency_key_reused:
    'The `Idempotency-Key` was used before with another request: another method, path, query or body.',
  identifier_taken:
    'The identifier belongs to another record: to the contact of `contact_id`, or to the message of `message_id`.',
  in_the_future:
    'The cursor is beyond the end of the log, which stands in `last_seq`: it belongs to another project, or the database was put back to an earlier state. Begin anew from there or from 0.',
  in_the_past:
    'The time of `snoozed_until` is over already. A `send_at` that is over is no error: the message is sent at once.',
  last_translation: 'An article has one text at least; delete the article instead.',
  merged: 'The ticket is merged into another, whose id stands in `merged_into_id`. Use that one.',
  newer_messages:
    'Others have written since this message. `message_ids` lists what they wrote: read it, then post with the newest one.',
  no_option: 'The value is none of the options of the custom field. `key` names it, `options` lists them.',
  not_a_language_tag: 'Not a language tag such as `en` or `pt-BR`.',
  not_a_picture: 'The file is no PNG, JPEG, WebP, GIF or AVIF; `content_type` says what its bytes are.',
  not_a_slug: 'Nothing of it can stand in an address; use letters and digits.',
  not_an_address:
    'Not an address that begins with http:// or https://, without user, password, query and fragment.',
  not_an_amount: 'Not an amount of this currency; `message` says why.',
  not_failed: 'Only a failed message can be sent again; `status` says what this one is.',
  not_found:
    'The id names nothing in this project that can be used here. `ids` lists the files; those of `already_used` belong to another message: upload them again.',
  not_on_hold: '`snoozed_until` goes with the status `on_hold` only.',
  other_contact: 'The tickets belong to two contacts; `force` merges them all the same.',
  picture_too_large: 'The picture is larger than `max_bytes`.',
  required: 'It may not be empty.',
  same: 'A record cannot be merged into itself.',
  slug_taken: 'Another record has this slug; choose another one.',
  system_message: 'A system message cannot be edited.',
  takes_too_long:
    'The server would have to read more than it can in 5 seconds, such as every message with the words of `q`. Narrow the list by `field` or another filter, or ask again in a moment: what was read once is quicker to read again.',
  too_large:
    'The custom fields would be more or longer than a record may hold: `max_keys` and `max_characters` say how much that is.',
  unknown_event:
    'There is no event of this name. `unknown` lists the names that do not exist, `valid` those that do.',
  wrong_type:
    'The custom field takes values of another type. `key` names it, `type` says which: a `date` is a text such as `2026-01-31`.',
  webhook_inactive: 'The webhook is switched off; switch it on first.',
}

/** The same for what only the dashboard asks. */
export const dashboardReasonWords: Record<string, string> = {
  no_emoji: 'A reaction is one emoji.',
  no_time_between: 'The hours of a day begin and end at the same time.',
  not_a_domain: 'Not a host such as `shop.example` or `*.shop.example`.',
  not_a_timezone: 'Not the name of a time zone such as `Europe/Berlin`.',
  not_an_email: 'Not an e-mail address.',
  not_internal: 'People are mentioned in internal notes only.',
  not_shared: 'What is personal belongs to no department.',
  same_key: 'Two fields have the same `key`.',
  too_many: 'There are too many. `max` says how many there may be.',
}

const words: Record<string, string> = { ...reasonWords, ...dashboardReasonWords }

/** For people: what is wrong, and with which field. */
export function describeRefusal(field: string, reason: string): string {
  const [sentence = ''] = words[reason]?.split(/(?<=\.) /) ?? []
  return `${sentence.replaceAll('`', '').replace(/\.$/, '')} (${field})`
}
