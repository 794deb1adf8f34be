import { inChunks } from '../../core/async/chunked.ts'
import type { Db } from '../../core/db/db.ts'
import type { Log } from '../../core/telemetry/log.ts'
import type { Hub, Subscriber as Waiting, WaitOutcome } from '../../events/hub.ts'
import type { LogPage, ReadLog } from '../../events/log-page.ts'
import { printFrame, type Stream } from '../../live/live.ts'
import { createRenderer, type RenderedEvent, visitorEventTypes } from './render-log.ts'
import type { VisitorTabRow } from './tabs.ts'
import { loadViews } from './views.ts'
import { isSeenBy, type TicketAudience, type Visitor } from './visitor.ts'

/** Reads the log once for all open chats of a project, so that chats that an event does not concern cost nothing. */

export interface StreamClient {
  stream: Stream
  projectId: string
  visitor: Pick<Visitor, 'id' | 'contact_id' | 'is_verified' | 'ticket_id'>
  /** The IP address that the rate limits count. */
  address: string
  tab: VisitorTabRow
  /** The number of the last event that was sent to it. */
  last_seq: number
  /** Events that arrive while it receives the events it missed; null when it is up to date. */
  pending: RenderedEvent[] | null
}

export const maxPageEvents = 500
export const gapFrame = printFrame('gap')

interface Following {
  db: Db
  log: Log
  read: ReadLog
  hub: Hub
}

const send = (client: StreamClient, { seq, frames }: RenderedEvent): void => {
  if (seq <= client.last_seq) return
  client.stream.send(frames)
  client.last_seq = seq
}

/** The clients of each visitor or contact. */
class Index {
  readonly #clients = new Map<string, Set<StreamClient>>()

  add(name: string | null, client: StreamClient): void {
    if (name !== null) this.#clients.set(name, (this.#clients.get(name) ?? new Set()).add(client))
  }

  remove(name: string | null, client: StreamClient): void {
    const clients = name === null ? undefined : this.#clients.get(name)
    clients?.delete(client)
    if (clients?.size === 0) this.#clients.delete(name!)
  }

  list(name: string | null): StreamClient[] {
    return name === null ? [] : [...(this.#clients.get(name) ?? [])]
  }
}

export class ProjectStream {
  readonly clients = new Set<StreamClient>()
  /** Resolves when every event that is written from then on will be sent. */
  readonly started: Promise<void>
  readonly #visitors = new Index()
  readonly #contacts = new Index()
  readonly #render: (page: LogPage) => Promise<{ gap: boolean; events: RenderedEvent[] }>
  readonly #leave: () => void
  readonly #loadTicket: (id: string) => ReturnType<typeof loadViews>
  readonly #giveUp: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #last_seq = 0

  constructor({ db, log, read, hub }: Following, projectId: string) {
    const render = createRenderer(db)
    this.#render = page => render(projectId, page)
    this.#loadTicket = id => loadViews(db, projectId, db`t.id = ${id}`)
    const answer = (outcome: WaitOutcome) => {
      if (typeof outcome !== 'string') this.#next(() => this.#tell(outcome))
    }
    this.#giveUp = (error: unknown) => {
      log.warn({ err: error }, 'Streams of open chats failed and were closed; their pages reconnect')
      for (const { stream } of this.clients) stream.end()
    }
    const query = { projectId, after: null, limit: maxPageEvents, types: visitorEventTypes }
    const waiting: Waiting = { credential: { id: projectId, projectId }, query, page: null, answer }
    const subscription = hub.subscribe(waiting)
    this.#leave = subscription.leave
    this.started = read(query).then(page => {
      this.#last_seq = page.last_seq
      return subscription.wait(page)
    })
    // Each new client awaits it, but may fail before that.
    this.started.catch(() => {})
  }

  add(client: StreamClient): void {
    this.clients.add(client)
    this.#visitors.add(client.visitor.id, client)
    this.#contacts.add(client.visitor.contact_id, client)
  }

  remove(client: StreamClient): void {
    this.clients.delete(client)
    this.#visitors.remove(client.visitor.id, client)
    this.#contacts.remove(client.visitor.contact_id, client)
  }

  stop(): void {
    this.#leave()
  }

  listClientsSeeing(owner: TicketAudience): StreamClient[] {
    const found = new Set([
      ...this.#visitors.list(owner.visitor_id),
      ...this.#contacts.list(owner.contact_id),
    ])
    return [...found].filter(({ visitor }) => isSeenBy(visitor, owner))
  }

  /** Sends the events that arrived while the client was catching up. */
  release(client: StreamClient): void {
    const pending = client.pending ?? []
    client.pending = null
    for (const event of pending) send(client, event)
  }

  /** Sends a ticket again after it was marked as read, because that writes no event. */
  resendTicket(ticketId: string): void {
    this.#next(async () => {
      for (const { ticket, owner } of await this.#loadTicket(ticketId))
        for (const { stream } of this.listClientsSeeing(owner)) stream.send(printFrame('ticket', ticket))
    })
  }

  /** Runs one action at a time, so that no event is sent after a newer one. */
  #next(act: () => Promise<void>): void {
    this.#last = this.#last.then(act).catch(this.#giveUp)
  }

  /** The position from which a client that reconnects continues. */
  positionOf({ last_seq, pending }: StreamClient): number {
    return pending ? last_seq : Math.max(last_seq, this.#last_seq)
  }

  async #tell(page: LogPage): Promise<void> {
    const { gap: isGap, events } = await this.#render(page)
    if (isGap) await inChunks([...this.clients], ({ stream }) => stream.send(gapFrame))
    for (const event of events)
      for (const client of this.listClientsSeeing(event.owner))
        client.pending ? client.pending.push(event) : send(client, event)
    this.#last_seq = page.last_seq
  }
}
