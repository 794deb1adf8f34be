import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '../../core/async/coalesce.ts'
import type { Db, Sql } from '../../core/db/db.ts'
import type { Log } from '../../core/telemetry/log.ts'
import { onPresence } from '../../events/notifier.ts'
import { printFrame, tabTimeout } from '../../live/live.ts'
import { isDivided, type TicketAudience, typedOnly } from './visitor.ts'

/** Tells visitors that an operator is typing a reply, but not that an operator is typing a note. */

/** Milliseconds between checks, because the end of typing causes no notification. */
const pollIntervalMs = 1_500
const batchPauseMs = 200

interface Typist extends TicketAudience {
  name: string
}

const listTypists = (sql: Sql, projectId: string) => sql<Typist[]>`
  select distinct on (t.id) t.id, t.contact_id, w.visitor_id, t.merged_into_id, ${isDivided(sql, projectId)} as is_divided,
    ${typedOnly(sql, projectId)} as is_typed, o.name
  from open_tabs s
    join operators o on o.project_id = s.project_id and o.id = s.operator_id
    join tickets t on t.project_id = s.project_id and t.id = s.ticket_id
    left join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id
  where s.project_id = ${projectId} and s.typing_until > now() and not s.is_internal
    and s.seen_at > now() - ${tabTimeout}::text::interval
  order by t.id, o.name`

interface Project {
  typists: Map<string, Typist>
  ask(): Promise<void>
}

type Tell = (projectId: string, owner: TicketAudience, frame: string) => void

const frameOf = (ticket_id: string, name: string | null): string =>
  printFrame('typing', { ticket_id, name, is_typing: name !== null })

export class Typing {
  readonly #projects = new Map<string, Project>()
  readonly #db: Db
  readonly #log: Log
  readonly #tell: Tell

  constructor(db: Db, log: Log, tell: Tell) {
    this.#db = db
    this.#log = log
    this.#tell = tell
  }

  /** Follows projects with listeners, until the returned function is called. */
  watch(isHeard: (projectId: string) => boolean): () => void {
    const unlisten = onPresence(id => {
      if (id && isHeard(id)) this.#ring(id)
      else if (!id) for (const known of this.#projects.keys()) this.#ring(known)
    })
    const timer = setInterval(() => {
      for (const [id, { typists }] of this.#projects) {
        if (!isHeard(id)) this.#projects.delete(id)
        else if (typists.size) this.#ring(id)
      }
    }, pollIntervalMs)
    return () => {
      clearInterval(timer)
      unlisten()
    }
  }

  /** Called when the first client listens to a project. */
  join(projectId: string): void {
    if (this.#projects.has(projectId)) return
    const project: Project = { typists: new Map(), ask: coalesce(() => this.#look(projectId, project)) }
    this.#projects.set(projectId, project)
  }

  /** The current state, for a client that connects later. */
  list(projectId: string): { owner: TicketAudience; frame: string }[] {
    const typists = [...(this.#projects.get(projectId)?.typists.values() ?? [])]
    return typists.map(one => ({ owner: one, frame: frameOf(one.id, one.name) }))
  }

  #ring(projectId: string): void {
    const report = (error: unknown) => this.#log.warn({ err: error }, 'Could not check who is typing')
    this.#projects.get(projectId)?.ask().catch(report)
  }

  async #look(projectId: string, project: Project): Promise<void> {
    this.#tellChanges(projectId, project, await listTypists(this.#db, projectId))
    await sleep(batchPauseMs, undefined, { ref: false })
  }

  #tellChanges(projectId: string, project: Project, found: readonly Typist[]): void {
    const typists = new Map(found.map(one => [one.id, one]))
    for (const [id, one] of typists)
      if (project.typists.get(id)?.name !== one.name) this.#tell(projectId, one, frameOf(id, one.name))
    for (const [id, one] of project.typists)
      if (!typists.has(id)) this.#tell(projectId, one, frameOf(id, null))
    project.typists = typists
  }
}
