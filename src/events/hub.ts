import { inChunks } from '../core/async/chunked.ts'
import { coalesce } from '../core/async/coalesce.ts'
import { keyOfQuery, type LogPage, type LogQuery, type ReadLog } from './log-page.ts'

/** How a wait ends: with a page, because the credential was revoked, or because maintenance began. */
export type WaitOutcome = LogPage | 'revoked' | 'maintenance'

/** What a subscriber was authorized by, such as an API key or a session. */
export interface Credential {
  /** Subscribers with the same key or session have the same id. */
  id: string
  projectId: string
}

/** Which credentials are no longer valid. */
export interface CredentialStatus {
  isMaintenance: boolean
  /** Ids of the credentials that are no longer valid. */
  revoked: ReadonlySet<string>
}

export type CheckCredentials<P extends Credential = Credential> = (
  projectId: string,
  /** Credentials of this project. */
  credentials: P[],
) => Promise<CredentialStatus>

/** A reader of the log. It subscribes before its first read, so that it misses no notification between reading and waiting. */
export interface Subscriber<P extends Credential = Credential> {
  credential: P
  query: LogQuery
  /** The page to answer with if no event arrives; null until the first read has finished. */
  page: LogPage | null
  /** A subscriber that does not leave then waits for the events after the page. */
  answer(outcome: WaitOutcome): void
}

interface Project<P extends Credential> {
  subscribers: Set<Subscriber<P>>
  /** The number of notifications so far. */
  notifications: number
  /** Reads the log for all waiting subscribers. */
  readForWaiting(): Promise<void>
}

const listWaiting = <P extends Credential>({ subscribers }: Project<P>): Subscriber<P>[] =>
  [...subscribers].filter(({ page }) => page !== null)

/** All subscribers of this process that read the log or wait for new events. */
export class Hub<P extends Credential = Credential> {
  readonly #projects = new Map<string, Project<P>>()
  readonly #read: ReadLog
  readonly #checkCredentials: CheckCredentials<P>
  readonly #checksFirst: boolean

  /**
   * With `checksFirst`, credentials are checked before each page is sent, so that events written after a credential was revoked
   * are not sent with it. That costs one more query per page.
   */
  constructor(read: ReadLog, checkCredentials: CheckCredentials<P>, { checksFirst = true } = {}) {
    this.#read = read
    this.#checkCredentials = checkCredentials
    this.#checksFirst = checksFirst
  }

  /** Returns functions to start waiting and to leave. */
  subscribe(subscriber: Subscriber<P>) {
    const { projectId } = subscriber.query
    const project = this.#projects.get(projectId) ?? this.#open(projectId)
    project.subscribers.add(subscriber)
    const notifications = project.notifications
    return {
      /** Starts to wait after a page without events. If a notification arrived during the read, the log is read again at once. */
      wait: (page: LogPage): Promise<void> => {
        advance(subscriber, page)
        return notifications === project.notifications ? Promise.resolve() : project.readForWaiting()
      },
      leave: (): void => {
        project.subscribers.delete(subscriber)
        if (project.subscribers.size === 0) this.#projects.delete(projectId)
      },
    }
  }

  listWaiting(): Subscriber<P>[] {
    return [...this.#projects.values()].flatMap(project => listWaiting(project))
  }

  /** The log of the project may have new events. */
  async notify(projectId: string): Promise<void> {
    const project = this.#projects.get(projectId)
    if (!project) return
    project.notifications++
    await project.readForWaiting()
  }

  #open(projectId: string): Project<P> {
    const readForWaiting = coalesce(async () => {
      const hasMore = await this.#sendNewEvents(listWaiting(project))
      if (hasMore) void project.readForWaiting()
    })
    const project: Project<P> = { subscribers: new Set(), notifications: 0, readForWaiting }
    this.#projects.set(projectId, project)
    return project
  }

  /** Runs each distinct query once and sends its page to all that wait for it. Returns whether a subscriber has more to read. */
  async #sendNewEvents(waiting: Subscriber<P>[]): Promise<boolean> {
    const groups = [...Map.groupBy(waiting, ({ query }) => keyOfQuery(query)).values()]
    const pages = await Promise.all(groups.map(([first]) => this.#read(first!.query)))
    const pagesToSend = new Map<Subscriber<P>, LogPage>()
    for (const [at, group] of groups.entries()) {
      const page = pages[at]!
      for (const subscriber of group)
        page.hasEvents ? pagesToSend.set(subscriber, page) : advance(subscriber, page)
    }
    const subscribers = [...pagesToSend.keys()]
    // Checked after the read, so that events written after the credential was revoked are not sent.
    const refuse = this.#checksFirst && pagesToSend.size ? await this.#checkStatus(subscribers) : () => null
    await answerInChunks(
      subscribers,
      subscriber => refuse(subscriber) ?? advance(subscriber, pagesToSend.get(subscriber)!),
    )
    return [...pagesToSend.values()].some(page => page.has_more)
  }

  /** Ends the waits whose credentials were revoked; during maintenance, all waits. */
  async endRevoked(): Promise<void> {
    for (const project of this.#projects.values()) {
      const waiting = listWaiting(project)
      if (waiting.length) await answerInChunks(waiting, await this.#checkStatus(waiting))
    }
  }

  /** The subscribers must be of one project. */
  async #checkStatus(
    subscribers: Subscriber<P>[],
  ): Promise<(subscriber: Subscriber<P>) => WaitOutcome | null> {
    const credentials = new Map(subscribers.map(({ credential }) => [credential.id, credential]))
    const { projectId } = subscribers[0]!.credential
    const { isMaintenance, revoked } = await this.#checkCredentials(projectId, [...credentials.values()])
    return ({ credential }) => (isMaintenance ? 'maintenance' : revoked.has(credential.id) ? 'revoked' : null)
  }
}

/** The next query starts after the last event of this page. */
function advance(subscriber: Subscriber, page: LogPage): LogPage {
  subscriber.page = page
  subscriber.query = { ...subscriber.query, after: page.last_seq }
  return page
}

export const answerInChunks = <V extends Subscriber>(
  subscribers: V[],
  outcomeOf: (subscriber: V) => WaitOutcome | null,
  pause?: () => Promise<unknown>,
): Promise<void> =>
  inChunks(
    subscribers,
    subscriber => {
      const outcome = outcomeOf(subscriber)
      if (outcome) subscriber.answer(outcome)
    },
    pause,
  )
