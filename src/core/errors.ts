import { describeRefusal } from './reasons.ts'

/** Every error code of the common envelope, with its status and text. The source of `docs/errors.md`. */
export const codes = {
  TICKET_NOT_FOUND: [404, 'Ticket not found'],
  CONTACT_NOT_FOUND: [404, 'Contact not found'],
  MESSAGE_NOT_FOUND: [404, 'Message not found'],
  CATEGORY_NOT_FOUND: [404, 'Category not found'],
  ARTICLE_NOT_FOUND: [404, 'Article not found'],
  PLAN_FEATURE_UNAVAILABLE: [403, 'The plan of the project does not include this feature'],
  CONTACT_BLOCKED: [403, 'The contact is blocked; unblock it before you create tickets for it'],
  TICKET_LIMIT_REACHED: [403, 'The monthly ticket limit of the plan is used up'],
  TICKET_ALREADY_CLOSED: [409, 'The ticket is already closed'],
  TICKET_INVALID_STATUS_TRANSITION: [422, 'The ticket cannot move to this status'],
  MEDIA_TOO_LARGE: [413, 'The file is larger than 200 MB'],
  MESSAGE_EMPTY: [422, 'A message needs content or at least one file'],
  VALIDATION_ERROR: [422, 'A value of the request is not acceptable; see detail'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is larger than 1 MiB'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests; try again after Retry-After seconds'],
  MEDIA_UPLOAD_FAILED: [502, 'The file could not be stored; try again'],
  INTERNAL_ERROR: [500, 'Unexpected server error; report the request_id to whoever runs this server'],
} as const satisfies Record<string, readonly [number, string]>

/** Codes that only the dashboard's API uses. */
export const dashboardCodes = {
  SESSION_REQUIRED: [401, 'Sign in to go on'],
  SECOND_FACTOR_REQUIRED: [403, 'This project wants a second factor; set one up in your account'],
  ROLE_REQUIRED: [403, 'Your role does not allow this; ask an owner or an admin of the project'],
  CROSS_SITE: [403, 'The request comes from another site; open the dashboard at its own address'],
  PROJECT_NOT_FOUND: [404, 'Project not found'],
  SETTINGS_CHANGED: [412, 'Somebody else has saved this meanwhile; compare the two and save again'],
  NOT_POSSIBLE: [409, 'This cannot be done now; see detail.reason'],
  FEATURE_OFF: [404, 'This installation does not use this'],
  KEY_NOT_FOUND: [404, 'API key not found'],
  TAG_NOT_FOUND: [404, 'Tag not found'],
  TAG_EXISTS: [409, 'The project has a tag of this name already; merge the two instead'],
  EXPORT_NOT_FOUND: [404, 'Export not found'],
  PROJECT_SUSPENDED: [403, 'The project is suspended; ask whoever runs this server'],
  LINK_NOT_FOUND: [404, 'This link is not known here; look whether the whole of it was copied'],
  LINK_EXPIRED: [410, 'This link is too old; ask for a new one'],
  LINK_USED: [410, 'This link has been used already; sign in, or ask for a new one'],
  SIGN_IN_FIRST: [409, 'This address has an account already; sign in to it, then open the link again'],
  PASSWORDS_OFF: [403, 'Passwords are turned off here; sign in at the provider'],
  OPERATOR_NOT_FOUND: [404, 'Operator not found'],
  OPERATOR_EXISTS: [409, 'Somebody with this e-mail address is in the project already'],
  OPERATOR_LIMIT_REACHED: [403, 'The plan has no seat for another operator; choose a larger one'],
  INVITATION_ACCEPTED: [409, 'The invitation has been accepted already'],
  INVITATION_PENDING: [409, 'The person has no account yet; send the invitation again instead'],
  RESET_NOT_ALLOWED: [403, 'The person is also in projects where you may not decide this'],
  LAST_OWNER: [409, 'A project needs an owner who can sign in; make somebody else an owner first'],
  DEPARTMENT_NOT_FOUND: [404, 'Department not found'],
  DEPARTMENT_EXISTS: [409, 'The project has a department of this name already'],
  DEFAULT_DEPARTMENT: [409, 'This is the default department; make another one the default first'],
  CUSTOM_FIELD_NOT_FOUND: [404, 'Custom field not found'],
  CUSTOM_FIELD_EXISTS: [409, 'There is a field of this key already'],
  CANNED_ANSWER_NOT_FOUND: [404, 'Canned answer not found'],
  CANNED_ANSWER_EXISTS: [409, 'There is a canned answer of this shortcut already; choose another'],
  TAB_NOT_OPEN: [404, 'This tab does not listen; open its live stream first'],
  VIEW_NOT_FOUND: [404, 'View not found'],
  TICKET_TAKEN: [409, 'Somebody else has the ticket already; take it over, or leave it'],
  MERGE_FINAL: [409, 'The merge can no longer be taken back; split the ticket instead'],
  MESSAGE_SENT: [409, 'The message has been sent already; edit it instead'],
  NEWER_MESSAGES: [409, 'Others have written meanwhile; read that, then send yours'],
} as const satisfies Record<string, readonly [number, string]>

/** Codes that only the widget's API uses. */
export const visitorCodes = {
  WIDGET_OFF: [403, 'The chat of this project is switched off; an admin switches it on in its settings'],
  VISITOR_UNKNOWN: [401, 'This token opens nothing, or no more; begin anew'],
  VISITOR_BLOCKED: [403, 'You cannot write here any more'],
  SIGNATURE_REQUIRED: [403, 'This project takes signed identities only; see detail.reason'],
  SIGNATURE_INVALID: [403, 'The signature does not fit what it signs; see detail.reason'],
  FILES_OFF: [403, 'This chat takes no files'],
  FILE_TOO_LARGE: [413, 'The file is larger than this chat takes; see detail.max_bytes'],
} as const satisfies Record<string, readonly [number, string]>

const allCodes = { ...codes, ...dashboardCodes, ...visitorCodes }

/** Errors that are answered in the brief form. */
export const briefs = {
  bad_request: [400, 'Bad Request'],
  contact_unidentified: [400, 'At least one of telegram_id, email is required'],
  key_missing: [401, 'API key is missing. Send it in the Authorization header as "Bearer <API_KEY>"'],
  key_invalid: [401, 'API key is invalid or revoked'],
  not_found: [404, 'Not Found'],
  webhook_not_found: [404, 'Webhook not found'],
  delivery_not_found: [404, 'Delivery not found'],
  file_not_found: [404, 'File not found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  request_timeout: [408, 'Request Timeout'],
  stale: [412, 'The record has changed since this version; read it again'],
  range_unsatisfiable: [416, 'Range Not Satisfiable'],
  headers_too_large: [431, 'Request Header Fields Too Large'],
  storage_unavailable: [
    502,
    'The file cannot be read right now because its storage is not responding; try again',
  ],
} as const satisfies Record<string, readonly [number, string]>

export type PublicCode = keyof typeof codes
export type Code = keyof typeof allCodes
export type Brief = keyof typeof briefs

/** A rule refuses the request: the common envelope. */
export class ApiError extends Error {
  readonly code: Code
  readonly detail: Record<string, unknown> | null
  readonly headers: Record<string, string>
  constructor(
    code: Code,
    detail: Record<string, unknown> | null = null,
    headers: Record<string, string> = {},
    message: string = allCodes[code][1],
  ) {
    super(message)
    this.code = code
    this.detail = detail
    this.headers = headers
  }
  get status(): number {
    return allCodes[this.code][0]
  }
}

/** The request fails before any rule is applied: `{"detail": text}`. */
export class BriefError extends Error {
  readonly brief: Brief
  readonly headers: Record<string, string>
  constructor(brief: Brief, headers: Record<string, string> = {}) {
    super(briefs[brief][1])
    this.brief = brief
    this.headers = headers
  }
  get status(): number {
    return briefs[this.brief][0]
  }
}

/** If-Match has a different version than the current one, which is in the ETag. */
export const stale = ({ version }: { version: number }) => new BriefError('stale', { etag: `"${version}"` })

export function requireVersion(sent: number | null, current: { version: number }): void {
  if (sent !== null && sent !== current.version) throw stale(current)
}

/** Maintenance mode: specification §7.4. */
export class MaintenanceError extends Error {
  readonly body = {
    error_code: 'MAINTENANCE_MODE',
    error_message: 'The platform is under maintenance; try again in some minutes',
  }
}

export interface Problem {
  type: string
  loc: (string | number)[]
  msg: string
  input: unknown
  ctx?: Record<string, unknown>
}

/** Characters of JSON, so that an error never sends a megabyte back. */
const maxEchoLength = 1_000

function echo(input: unknown): unknown {
  const text = JSON.stringify(input)
  return text !== undefined && text.length <= maxEchoLength ? input : null
}

/** The request does not fit the schema: `{"detail": [problem, …]}`. */
export class InvalidRequest extends Error {
  readonly problems: Problem[]
  constructor(problems: (Omit<Problem, 'input'> & { input?: unknown })[]) {
    super('The request does not fit the schema')
    this.problems = problems.map(({ type, loc, msg, input, ctx }) => ({
      ...{ type, loc, msg, input: echo(input) },
      ...(ctx && { ctx }),
    }))
  }
}

export const invalidHeader = (name: string, type: string, msg: string, input: unknown): InvalidRequest =>
  new InvalidRequest([{ type, loc: ['header', name], msg, input }])

export const invalidQuery = (name: string, msg: string, input: unknown): InvalidRequest =>
  new InvalidRequest([{ type: 'value_error', loc: ['query', name], msg, input }])

/** A value fits the schema but cannot be accepted. */
export const refuse = (field: string, reason: string, more: Record<string, unknown> = {}): ApiError =>
  new ApiError('VALIDATION_ERROR', { field, reason, ...more }, {}, describeRefusal(field, reason))
