/** Why a value that fits the schema cannot be accepted. `docs/errors.md` has the whole text, `error_message` the first sentence. */

/** The possible values of `detail.reason` in VALIDATION_ERROR. */
export const reasonTexts: Record<string, string> = {
  all_messages: 'These are all messages of the ticket. Leave at least one in it.',
  already_verified: 'The identity is already verified.',
  already_sent: 'The message has already been sent. Edit it instead.',
  being_handled: 'The email is being handled. Wait until its state is no longer `stored`.',
  blocked_address: 'The URL points to a network that projects on this server may not access.',
  code_expired: 'The code is no longer valid. Send a new one.',
  delivery_pending:
    'The event already has a pending delivery: `pending_delivery_id`. Wait until it has finished.',
  domain_taken:
    'The domain in `domain` belongs to another organization: `organization_id`. Remove it there first.',
  event_expired: 'The event is no longer stored, so it cannot be delivered again.',
  idempotency_key_reused:
    'The `Idempotency-Key` was already used for a different request: another method, path, query or body.',
  record_deleted:
    'What the first request with this `Idempotency-Key` created has been deleted. To create it again on purpose, use a new key.',
  identifier_taken:
    'The identifier belongs to another record, such as the contact in `contact_id` or the message in `message_id`.',
  in_the_future:
    'The cursor is beyond the end of the log, which is in `last_seq`: it belongs to another project, or the database was restored from an older backup. Start again from `last_seq` or from 0.',
  in_the_past:
    'The time in `snoozed_until` has already passed. A `send_at` in the past is not an error: the message is sent immediately.',
  last_translation: 'An article needs at least one translation; delete the article instead.',
  message_deleted: 'The message of this email was deleted, so it is not created again.',
  mailbox_address:
    "Addresses of the project's mailboxes cannot be recipients, because the email would come back. Leave out those in `addresses`.",
  mailbox_cannot_send: 'The mailbox does not send email. Choose another one, or set up sending for it.',
  merged: 'The ticket was merged into another one, whose id is in `merged_into_id`. Use that ticket.',
  newer_messages:
    'Others have written since this message. `message_ids` lists their messages: read them, then post again with the newest id.',
  not_a_domain: 'Not a domain such as `shop.example`.',
  no_option:
    'The value is not one of the options of the custom field. `key` names the field, `options` lists its options.',
  not_a_language_tag: 'Not a language tag such as `en` or `pt-BR`.',
  not_a_picture: 'The file is not a PNG, JPEG, WebP, GIF or AVIF image; `content_type` is its detected type.',
  not_a_sender: 'Not an email address such as `ann@example.com`, or a domain such as `example.com`.',
  not_a_slug: 'It has no characters that a URL can contain. Use letters and digits.',
  not_an_address:
    'Not a URL that starts with http:// or https:// and has no user, password, query or fragment.',
  not_an_email_identity: 'A code can be sent only to an email address.',
  not_an_identity: 'Not a value that an identity of this type can have.',
  not_an_amount: 'Not a valid amount in this currency; `message` says why.',
  not_by_email:
    'Only public messages in tickets with the channel `email` are sent by email. Leave out this field.',
  no_chat: 'The contact has no chat in this channel, or has blocked it. Choose another channel.',
  not_failed:
    'Only a message that failed for all or some of its recipients can be sent again; `status` is the status of this one.',
  not_found:
    'No record in this project with this id can be used here. `ids` lists the files; those in `already_used` belong to another message: upload them again.',
  no_sender: 'The email names no sender, so it cannot become a message. Open its source instead.',
  not_stored: 'The original email is no longer stored.',
  not_forwardable:
    'System messages and messages that have not been sent yet cannot be forwarded. Choose another message.',
  not_on_hold: '`snoozed_until` can be used only with the status `on_hold`.',
  other_contact: 'The tickets belong to different contacts; use `force` to merge them anyway.',
  own_address: 'Addresses of mailboxes and operators cannot be participants. Leave out those in `addresses`.',
  own_sender: 'Mailboxes and operators of the project cannot be blocked.',
  picture_too_large: 'The picture is larger than `max_bytes`.',
  public_mail_domain:
    'Anyone can get an address in the domain `domain`, so its users are not one organization. Leave it out.',
  required: 'Required; must not be empty.',
  same: 'A record cannot be merged into itself.',
  slug_taken: 'Another record already has this slug; choose a different one.',
  system_message: 'A system message cannot be edited.',
  takes_too_long:
    'The server would have to read more than it can in 5 seconds, such as every message that contains the words in `q`. Narrow the list with `field` or another filter, or retry in a moment: reading the same data a second time is faster.',
  too_large:
    'The record would have too many custom fields, or too much text in them: `max_keys` and `max_characters` are the limits.',
  too_many: 'Too many items. `max` is the limit.',
  unknown_field: 'Contacts have no such field. `unknown` lists the unknown names, `valid` the existing ones.',
  unknown_event:
    'There is no event with this name. `unknown` lists the unknown names, `valid` the existing ones.',
  with_id:
    'The contact is chosen by `id`. Leave out the other fields of `contact`, and change the contact separately.',
  wrong_code: 'The code is wrong. Check it, or send a new one.',
  wrong_type:
    'The value has the wrong type for the custom field. `key` names the field, `type` is its type: a `date` is a string such as `2026-01-31`.',
  webhook_inactive: 'The webhook is disabled; enable it first.',
}

/** Further reasons that only the dashboard's API uses. */
export const dashboardReasonTexts: Record<string, string> = {
  bot_not_reached: 'The Bot API server did not answer correctly; `text` says why.',
  bot_token_refused: 'Telegram does not accept the token. Copy it again from @BotFather.',
  is_fetched: 'Mail of this folder is fetched. Choose another folder.',
  no_emoji: 'A reaction must be a single emoji.',
  no_imap_login: 'The mailbox has no IMAP server whose login could be used. Choose another method.',
  no_smtp_url: 'SMTP_URL is not set, so email cannot be sent through it.',
  no_time_between: 'Hours cannot start and end at the same time.',
  not_a_bot_token: 'Not a token such as `123456789:AAH…`, as @BotFather shows it.',
  not_a_timezone: 'Not the name of a time zone such as `Europe/Berlin`.',
  not_an_email: 'Not an email address.',
  not_for_department: 'Set `visibility` to `department`, or leave out `department_id`.',
  not_internal: 'People can be mentioned only in internal notes.',
  not_shared: 'Personal items cannot belong to a department.',
  other_bot: 'The token belongs to another bot. Add that bot instead.',
  other_provider:
    'This server does not belong to the provider of the sign-in. Choose a login of its own, or send the refresh token again.',
  same_key: 'Two fields have the same `key`.',
  sends_letters:
    'The installation sends its own emails from this address (MAIL_FROM), so replies to them would become tickets. Use another address for the mailbox.',
}

const words: Record<string, string> = { ...reasonTexts, ...dashboardReasonTexts }

/** A message for people: what is wrong, and with which field. */
export function describeRefusal(field: string, reason: string): string {
  const [sentence = ''] = words[reason]?.split(/(?<=\.) /) ?? []
  return `${sentence.replaceAll('`', '').replace(/\.$/, '')} (${field})`
}
