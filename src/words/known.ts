import type { Sql } from '../core/db/db.ts'
import { stemmedLanguage } from '../core/words/stem.ts'
import { findProjectWords, type ProjectWords } from './queries.ts'

/** Milliseconds for which a project's languages are cached. New languages are rare. */
const cacheMs = 30_000
const maxCachedProjects = 10_000
const cache = new Map<string, { known: ProjectWords; until: number }>()

/** The languages of a project that have stems, and whether its words have been read. */
export async function knownOf(sql: Sql, projectId: string): Promise<ProjectWords> {
  const before = cache.get(projectId)
  if (before && before.until > performance.now()) return before.known
  const { languages, isRead } = await findProjectWords(sql, projectId)
  const known = { isRead, languages: [...new Set(languages.flatMap(one => stemmedLanguage(one) ?? []))] }
  if (cache.size >= maxCachedProjects) cache.clear()
  // Not cached before that, because a project that is not large is read within moments.
  if (isRead) cache.set(projectId, { known, until: performance.now() + cacheMs })
  return known
}
