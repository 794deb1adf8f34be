import type { Brief, PublicCode } from '../core/errors.ts'
import { sampleId } from '../core/sample.ts'

interface Words {
  when: string
  /** What `detail` holds, shown on an example; null when it is always null. */
  detail: Record<string, unknown> | null
}

/** What a person wants to know about each code beyond its status and text. A code without words does not compile. */
export const codeWords: Record<PublicCode, Words> = {
  TICKET_NOT_FOUND: {
    when: 'The project has no ticket with this `id` or `short_id`. A ticket of another project counts as missing.',
    detail: null,
  },
  CONTACT_NOT_FOUND: {
    when: 'The project has no such contact, whichever way it is named.',
    detail: null,
  },
  MESSAGE_NOT_FOUND: {
    when: 'The project, or the ticket of the path, has no such message. `after_id` and `before_id` are looked up too.',
    detail: null,
  },
  CATEGORY_NOT_FOUND: {
    when: 'The knowledge base of the project has no category with this `id` or slug.',
    detail: null,
  },
  ARTICLE_NOT_FOUND: {
    when: 'The project has no such article, or one that the public may not see: a draft, an archived or an internal one.',
    detail: null,
  },
  PLAN_FEATURE_UNAVAILABLE: {
    when: 'The plan of the project lacks what the operation belongs to; this is told before anything is looked up.',
    detail: { feature: 'knowledge_base' },
  },
  CONTACT_BLOCKED: {
    when: 'A ticket is created for a contact whose `is_blocked` is true.',
    detail: null,
  },
  TICKET_LIMIT_REACHED: {
    when: "A ticket is created after the plan's tickets of this calendar month (UTC) are used up.",
    detail: { limit: 100, used: 100, resets_at: '2026-02-01T00:00:00.000000' },
  },
  TICKET_ALREADY_CLOSED: {
    when: 'A closed ticket is closed, by the close operation or by `status: closed`.',
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
  MEDIA_TOO_LARGE: {
    when: 'A file of more than 209,715,200 bytes is uploaded. The connection is closed after the answer, unless the whole body had arrived by then.',
    detail: { max_bytes: 209_715_200 },
  },
  MEDIA_UPLOAD_FAILED: {
    when: 'The file could not be stored: the disk is full (`detail.reason` is then `storage_full`) or the bucket failed. Nothing was kept; retry with growing pauses.',
    detail: null,
  },
  MESSAGE_EMPTY: {
    when: 'A message or a comment is blank and has no file, or an edit is blank.',
    detail: null,
  },
  VALIDATION_ERROR: {
    when: 'A value fits the schema and still cannot be taken: `field` names it and `reason` says why.',
    detail: { field: 'media_ids', reason: 'not_found', ids: [sampleId('media')] },
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 1 MiB.',
    detail: { max_bytes: 1_048_576 },
  },
  RATE_LIMIT_EXCEEDED: {
    when: "The key's budget of this minute is used up, or the address's for requests without a working key. Also when more calls of `GET /updates` wait than the settings allow (`reason: too_many_waiting`), or more requests are under way than the server can answer soon (`reason: overloaded`). `Retry-After` gives the same seconds.",
    detail: { retry_after: 17 },
  },
  INTERNAL_ERROR: {
    when: 'Something unexpected; the server\'s log has it under the `request_id`. Retry with growing pauses. If the disk is full, `detail` is `{"reason": "storage_full"}`: ask the server\'s administrator to free disk space.',
    detail: null,
  },
}

export const briefWords: Record<Brief, string> = {
  bad_request: 'What arrived is not HTTP that the server can read.',
  contact_unidentified: 'A ticket or a contact is created with neither `telegram_id` nor `email`.',
  key_missing: 'There is no `Authorization` header.',
  key_invalid:
    'The key is wrong, disabled or deleted, does not begin with `sk_`, or its project is suspended; or the word `Bearer` is missing before it.',
  not_found: 'No operation has this path.',
  webhook_not_found: 'The project has no such webhook.',
  delivery_not_found: 'The webhook has no such delivery.',
  file_not_found:
    'The project has no such file, or the file has no such picture, or the link to it is over or was changed.',
  range_unsatisfiable: 'The `Range` begins behind the end of the file; `Content-Range` says how long it is.',
  method_not_allowed:
    'The path exists and does not take this method; the header `Allow` lists those it takes.',
  request_timeout:
    'The request did not arrive within 60 seconds. An upload may take 15 minutes, as long as it brings 64 KiB every 30 seconds.',
  stale: 'The version in `If-Match` is not the current one, which the response returns in `ETag`.',
  headers_too_large: 'The headers are larger than the server takes.',
  storage_unavailable: 'The disk or bucket with the file is unavailable; the log of the server says why.',
}
