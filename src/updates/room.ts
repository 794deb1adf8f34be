import { setImmediate as nextTurn } from 'node:timers/promises'
import { nameOf, type Page, type Question, type Read } from './page.ts'

/** How a wait ends: with a page, or because its key may read no more. */
export type Outcome = Page | 'revoked' | 'maintenance'

/** What became of keys that were let in. */
export interface Standing {
  isMaintenance: boolean
  /** Ids of those that open nothing any more. */
  revoked: ReadonlySet<string>
}

export type CheckKeys = (keys: { id: string; projectId: string }[]) => Promise<Standing>

/** A request in the room. It is there before it first reads, so that no bell is missed between reading and waiting. */
export interface Visitor {
  keyId: string
  question: Question
  /** What it is answered when nothing comes; null as long as it still reads. */
  page: Page | null
  answer(outcome: Outcome): void
}

interface Project {
  visitors: Set<Visitor>
  /** How many so far. */
  bells: number
  isAsking: boolean
  mustAskAgain: boolean
}

const newProject = (): Project => ({ visitors: new Set(), bells: 0, isAsking: false, mustAskAgain: false })

const listWaiting = ({ visitors }: Project): Visitor[] => [...visitors].filter(({ page }) => page !== null)

/** Everybody in this process who reads the log, or waits for it to go on. */
export class Room {
  readonly #projects = new Map<string, Project>()
  readonly #read: Read
  readonly #checkKeys: CheckKeys

  constructor(read: Read, checkKeys: CheckKeys) {
    this.#read = read
    this.#checkKeys = checkKeys
  }

  /** Returns what it needs to begin waiting, and to leave. */
  enter(visitor: Visitor) {
    const { projectId } = visitor.question
    const project = this.#projects.get(projectId) ?? newProject()
    this.#projects.set(projectId, project)
    project.visitors.add(visitor)
    const bells = project.bells
    return {
      /** Begins to wait after a page without news. A bell that rang while it read may have been for it. */
      wait: (page: Page): Promise<void> => {
        moveOn(visitor, page)
        return bells === project.bells ? Promise.resolve() : this.#ask(project)
      },
      leave: (): void => {
        project.visitors.delete(visitor)
        if (project.visitors.size === 0) this.#projects.delete(projectId)
      },
    }
  }

  listWaiting(): Visitor[] {
    return [...this.#projects.values()].flatMap(listWaiting)
  }

  /** The log of the project may have gone on. */
  async ring(projectId: string): Promise<void> {
    const project = this.#projects.get(projectId)
    if (!project) return
    project.bells++
    await this.#ask(project)
  }

  /** Asks for all who wait. Whoever wants it meanwhile shares the next question. */
  async #ask(project: Project): Promise<void> {
    project.mustAskAgain = true
    if (project.isAsking) return
    project.isAsking = true
    try {
      while (project.mustAskAgain) {
        project.mustAskAgain = false
        await this.#tellNews(listWaiting(project))
      }
    } finally {
      project.isAsking = false
    }
  }

  /** Every question is asked once, however many wait for its answer. */
  async #tellNews(waiting: Visitor[]): Promise<void> {
    const groups = [...Map.groupBy(waiting, ({ question }) => nameOf(question)).values()]
    const pages = await Promise.all(groups.map(([first]) => this.#read(first!.question)))
    const told = new Map<Visitor, Page>()
    for (const [at, group] of groups.entries()) {
      const page = pages[at]!
      for (const visitor of group) page.isNews ? told.set(visitor, page) : moveOn(visitor, page)
    }
    if (told.size === 0) return
    // After the reading: what was written after a key was disabled is never told to it.
    const refuse = await this.#examine([...told.keys()])
    await answerInTurns([...told.keys()], visitor => refuse(visitor) ?? told.get(visitor)!)
  }

  /** Sends away whoever waits with a key that works no more; under maintenance, everybody. */
  async sendAway(): Promise<void> {
    const waiting = this.listWaiting()
    if (waiting.length) await answerInTurns(waiting, await this.#examine(waiting))
  }

  async #examine(visitors: Visitor[]): Promise<(visitor: Visitor) => Outcome | null> {
    const keys = new Map(visitors.map(({ keyId, question }) => [keyId, question.projectId]))
    const asked = [...keys].map(([id, projectId]) => ({ id, projectId }))
    const { isMaintenance, revoked } = await this.#checkKeys(asked)
    return ({ keyId }) => (isMaintenance ? 'maintenance' : revoked.has(keyId) ? 'revoked' : null)
  }
}

/** There was nothing that it asked for: it goes on from the end of what was looked at. */
function moveOn(visitor: Visitor, page: Page): void {
  visitor.page = page
  visitor.question = { ...visitor.question, after: page.last_seq }
}

/** Other requests get their turn between so many answers. */
const chunk = 50

export async function answerInTurns(
  visitors: Visitor[],
  outcomeOf: (visitor: Visitor) => Outcome | null,
  pause: () => Promise<unknown> = nextTurn,
): Promise<void> {
  for (let at = 0; at < visitors.length; at += chunk) {
    for (const visitor of visitors.slice(at, at + chunk)) {
      const outcome = outcomeOf(visitor)
      if (outcome) visitor.answer(outcome)
    }
    await pause()
  }
}
