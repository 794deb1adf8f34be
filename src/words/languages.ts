import type { Sql } from '../core/db.ts'
import { stemmedLanguage } from '../core/words/stem.ts'
import { findLanguages } from './queries.ts'

interface Known {
  languages: string[]
  until: number
}

/** Milliseconds for which what is known of a project is used: new languages are rare. */
const kept = 30_000
const mostKept = 10_000
const known = new Map<string, Known>()

/** Languages of a project whose words have stems. */
export async function languagesOf(sql: Sql, projectId: string): Promise<string[]> {
  const before = known.get(projectId)
  if (before && before.until > performance.now()) return before.languages
  const found = await findLanguages(sql, projectId)
  const languages = [...new Set(found.flatMap(one => stemmedLanguage(one) ?? []))]
  if (known.size >= mostKept) known.clear()
  known.set(projectId, { languages, until: performance.now() + kept })
  return languages
}
