import type { Db, Fragment } from '../../core/db.ts'
import type { Log } from '../../core/log.ts'
import { inTurns } from '../../core/turns.ts'
import type { Hub, Subscriber as Waiting, WaitOutcome } from '../../events/hub.ts'
import type { LogPage, ReadLog } from '../../events/log-page.ts'
import { printFrame, type Stream } from '../../live/live.ts'
import { createRenderer, type Told, toldTypes } from './frames.ts'
import type { TabRow } from './tabs.ts'
import { loadViews } from './views.ts'
import { isSeenBy, type Visitor, type Whose } from './visitor.ts'

/** One reader of the log for all open chats of a project: what an event costs does not grow with those whom it is not for. */

export interface Seat {
  stream: Stream
  projectId: string
  visitor: Pick<Visitor, 'id' | 'contact_id' | 'is_verified' | 'ticket_id'>
  /** Where it comes from, as budgets count it. */
  address: string
  tab: TabRow
  /** How far of the log it has been told. */
  last_seq: number
  /** What came while it was told what it had missed; null when it is up to date. */
  held: Told[] | null
}

export const pageLimit = 500
export const gap = printFrame('gap')

interface Following {
  db: Db
  log: Log
  read: ReadLog
  hub: Hub
}

const give = (seat: Seat, { seq, frames }: Told): void => {
  if (seq <= seat.last_seq) return
  seat.stream.send(frames)
  seat.last_seq = seq
}

/** The seats of each name; a name without seats is forgotten. */
class Index {
  readonly #seats = new Map<string, Set<Seat>>()

  add(name: string | null, seat: Seat): void {
    if (name !== null) this.#seats.set(name, (this.#seats.get(name) ?? new Set()).add(seat))
  }

  remove(name: string | null, seat: Seat): void {
    const seats = name === null ? undefined : this.#seats.get(name)
    seats?.delete(seat)
    if (seats?.size === 0) this.#seats.delete(name!)
  }

  list(name: string | null): Seat[] {
    return name === null ? [] : [...(this.#seats.get(name) ?? [])]
  }
}

export class Feed {
  readonly seats = new Set<Seat>()
  /** Resolves when whatever is written from now on will be told. */
  readonly started: Promise<void>
  readonly #visitors = new Index()
  readonly #contacts = new Index()
  readonly #render: (page: LogPage) => Promise<{ gap: boolean; told: Told[] }>
  readonly #leave: () => void
  readonly #loadTicket: (id: string) => ReturnType<typeof loadViews>
  readonly #giveUp: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #last_seq = 0

  constructor({ db, log, read, hub }: Following, projectId: string) {
    const render = createRenderer(db)
    this.#render = page => render(projectId, page)
    this.#loadTicket = id => loadViews(db, projectId, db`t.id = ${id}` as Fragment)
    const answer = (outcome: WaitOutcome) => {
      if (typeof outcome !== 'string') this.#next(() => this.#tell(outcome))
    }
    this.#giveUp = (error: unknown) => {
      log.warn({ err: error }, 'Open chats could not be followed; their pages open them again')
      for (const { stream } of this.seats) stream.end()
    }
    const question = { projectId, after: null, limit: pageLimit, types: toldTypes }
    const waiting: Waiting = { credential: { id: projectId, projectId }, question, page: null, answer }
    const place = hub.subscribe(waiting)
    this.#leave = place.leave
    this.started = read(question).then(page => {
      this.#last_seq = page.last_seq
      return place.wait(page)
    })
    // Each who sits down awaits it, but may fail before.
    this.started.catch(() => {})
  }

  add(seat: Seat): void {
    this.seats.add(seat)
    this.#visitors.add(seat.visitor.id, seat)
    this.#contacts.add(seat.visitor.contact_id, seat)
  }

  remove(seat: Seat): void {
    this.seats.delete(seat)
    this.#visitors.remove(seat.visitor.id, seat)
    this.#contacts.remove(seat.visitor.contact_id, seat)
  }

  stop(): void {
    this.#leave()
  }

  listSeeing(owner: Whose): Seat[] {
    const found = new Set([
      ...this.#visitors.list(owner.visitor_id),
      ...this.#contacts.list(owner.contact_id),
    ])
    return [...found].filter(({ visitor }) => isSeenBy(visitor, owner))
  }

  /** It has been told what it missed: now what came meanwhile. */
  release(seat: Seat): void {
    const held = seat.held ?? []
    seat.held = null
    for (const told of held) give(seat, told)
  }

  /** Shows a ticket again of which the log says nothing new: somebody has read it. */
  retell(ticketId: string): void {
    this.#next(async () => {
      for (const { ticket, owner } of await this.#loadTicket(ticketId))
        for (const { stream } of this.listSeeing(owner)) stream.send(printFrame('ticket', ticket))
    })
  }

  /** One after the other, so that nothing is told that is older than what was told before. */
  #next(act: () => Promise<void>): void {
    this.#last = this.#last.then(act).catch(this.#giveUp)
  }

  /** Whoever comes back later begins here. */
  reachOf({ last_seq, held }: Seat): number {
    return held ? last_seq : Math.max(last_seq, this.#last_seq)
  }

  async #tell(page: LogPage): Promise<void> {
    const { gap: isGap, told } = await this.#render(page)
    if (isGap) await inTurns([...this.seats], ({ stream }) => stream.send(gap))
    for (const one of told)
      for (const seat of this.listSeeing(one.owner)) seat.held ? seat.held.push(one) : give(seat, one)
    this.#last_seq = page.last_seq
  }
}
