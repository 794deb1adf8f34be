import { onceAtATime } from '../core/again.ts'
import { inTurns } from '../core/turns.ts'
import { nameOf, type Page, type Question, type Read } from './page.ts'

/** How a wait ends: with a page, or because its pass opens nothing any more. */
export type Outcome = Page | 'revoked' | 'maintenance'

/** What somebody was let in with: a key, a session. */
export interface Pass {
  /** Equal for equal passes. */
  id: string
  projectId: string
}

/** What became of passes that were let in. */
export interface Standing {
  isMaintenance: boolean
  /** Ids of those that open nothing any more. */
  revoked: ReadonlySet<string>
}

export type CheckPasses<P extends Pass = Pass> = (passes: P[]) => Promise<Standing>

/** A request in the room. It is there before it first reads, so that no bell is missed between reading and waiting. */
export interface Visitor<P extends Pass = Pass> {
  pass: P
  question: Question
  /** What it is answered when nothing comes; null as long as it still reads. */
  page: Page | null
  /** Who does not leave then waits on, after the page. */
  answer(outcome: Outcome): void
}

interface Project<P extends Pass> {
  visitors: Set<Visitor<P>>
  /** How many so far. */
  bells: number
  /** Asks for all who wait. */
  ask(): Promise<void>
}

const listWaiting = <P extends Pass>({ visitors }: Project<P>): Visitor<P>[] =>
  [...visitors].filter(({ page }) => page !== null)

/** Everybody in this process who reads the log, or waits for it to go on. */
export class Room<P extends Pass = Pass> {
  readonly #projects = new Map<string, Project<P>>()
  readonly #read: Read
  readonly #checkPasses: CheckPasses<P>
  readonly #checksFirst: boolean

  /** With `checksFirst` nothing is told that was written after a pass ended, for one more question at each telling. */
  constructor(read: Read, checkPasses: CheckPasses<P>, { checksFirst = true } = {}) {
    this.#read = read
    this.#checkPasses = checkPasses
    this.#checksFirst = checksFirst
  }

  /** Returns what it needs to begin waiting, and to leave. */
  enter(visitor: Visitor<P>) {
    const { projectId } = visitor.question
    const project = this.#projects.get(projectId) ?? this.#open(projectId)
    project.visitors.add(visitor)
    const bells = project.bells
    return {
      /** Begins to wait after a page without news. A bell that rang while it read may have been for it. */
      wait: (page: Page): Promise<void> => {
        moveOn(visitor, page)
        return bells === project.bells ? Promise.resolve() : project.ask()
      },
      leave: (): void => {
        project.visitors.delete(visitor)
        if (project.visitors.size === 0) this.#projects.delete(projectId)
      },
    }
  }

  listWaiting(): Visitor<P>[] {
    return [...this.#projects.values()].flatMap(project => listWaiting(project))
  }

  /** The log of the project may have gone on. */
  async ring(projectId: string): Promise<void> {
    const project = this.#projects.get(projectId)
    if (!project) return
    project.bells++
    await project.ask()
  }

  #open(projectId: string): Project<P> {
    const ask = onceAtATime(async () => {
      const hasMore = await this.#tellNews(listWaiting(project))
      if (hasMore) void project.ask()
    })
    const project: Project<P> = { visitors: new Set(), bells: 0, ask }
    this.#projects.set(projectId, project)
    return project
  }

  /** Every question is asked once, however many wait for its answer. Answers whether somebody may ask on at once. */
  async #tellNews(waiting: Visitor<P>[]): Promise<boolean> {
    const groups = [...Map.groupBy(waiting, ({ question }) => nameOf(question)).values()]
    const pages = await Promise.all(groups.map(([first]) => this.#read(first!.question)))
    const told = new Map<Visitor<P>, Page>()
    for (const [at, group] of groups.entries()) {
      const page = pages[at]!
      for (const visitor of group) page.isNews ? told.set(visitor, page) : moveOn(visitor, page)
    }
    const visitors = [...told.keys()]
    // After the reading: what was written after a pass ended is never told to it.
    const refuse = this.#checksFirst && told.size ? await this.#examine(visitors) : () => null
    await answerInTurns(visitors, visitor => refuse(visitor) ?? moveOn(visitor, told.get(visitor)!))
    return [...told.values()].some(page => page.has_more)
  }

  /** Sends away whoever waits with a pass that opens nothing any more; under maintenance, everybody. */
  async sendAway(): Promise<void> {
    const waiting = this.listWaiting()
    if (waiting.length) await answerInTurns(waiting, await this.#examine(waiting))
  }

  async #examine(visitors: Visitor<P>[]): Promise<(visitor: Visitor<P>) => Outcome | null> {
    const passes = new Map(visitors.map(({ pass }) => [pass.id, pass]))
    const { isMaintenance, revoked } = await this.#checkPasses([...passes.values()])
    return ({ pass }) => (isMaintenance ? 'maintenance' : revoked.has(pass.id) ? 'revoked' : null)
  }
}

/** It goes on from the end of what was looked at. */
function moveOn(visitor: Visitor, page: Page): Page {
  visitor.page = page
  visitor.question = { ...visitor.question, after: page.last_seq }
  return page
}

export const answerInTurns = <V extends Visitor>(
  visitors: V[],
  outcomeOf: (visitor: V) => Outcome | null,
  pause?: () => Promise<unknown>,
): Promise<void> =>
  inTurns(
    visitors,
    visitor => {
      const outcome = outcomeOf(visitor)
      if (outcome) visitor.answer(outcome)
    },
    pause,
  )
