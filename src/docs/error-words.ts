import type { Brief, PublicCode } from '../core/errors.ts'
import { sampleId } from '../core/sample.ts'

interface Words {
  when: string
  /** An example of `detail`; null if it is always null. */
  detail: Record<string, unknown> | null
}

/** The explanation of each code in addition to its status and text. A code without an explanation does not compile. */
export const codeWords: Record<PublicCode, Words> = {
  TICKET_NOT_FOUND: {
    when: 'The project has no ticket with this `id` or `short_id`. A ticket of another project counts as missing.',
    detail: null,
  },
  CONTACT_NOT_FOUND: {
    when: 'The project has no contact with this id or identifier.',
    detail: null,
  },
  ORGANIZATION_NOT_FOUND: {
    when: 'The project has no organization with this `id`.',
    detail: null,
  },
  IDENTITY_NOT_FOUND: {
    when: 'The contact has no identity with this type and value.',
    detail: null,
  },
  MESSAGE_NOT_FOUND: {
    when: 'The project, or the ticket in the path, has no such message. This also applies to `after_id` and `before_id`.',
    detail: null,
  },
  CATEGORY_NOT_FOUND: {
    when: 'The knowledge base of the project has no category with this `id` or slug.',
    detail: null,
  },
  ARTICLE_NOT_FOUND: {
    when: 'The project has no such article, or the article is not public: it is a draft, archived or internal.',
    detail: null,
  },
  PLAN_FEATURE_UNAVAILABLE: {
    when: 'The plan of the project does not include this feature. Deskbell checks this before it looks anything up.',
    detail: { feature: 'knowledge_base' },
  },
  DELETION_NOT_FOUND: {
    when: 'The project has no deletion with this `id`.',
    detail: null,
  },
  IMPORT_NOT_FOUND: {
    when: 'The project has no import with this name, or it has been removed.',
    detail: null,
  },
  IMPORT_REMOVING: {
    when: 'An import with this name is being removed, so nothing can be imported under it.',
    detail: null,
  },
  CONTACT_MERGE_FINAL: {
    when: 'The merge of contacts cannot be undone. `reason`: the contact is `not_merged`, or the merge was already undone; the merge is `too_old` (more than 7 days), or Deskbell made it automatically; or the contact that remained has since been `merged` into another one: undo that merge first.',
    detail: { reason: 'too_old' },
  },
  MAIL_NOT_SENT: {
    when: 'The email with the code could not be sent. `reason`: `not_set_up` if SMTP_URL is not set, `refused` if the mail server did not accept the email.',
    detail: { reason: 'not_set_up' },
  },
  CONTACT_BLOCKED: {
    when: 'A ticket is created for a contact whose `is_blocked` is true.',
    detail: null,
  },
  TICKET_LIMIT_REACHED: {
    when: "The plan's tickets for this calendar month (UTC) are used up.",
    detail: { limit: 100, used: 100, resets_at: '2026-02-01T00:00:00.000000' },
  },
  TICKET_ALREADY_CLOSED: {
    when: 'The ticket is already closed, and the request closes it again, by the close operation or by `status: closed`.',
    detail: null,
  },
  TICKET_INVALID_STATUS_TRANSITION: {
    when: 'The ticket cannot change from its current status to this one; `allowed` lists the possible statuses, `use` names the call that reopens a closed ticket. A merged ticket cannot be reopened (`reason: merged`).',
    detail: {
      field: 'status',
      reason: 'transition_not_allowed',
      from: 'closed',
      to: 'pending',
      allowed: ['open'],
      use: 'POST /api/v1/tickets/{ticket_id}/reopen',
    },
  },
  CHANGE_NOT_UNDOABLE: {
    when: 'Changes of this kind cannot be undone. `reason`: the ticket was `created` or `rated`; it is `merged` into another one; an `other_operation` undoes the change, such as undoing a merge; or the change is only `estimated`.',
    detail: { reason: 'created' },
  },
  MEDIA_TOO_LARGE: {
    when: 'The uploaded file has more than 209,715,200 bytes. The connection is closed after the response, unless the whole body had arrived by then.',
    detail: { max_bytes: 209_715_200 },
  },
  MEDIA_UPLOAD_FAILED: {
    when: 'The file could not be stored: the disk is full (`detail.reason` is then `storage_full`) or the bucket failed. Nothing was stored; retry with increasing delays.',
    detail: null,
  },
  CHANNEL_NOT_FOUND: {
    when: 'The project has no custom channel with this `id` or name.',
    detail: null,
  },
  CHANNEL_PAUSED: {
    when: 'The custom channel is paused. The program should post the message again after the channel is resumed.',
    detail: null,
  },
  MESSAGE_EMPTY: {
    when: 'A message or a comment is blank and has no file, or an edit is blank.',
    detail: null,
  },
  VALIDATION_ERROR: {
    when: 'A value fits the schema but cannot be accepted: `field` names it and `reason` says why.',
    detail: { field: 'media_ids', reason: 'not_found', ids: [sampleId('media')] },
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 1 MiB.',
    detail: { max_bytes: 1_048_576 },
  },
  RATE_LIMIT_EXCEEDED: {
    when: 'The budget of the key for this minute is used up, or that of the address for requests without a valid key. Also if more calls of `GET /updates` wait than the settings allow (`reason: too_many_waiting`), or more requests are in progress than the server can answer soon (`reason: overloaded`), or a call of an import has waited too long for another call with the same source (`reason: import_busy`). `Retry-After` has the same number of seconds.',
    detail: { retry_after: 17 },
  },
  INTERNAL_ERROR: {
    when: 'Something unexpected happened; the server\'s log has details under the `request_id`. Retry with increasing delays. If the disk is full, `detail` is `{"reason": "storage_full"}`: ask the server\'s administrator to free disk space.',
    detail: null,
  },
}

export const briefWords: Record<Brief, string> = {
  bad_request: 'The server cannot read the request as HTTP.',
  contact_unidentified: 'The ticket or contact to create has neither `telegram_id` nor `email`.',
  key_missing: 'There is no `Authorization` header.',
  key_invalid:
    'The key is wrong, disabled or deleted, does not begin with `sk_`, its project is suspended, or the word `Bearer` is missing before it.',
  not_found: 'No operation has this path.',
  webhook_not_found: 'The project has no such webhook.',
  mail_not_found: 'The mail log of the project has no such email.',
  operator_not_found: 'The project has no operator with this id.',
  sender_rule_not_found: 'The project has no such sender rule.',
  delivery_not_found: 'The webhook has no such delivery.',
  file_not_found:
    'The project has no such file, the file has no such thumbnail, or the link to it has expired or was changed.',
  range_unsatisfiable:
    'The `Range` begins after the end of the file; `Content-Range` has the size of the file.',
  method_not_allowed:
    'The path exists but does not support this method; the header `Allow` lists the supported ones.',
  request_timeout:
    'The request did not arrive within 60 seconds. An upload may take 15 minutes, as long as it brings 64 KiB every 30 seconds.',
  stale: 'The version in `If-Match` is not the current one, which the response returns in `ETag`.',
  headers_too_large: 'The headers are larger than the server accepts.',
  storage_unavailable: "The disk or bucket with the file is unavailable; the server's log says why.",
}
