import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { addArticleViews } from '../knowledge/knowledge.ts'

/** Collects views and writes them together, so that a page view needs no write and popular articles cause no lock contention. */

const writeIntervalMs = 5_000

export interface ViewCounter {
  add(projectId: string, articleId: string): void
  /** Writes the collected views. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export function createViewCounter(db: Db, log: Log): ViewCounter {
  let gathered = new Map<string, number>()
  const flush = async () => {
    const views = gathered
    gathered = new Map()
    for (const [key, count] of views) {
      const [projectId = '', articleId = ''] = key.split(' ')
      await addArticleViews(db, projectId, articleId, count).catch(error =>
        log.warn({ err: error }, 'Views of an article could not be counted'),
      )
    }
  }
  const timer = setInterval(() => void flush(), writeIntervalMs).unref()
  return {
    add(projectId, articleId) {
      const key = `${projectId} ${articleId}`
      gathered.set(key, (gathered.get(key) ?? 0) + 1)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const machines = /bot\b|crawl|spider|slurp|preview|monitor|curl|wget|python|headless/i

/** Whether a person probably reads the page: not a search engine, a script or a prefetch. */
export const isHumanReader = (headers: Record<string, string | string[] | undefined>): boolean =>
  headers['user-agent'] !== undefined &&
  !machines.test(String(headers['user-agent'])) &&
  !String(headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch')
