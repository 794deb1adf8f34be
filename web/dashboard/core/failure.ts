import { text } from './text.ts'

interface Problem {
  type: string
  loc: (string | number)[]
  msg: string
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
    this.fields = fieldsOf(told.detail)
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
  const known = text.codes[String(error_code ?? code) as keyof typeof text.codes]
  if (known)
    return typeof attempts_left === 'number' ? `${known} ${text.failure.attemptsLeft(attempts_left)}` : known
  if (Array.isArray(detail)) return text.failure.fields
  const reason = error_code === 'NOT_POSSIBLE' && (detail as { reason?: string })?.reason
  if (reason) return `${reason}.`
  const said = error_message ?? message ?? detail
  return typeof said === 'string' && said ? said : text.failure.unknown(status)
}

/** For responses that give the seconds in the message only. */
const secondsIn = (message: unknown): number | null =>
  Number(/\b(\d+) second/.exec(String(message))?.[1]) || null

/** Reads the list of problems, or the one field of a VALIDATION_ERROR. */
function fieldsOf(detail: unknown): Record<string, string> {
  if (Array.isArray(detail)) {
    const problems = (detail as Problem[]).filter(({ loc }) => loc[0] === 'body' && loc.length > 1)
    return Object.fromEntries(problems.map(problem => [problem.loc.slice(1).join('.'), wordsOf(problem)]))
  }
  const { field, reason } = (detail ?? {}) as { field?: string; reason?: string }
  return field ? { [field]: text.reasons[reason as keyof typeof text.reasons] ?? reason ?? '' } : {}
}

const wordsOf = ({ type, msg }: Problem): string =>
  text.problems[type as keyof typeof text.problems] ?? `${msg}.`

export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : new Failure(-1, { message: (thrown as Error)?.message })
