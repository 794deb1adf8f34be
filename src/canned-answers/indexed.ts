import { printVector } from '../core/words/vector.ts'
import type { Indexed } from '../words/words.ts'

interface Texts {
  shortcut: string
  title: string
  content: string
}

/** What of a canned answer is searched. */
export const indexedAnswers: Indexed<Texts> = {
  table: 'canned_answers',
  columns: ['shortcut', 'title', 'content'],
  printIndex: ({ shortcut, title, content }) =>
    printVector({ text: shortcut, weight: 'A' }, { text: title, weight: 'B' }, { text: content }),
}
