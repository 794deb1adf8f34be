import { channelCodes, customChannelCodes, visitorCodes } from './errors-channels.ts'
import { contactCodes } from './errors-contacts.ts'
import { describeRefusal } from './reasons.ts'

/** Every error code of the common envelope, with its status and text. The source of `docs/errors.md`. */
export const codes = {
  TICKET_NOT_FOUND: [404, 'Ticket not found'],
  ...contactCodes,
  MESSAGE_NOT_FOUND: [404, 'Message not found'],
  CATEGORY_NOT_FOUND: [404, 'Category not found'],
  ARTICLE_NOT_FOUND: [404, 'Article not found'],
  PLAN_FEATURE_UNAVAILABLE: [403, 'Your plan does not include this feature. Ask an owner to upgrade.'],
  TICKET_LIMIT_REACHED: [403, 'Monthly ticket limit reached. Upgrade, or wait until next month.'],
  TICKET_ALREADY_CLOSED: [409, 'The ticket is already closed'],
  TICKET_INVALID_STATUS_TRANSITION: [422, 'The ticket cannot change to this status'],
  CHANGE_NOT_UNDOABLE: [409, 'This change cannot be undone. See detail.reason.'],
  MEDIA_TOO_LARGE: [413, 'The file is larger than 200 MB. Send a smaller file.'],
  DELETION_NOT_FOUND: [404, 'Deletion not found'],
  IMPORT_NOT_FOUND: [404, 'Import not found'],
  IMPORT_REMOVING: [
    409,
    'This import is being removed. Wait until the removal has finished, or import under another name.',
  ],
  ...customChannelCodes,
  MESSAGE_EMPTY: [422, 'A message needs content or at least one file'],
  VALIDATION_ERROR: [422, 'Invalid value in the request. See detail.'],
  PAYLOAD_TOO_LARGE: [413, 'The request body is larger than 1 MiB. Send a smaller one.'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests. Try again after the number of seconds in Retry-After.'],
  MEDIA_UPLOAD_FAILED: [502, 'The file could not be stored. Try again.'],
  INTERNAL_ERROR: [500, 'Unexpected server error. Send the request_id to your administrator.'],
} as const satisfies Record<string, readonly [number, string]>

/** Codes that only the dashboard's API uses. */
export const dashboardCodes = {
  SESSION_REQUIRED: [401, 'Sign in to continue'],
  SECOND_FACTOR_REQUIRED: [
    403,
    'This project requires two-factor authentication. Set it up in your account.',
  ],
  ROLE_REQUIRED: [403, 'Your role does not allow this. Ask an owner or admin of the project.'],
  CROSS_SITE: [403, 'This request comes from another site. Open the dashboard at its own address.'],
  PROJECT_NOT_FOUND: [404, 'Project not found'],
  SETTINGS_CHANGED: [
    412,
    'Someone else saved changes while you were editing. Compare the versions and save again.',
  ],
  NOT_POSSIBLE: [409, 'This is not possible right now. See detail.reason.'],
  FEATURE_OFF: [404, 'This feature is off on this server'],
  KEY_NOT_FOUND: [404, 'API key not found'],
  TAG_NOT_FOUND: [404, 'Tag not found'],
  TAG_EXISTS: [409, 'A tag with this name already exists. Merge the two tags instead.'],
  EXPORT_NOT_FOUND: [404, 'Export not found'],
  PROJECT_SUSPENDED: [403, 'This project is suspended. Contact your administrator.'],
  LINK_NOT_FOUND: [404, 'This link is not valid. Check that you copied the whole link.'],
  LINK_EXPIRED: [410, 'This link has expired. Ask for a new one.'],
  LINK_USED: [410, 'This link was already used. Sign in, or ask for a new one.'],
  SIGN_IN_FIRST: [409, 'This address already has an account. Sign in, then open the link again.'],
  PASSWORDS_OFF: [403, 'Password sign-in is off. Sign in with your provider.'],
  OPERATOR_NOT_FOUND: [404, 'Operator not found'],
  OPERATOR_EXISTS: [409, 'Someone with this email address is already in the project'],
  OPERATOR_LIMIT_REACHED: [403, 'Your plan has no seats left. Upgrade to add another operator.'],
  INVITATION_ACCEPTED: [409, 'This invite was already accepted'],
  INVITATION_PENDING: [409, 'This person has no account yet. Send a new invite instead.'],
  RESET_NOT_ALLOWED: [
    403,
    'This person is also in projects you do not manage. Ask the administrator of this server to reset the password.',
  ],
  LAST_OWNER: [409, 'A project needs an owner who can sign in. Make someone else an owner first.'],
  DEPARTMENT_NOT_FOUND: [404, 'Department not found'],
  DEPARTMENT_EXISTS: [409, 'A department with this name already exists. Choose another name.'],
  DEFAULT_DEPARTMENT: [409, 'This is the default department. Make another one the default first.'],
  CUSTOM_FIELD_NOT_FOUND: [404, 'Custom field not found'],
  CUSTOM_FIELD_EXISTS: [409, 'A field with this key already exists. Choose another key.'],
  ...channelCodes,
  CANNED_ANSWER_NOT_FOUND: [404, 'Canned reply not found'],
  CANNED_ANSWER_EXISTS: [409, 'A canned reply with this shortcut already exists. Choose another shortcut.'],
  TAB_NOT_OPEN: [404, 'This tab is not connected. Open its live stream first.'],
  VIEW_NOT_FOUND: [404, 'View not found'],
  TICKET_TAKEN: [409, 'This ticket is already assigned to someone else. You can take it over.'],
  MERGE_FINAL: [409, 'This merge can no longer be undone. Split the ticket instead.'],
  MESSAGE_SENT: [409, 'This message was already sent. Edit it instead.'],
  NEWER_MESSAGES: [409, 'There are new messages. Read them, then send yours.'],
} as const satisfies Record<string, readonly [number, string]>

export { visitorCodes }

const allCodes = { ...codes, ...dashboardCodes, ...visitorCodes }

/** Errors in the brief form of the body. */
export const briefs = {
  bad_request: [400, 'Bad Request'],
  contact_unidentified: [400, 'At least one of telegram_id, email is required'],
  key_missing: [401, 'API key is missing. Send it in the Authorization header as "Bearer <API_KEY>"'],
  key_invalid: [401, 'API key is invalid or revoked'],
  not_found: [404, 'Not Found'],
  webhook_not_found: [404, 'Webhook not found'],
  operator_not_found: [404, 'Operator not found'],
  delivery_not_found: [404, 'Delivery not found'],
  file_not_found: [404, 'File not found'],
  mail_not_found: [404, 'Email not found'],
  sender_rule_not_found: [404, 'Sender rule not found'],
  method_not_allowed: [405, 'Method Not Allowed'],
  request_timeout: [408, 'Request Timeout'],
  stale: [412, 'The record has changed since this version. Read it again.'],
  range_unsatisfiable: [416, 'Range Not Satisfiable'],
  headers_too_large: [431, 'Request Header Fields Too Large'],
  storage_unavailable: [502, 'The storage of this file is not responding. Try again.'],
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
    error_message: 'The platform is under maintenance. Try again in a few minutes.',
  }
}

export interface Problem {
  type: string
  loc: (string | number)[]
  msg: string
  input: unknown
  ctx?: Record<string, unknown>
}

/** Characters of JSON, so that an error never returns a megabyte of input. */
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
