import { text } from './text.ts'

interface Problem {
  type: string
  loc: (string | number)[]
  msg: string
  ctx?: object
}

/** A failed call, in one form for all shapes of error responses. */
export class Failure extends Error {
  /** 0 if there was no response. */
  readonly status: number
  readonly code: string
  /** Errors by field; `contact.email` for a nested field. */
  readonly fields: Record<string, string>
  /** The id for a search in the server's log. */
  readonly requestId: string | null
  readonly detail: unknown
  /** Seconds to wait, if the server gives them. */
  readonly retryAfter: number | null

  constructor(status: number, body: unknown, headers: Headers = new Headers()) {
    const told = (body ?? {}) as { error_code?: string; code?: string; request_id?: string; detail?: unknown }
    const retryAfter = Number(headers.get('retry-after')) || null
    super(sentenceOf(status, body, retryAfter))
    this.status = status
    this.code = told.error_code ?? told.code ?? ''
    this.detail = told.detail
    this.fields = fieldsOf(told.detail, this.message)
    this.requestId = told.request_id ?? headers.get('x-request-id')
    this.retryAfter = retryAfter
  }

  get isOffline(): boolean {
    return this.status === 0 || (this.status >= 502 && this.status <= 504)
  }
}

function sentenceOf(status: number, body: unknown, retryAfter: number | null): string {
  if (status === 0) return text.failure.offline
  const { error_code, error_message, code, message, detail, attempts_left } = (body ?? {}) as Record<
    string,
    unknown
  >
  if (status === 429) return text.failure.wait(retryAfter ?? secondsIn(message))
  if (hasReason(detail, 'storage_full')) return text.failure.storageFull
  const known = text.codes[String(error_code ?? code) as keyof typeof text.codes]
  if (known)
    return typeof attempts_left === 'number' ? `${known} ${text.failure.attemptsLeft(attempts_left)}` : known
  if (Array.isArray(detail)) return text.failure.fields
  const why = reasonOf(detail as Refusal)
  if (why) return why
  if (!error_code && !code && text.failure.statuses[status]) return text.failure.statuses[status]
  // Only for a code or a reason that this page does not know, such as one of a newer server: the server's sentence, in English.
  const said = (detail as Refusal)?.message ?? error_message ?? message ?? detail
  return typeof said === 'string' && said ? said : text.failure.unknown(status)
}

interface Refusal {
  field?: string
  reason?: string
  message?: string
}

const hasReason = (detail: unknown, reason: string): boolean => (detail as Refusal)?.reason === reason

/** Of NOT_POSSIBLE or of VALIDATION_ERROR. */
function reasonOf(detail: Refusal | null | undefined): string | undefined {
  const reason = detail?.reason ?? ''
  return (
    text.notPossible[reason as 'balance_low']?.(detail as object) ??
    text.reasons[reason as keyof typeof text.reasons]
  )
}

/** For responses that give the seconds in the message only. */
const secondsIn = (message: unknown): number | null =>
  Number(/\b(\d+) second/.exec(String(message))?.[1]) || null

/** Reads the list of problems, or the one field of a VALIDATION_ERROR. */
function fieldsOf(detail: unknown, sentence: string): Record<string, string> {
  if (Array.isArray(detail)) {
    const problems = (detail as Problem[]).filter(({ loc }) => loc[0] === 'body' && loc.length > 1)
    return Object.fromEntries(problems.map(problem => [problem.loc.slice(1).join('.'), wordsOf(problem)]))
  }
  const { field } = (detail ?? {}) as Refusal
  return field ? { [field]: sentence } : {}
}

function wordsOf({ type, loc, msg, ctx = {} }: Problem): string {
  const words =
    type === 'value_error' && loc.at(-1) === 'email'
      ? text.problems.email
      : text.problems[type as keyof typeof text.problems]
  if (typeof words === 'function') return words(ctx)
  // Only for a type that this page does not know: the server's sentence, in English.
  return words ?? `${msg}.`
}

export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : new Failure(-1, { message: (thrown as Error)?.message })
