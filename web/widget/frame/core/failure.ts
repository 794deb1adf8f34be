/** A failed call. Status 0 means that the server was not reached. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  /** Seconds to wait, if the server gives them. */
  readonly retryAfter: number

  constructor(status: number, code = '', retryAfter = 0) {
    super(code || `status ${status}`)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }

  /** Whether the same call may succeed a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** A response arrived after the visitor who sent the request has left. */
export class VisitorChanged extends Failure {
  constructor() {
    super(0, 'OVERTAKEN')
  }
}

export async function readFailure(answer: Response): Promise<Failure> {
  const body = (await answer.json().catch(() => null)) as { error_code?: string; code?: string } | null
  const retryAfter = Number(answer.headers.get('retry-after')) || 0
  return new Failure(answer.status, body?.error_code ?? body?.code ?? '', retryAfter)
}

export const asFailure = (error: unknown): Failure => (error instanceof Failure ? error : new Failure(0))
