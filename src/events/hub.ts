import { inChunks } from '../core/chunked.ts'
import { coalesce } from '../core/coalesce.ts'
import { keyOfQuestion, type LogPage, type LogQuery, type ReadLog } from './log-page.ts'

/** How a wait ends: with a page, or because its pass opens nothing any more. */
export type WaitOutcome = LogPage | 'revoked' | 'maintenance'

/** What somebody was let in with: a key, a session. */
export interface Credential {
  /** Equal for equal credentials. */
  id: string
  projectId: string
}

/** What became of credentials that were let in. */
export interface CredentialStatus {
  isMaintenance: boolean
  /** Ids of those that open nothing any more. */
  revoked: ReadonlySet<string>
}

export type CheckCredentials<P extends Credential = Credential> = (
  credentials: P[],
) => Promise<CredentialStatus>

/** A request in the room. It is there before it first reads, so that no bell is missed between reading and waiting. */
export interface Subscriber<P extends Credential = Credential> {
  credential: P
  question: LogQuery
  /** What it is answered when nothing comes; null as long as it still reads. */
  page: LogPage | null
  /** Who does not leave then waits on, after the page. */
  answer(outcome: WaitOutcome): void
}

interface Project<P extends Credential> {
  subscribers: Set<Subscriber<P>>
  /** How many so far. */
  notifications: number
  /** Asks for all who wait. */
  ask(): Promise<void>
}

const listWaiting = <P extends Credential>({ subscribers }: Project<P>): Subscriber<P>[] =>
  [...subscribers].filter(({ page }) => page !== null)

/** Everybody in this process who reads the log, or waits for it to go on. */
export class Hub<P extends Credential = Credential> {
  readonly #projects = new Map<string, Project<P>>()
  readonly #read: ReadLog
  readonly #checkCredentials: CheckCredentials<P>
  readonly #checksFirst: boolean

  /** With `checksFirst` nothing is told that was written after a pass ended, for one more question at each telling. */
  constructor(read: ReadLog, checkCredentials: CheckCredentials<P>, { checksFirst = true } = {}) {
    this.#read = read
    this.#checkCredentials = checkCredentials
    this.#checksFirst = checksFirst
  }

  /** Returns what it needs to begin waiting, and to leave. */
  subscribe(subscriber: Subscriber<P>) {
    const { projectId } = subscriber.question
    const project = this.#projects.get(projectId) ?? this.#open(projectId)
    project.subscribers.add(subscriber)
    const notifications = project.notifications
    return {
      /** Begins to wait after a page without news. A bell that rang while it read may have been for it. */
      wait: (page: LogPage): Promise<void> => {
        moveOn(subscriber, page)
        return notifications === project.notifications ? Promise.resolve() : project.ask()
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

  /** The log of the project may have gone on. */
  async notify(projectId: string): Promise<void> {
    const project = this.#projects.get(projectId)
    if (!project) return
    project.notifications++
    await project.ask()
  }

  #open(projectId: string): Project<P> {
    const ask = coalesce(async () => {
      const hasMore = await this.#sendNews(listWaiting(project))
      if (hasMore) void project.ask()
    })
    const project: Project<P> = { subscribers: new Set(), notifications: 0, ask }
    this.#projects.set(projectId, project)
    return project
  }

  /** Every question is asked once, however many wait for its answer. Answers whether somebody may ask on at once. */
  async #sendNews(waiting: Subscriber<P>[]): Promise<boolean> {
    const groups = [...Map.groupBy(waiting, ({ question }) => keyOfQuestion(question)).values()]
    const pages = await Promise.all(groups.map(([first]) => this.#read(first!.question)))
    const pagesToSend = new Map<Subscriber<P>, LogPage>()
    for (const [at, group] of groups.entries()) {
      const page = pages[at]!
      for (const subscriber of group)
        page.isNews ? pagesToSend.set(subscriber, page) : moveOn(subscriber, page)
    }
    const subscribers = [...pagesToSend.keys()]
    // After the reading: what was written after a pass ended is never told to it.
    const refuse = this.#checksFirst && pagesToSend.size ? await this.#checkStatus(subscribers) : () => null
    await answerInChunks(
      subscribers,
      subscriber => refuse(subscriber) ?? moveOn(subscriber, pagesToSend.get(subscriber)!),
    )
    return [...pagesToSend.values()].some(page => page.has_more)
  }

  /** Sends away whoever waits with a pass that opens nothing any more; under maintenance, everybody. */
  async endRevoked(): Promise<void> {
    const waiting = this.listWaiting()
    if (waiting.length) await answerInChunks(waiting, await this.#checkStatus(waiting))
  }

  async #checkStatus(
    subscribers: Subscriber<P>[],
  ): Promise<(subscriber: Subscriber<P>) => WaitOutcome | null> {
    const credentials = new Map(subscribers.map(({ credential }) => [credential.id, credential]))
    const { isMaintenance, revoked } = await this.#checkCredentials([...credentials.values()])
    return ({ credential }) => (isMaintenance ? 'maintenance' : revoked.has(credential.id) ? 'revoked' : null)
  }
}

/** It goes on from the end of what was looked at. */
function moveOn(subscriber: Subscriber, page: LogPage): LogPage {
  subscriber.page = page
  subscriber.question = { ...subscriber.question, after: page.last_seq }
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
