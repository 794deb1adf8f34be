import { ensureTags, foldTag, listTags } from '../tags/tags.ts'
import type { ImportRun } from './run.ts'

/** Stores the tags of all items at once, and returns a function that gives them in the project's spelling. */
export async function createTagSpelling({ tx }: ImportRun, sent: string[]) {
  const stored = await ensureTags(tx, tx.projectId, sent)
  const spellings = new Map(stored.map(name => [foldTag(name), name]))
  return (tags: string[]): string[] => listTags(tags).map(name => spellings.get(foldTag(name)) ?? name)
}
