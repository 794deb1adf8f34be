import { printVector } from '../core/words/vector.ts'
import type { Gathered, Indexed } from '../words/words.ts'

/** The searchable texts of a canned answer. */

interface Texts {
  shortcut: string
  title: string
  content: string
}

export const indexedAnswers: Indexed<Texts> = {
  table: 'canned_answers',
  columns: ['shortcut', 'title', 'content'],
  printIndex: ({ shortcut, title, content }) =>
    printVector({ text: shortcut, weight: 'A' }, { text: title, weight: 'B' }, { text: content }),
}

/** The language of a canned answer is not known. */
export const gatheredAnswers: Gathered<Texts> = {
  name: 'canned_answers',
  rows: (sql, projectId) => sql`canned_answers c where c.project_id = ${projectId}`,
  id: 'c.id',
  changedAt: sql => sql`c.updated_at`,
  columns: sql => sql`jsonb_build_object('shortcut', c.shortcut, 'title', c.title, 'content', c.content)`,
  read: ({ shortcut, title, content }) => [shortcut, title, content].map(text => ({ text, language: null })),
}
