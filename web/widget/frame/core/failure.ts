/** A call that did not go well. Status 0: the server was not reached. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  /** Seconds to wait, where the server says so. */
  readonly retryAfter: number

  constructor(status: number, code = '', retryAfter = 0) {
    super(code || `status ${status}`)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }

  /** Whether the same call may go well a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}

/** The answer came, and whoever asked has left: it is nobody's any more. */
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
