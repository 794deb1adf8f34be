import { setTimeout as sleep } from 'node:timers/promises'
import { inChunks } from '../core/async/chunked.ts'
import { coalesce } from '../core/async/coalesce.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { onMessageChange, onPresence } from '../events/notifier.ts'
import { printFrame } from './frames.ts'
import { getPresence } from './queries.ts'
import type { Stream } from './stream.ts'

/** Typing that ends, and tabs that stop reporting, cause no notification. */
const pollIntervalMs = 1_500

/** Changes within this time are sent together. */
const batchPauseMs = 50

interface Project {
  streams: Set<Stream>
  /** The operators who are present, as JSON. */
  text: string
  /** Callers during a query share the next one. */
  ask(): Promise<void>
}

/** The open tabs of each project, and the presence that they are sent. */
export class Audience {
  readonly #projects = new Map<string, Project>()
  readonly #db: Db
  readonly #log: Log

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  join(projectId: string, stream: Stream): void {
    const project = this.#projects.get(projectId) ?? this.#open(projectId)
    project.streams.add(stream)
    this.#ring(projectId)
  }

  #open(projectId: string): Project {
    const ask = coalesce(() => this.#look(projectId, project))
    const project: Project = { streams: new Set(), text: '', ask }
    this.#projects.set(projectId, project)
    return project
  }

  leave(projectId: string, stream: Stream): void {
    const project = this.#projects.get(projectId)
    project?.streams.delete(stream)
    if (project?.streams.size === 0) this.#projects.delete(projectId)
  }

  /** Sends changes until the returned function is called. */
  watch(): () => void {
    const lookAtAll = () => {
      for (const id of this.#projects.keys()) this.#ring(id)
    }
    const unlisten = onPresence(projectId => (projectId ? this.#ring(projectId) : lookAtAll()))
    const unlistenMessages = onMessageChange((projectId, id) => this.#sendMessage(projectId, id))
    const timer = setInterval(lookAtAll, pollIntervalMs)
    return () => {
      clearInterval(timer)
      unlistenMessages()
      unlisten()
    }
  }

  #sendMessage(projectId: string, message_id: string): void {
    const frame = printFrame('message', { message_id })
    for (const stream of this.#projects.get(projectId)?.streams ?? []) stream.send(frame)
  }

  #ring(projectId: string): void {
    const report = (error: unknown) =>
      this.#log.warn({ err: error }, 'Could not check who is in the dashboard')
    this.#projects.get(projectId)?.ask().catch(report)
  }

  async #look(projectId: string, project: Project): Promise<void> {
    await tell(project, await getPresence(this.#db, projectId))
    await sleep(batchPauseMs, undefined, { ref: false })
  }
}

async function tell(project: Project, text: string): Promise<void> {
  // Keeps the old string if it is equal, so that later comparisons cost nothing.
  if (text !== project.text) project.text = text
  const behind = [...project.streams].filter(({ shown }) => shown !== project.text)
  if (behind.length === 0) return
  const frame = printFrame('presence', project.text)
  await inChunks(behind, stream => {
    stream.shown = project.text
    stream.send(frame)
  })
}
