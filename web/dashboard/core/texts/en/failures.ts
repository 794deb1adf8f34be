/** Error messages, with what to do. */
export const failure = {
  offline: 'Can’t reach Deskbell. Check your connection. What you typed is still here.',
  fields: 'Check the highlighted fields.',
  storageFull:
    'The server’s disk is full, so nothing was saved. Ask your administrator to free disk space, then try again.',
  /** For responses without a code. */
  statuses: {
    404: 'Not found. It may have been deleted.',
    408: 'The request took too long. Try again.',
    412: 'Someone else has saved changes. Reload the page, then try again.',
    413: 'This is too large. Split it into smaller parts.',
  } as Record<number, string>,
  unknown: (status: number) => `Something went wrong (${status}). Try again.`,
  wait: (seconds: number | null) =>
    seconds === null
      ? 'Too many attempts. Wait a few minutes, then try again.'
      : `Too many attempts. Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
  attemptsLeft: (count: number) =>
    count === 0
      ? 'No attempts left. Wait a few minutes, then sign in again.'
      : `${count} attempt${count === 1 ? '' : 's'} left.`,
  request: (id: string) => `Request ${id}`,
  copyRequest: 'Copy request ID',
  title: 'Something went wrong on this page',
  about:
    'The rest of Deskbell still works. Reload the page. If that doesn’t help, contact your administrator.',
  reload: 'Reload',
  updatedTitle: 'Deskbell has been updated',
  updated: 'Reload the page to continue.',
  missingTitle: 'Page not found',
  missing: 'Check the address. The page may have been moved or deleted.',
  home: 'Go to home page',
  forbiddenTitle: 'You don’t have access to this page',
  forbidden: 'Need it? Ask an admin of your project.',
}

/** Limits of the value that was refused. */
interface Limits {
  max_length?: number
  min_length?: number
  le?: number
  ge?: number
}

/** By the type of a problem with one field. */
export const problems = {
  missing: 'Required',
  string_too_short: ({ min_length = 1 }: Limits) =>
    min_length === 1 ? 'Required' : `Too short. Use at least ${min_length} characters.`,
  string_too_long: ({ max_length }: Limits) => `Too long. Use at most ${max_length} characters.`,
  too_short: ({ min_length }: Limits) => `Too few. Use at least ${min_length}.`,
  too_long: ({ max_length }: Limits) => `Too many. Use at most ${max_length}.`,
  less_than_equal: ({ le }: Limits) => `Too large. Use at most ${le}.`,
  greater_than_equal: ({ ge }: Limits) => `Too small. Use at least ${ge}.`,
  string_pattern_mismatch: 'Wrong format',
  email: 'Enter a valid email address.',
  value_error: 'Invalid value',
  enum: 'Choose an option from the list.',
  datetime_parsing: 'Enter a date.',
  int_type: 'Enter a whole number.',
  int_parsing: 'Enter a whole number.',
  float_type: 'Enter a number.',
  float_parsing: 'Enter a number.',
  json_invalid: 'Invalid value',
}

/** By the reason of a VALIDATION_ERROR. */
export const reasons = {
  taken: 'Already in use. Choose another.',
  unknown: 'This no longer exists. Choose another.',
  too_short: 'Too short',
  too_long: 'Too long',
  slug_taken: 'Already in use. Choose another.',
  not_a_sender: 'Enter an address such as ann@example.com, or a domain such as example.com.',
  not_a_slug: 'Use letters and digits only.',
  not_a_language_tag: 'Enter a language tag such as en or pt-BR.',
  not_a_picture: 'Choose a PNG, JPEG, WebP, GIF or AVIF image.',
  picture_too_large: 'Choose a picture up to 1 MB.',
  not_an_amount: 'Enter an amount such as 29.00.',
  not_an_address: 'Enter a URL that starts with https:// or http://.',
  blocked_address: 'This address is in a blocked network. Use a public address.',
  not_found: 'Not found. Choose another.',
  no_time_between: 'Hours can’t start and end at the same time. Change or remove them.',
  not_a_bot_token: 'Enter the token as @BotFather shows it, such as 123456789:AAH….',
  bot_token_refused: 'Telegram does not accept this token. Copy it again from @BotFather.',
  bot_not_reached: 'The server does not answer. Check the address.',
  other_bot: 'This token belongs to another bot. Add that bot instead.',
  not_a_domain: 'Enter a domain such as shop.example.',
  not_a_timezone: 'Enter a time zone such as Europe/Berlin.',
  same_key: 'Two questions have the same key. Change one of them.',
  same: 'Choose a different one.',
  last_translation: 'An article needs at least one language.',
  required: 'Required',
  not_an_email: 'Enter a valid email address.',
  no_imap_login: 'This mailbox is not fetched with a login. Choose another login.',
  no_smtp_url: 'This server can’t send email itself. Choose another way.',
  other_provider: 'This server belongs to another provider than the sign-in. Choose a login of its own.',
  sends_letters:
    'Deskbell sends its own emails, such as invites, from this address. Replies to them would become tickets, so use another address.',
  not_for_department:
    'Only a view that is shared with a department has a department. Share it with one, or leave this empty.',
  not_shared: 'Only shared items can belong to a department.',
  is_fetched: 'Mail of this folder is fetched. Choose another folder.',
  not_internal: 'You can mention people only in internal notes.',
  too_many: 'Too many. Remove some.',
  no_emoji: 'Choose a single emoji.',
  all_messages: 'This is the whole conversation. At least one message must stay in the ticket.',
  already_sent: 'This message was already sent. Edit it instead.',
  no_chat: 'This contact has no chat in this channel, or has blocked it. Choose another channel.',
  with_id: 'Choose a contact or create one, not both.',
  not_failed: 'Only a failed message can be sent again.',
  not_forwardable: 'This message can’t be forwarded.',
  in_the_past: 'This time has passed. Choose a later one.',
  not_on_hold: 'Put the ticket on hold to set a time.',
  merged: 'This ticket was merged into another one. Use that ticket.',
  newer_messages: 'There are new messages. Read them, then send yours.',
  mailbox_address: 'Remove the addresses of your own mailboxes.',
  mailbox_cannot_send: 'This mailbox doesn’t send email. Choose another.',
  not_by_email: 'Only public replies in email tickets are sent by email.',
  own_sender: 'Mailboxes and operators can’t be blocked.',
  own_address: 'Mailboxes and operators can’t be participants.',
  other_contact: 'These tickets belong to different contacts.',
  being_handled: 'This email is being handled. Try again in a moment.',
  message_deleted: 'The message of this email was deleted.',
  no_sender: 'This email names no sender, so it cannot become a message. You can read its source.',
  not_stored: 'The original email is no longer stored.',
  system_message: 'System messages can’t be edited.',
  identifier_taken: 'Another record already has this. Use that record, or merge the two.',
  domain_taken: 'This domain belongs to another organization. Remove it there first.',
  public_mail_domain:
    'Anyone can get an address at this domain. Enter a domain that only this organization uses.',
  wrong_type: 'Wrong type of value',
  already_verified: 'This is already verified.',
  code_expired: 'This code is no longer valid. Send a new one.',
  wrong_code: 'Wrong code. Check it, or send a new one.',
  not_an_email_identity: 'Only email addresses can be verified with a code.',
  not_an_identity: 'This isn’t valid for the selected type. Check the value.',
  unknown_field: 'One of the fields no longer exists. Start over.',
  no_option: 'Choose one of the options.',
  too_large: 'Too many custom fields, or too much text in them',
  unknown_event: 'This event no longer exists. Choose another.',
  event_expired: 'This event is no longer stored, so it can’t be sent again.',
  delivery_pending: 'This event is already waiting to be sent.',
  webhook_inactive: 'This webhook is off. Turn it on first.',
  takes_too_long: 'This search takes too long. Add a filter, or try again in a moment.',
  in_the_future: 'Reload the page, then try again.',
  idempotency_key_reused: 'Reload the page, then try again.',
  record_deleted: 'What this request created has since been deleted.',
}
