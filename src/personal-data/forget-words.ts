import type { Step } from './lot.ts'
import { useWordIndexes } from './plans.ts'
import {
  deleteDeletedWords,
  deleteWords,
  listDeletedWords,
  listUnusedWords,
  updateWordsGeneration,
} from './word-queries.ts'

/** Deletes the words of deleted texts from the search, unless other texts contain them. */

const batchSize = 2_000
/** A common word takes longer, because its entry in the index is long. */
const wordsPerQuery = 100
const maxWorkMs = 400

export const forgetSomeWords: Step = async ({ tx, deletion: { id, place } }) => {
  const { projectId } = tx
  if (place === '') {
    await updateWordsGeneration(tx, projectId)
    return 'begun'
  }
  const words = await listDeletedWords(tx, projectId, id, batchSize)
  if (words.length === 0) return null
  await useWordIndexes(tx)
  const startedAt = performance.now()
  const unused: string[] = []
  let examined = 0
  for (; examined < words.length && performance.now() - startedAt < maxWorkMs; examined += wordsPerQuery)
    unused.push(...(await listUnusedWords(tx, projectId, words.slice(examined, examined + wordsPerQuery))))
  await deleteWords(tx, projectId, unused)
  await deleteDeletedWords(tx, projectId, id, words.slice(0, examined))
  return 'begun'
}
