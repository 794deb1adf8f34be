/**
 * What the search must find, in many languages, and why. All tickets lie in one project, so a question also says what must not be
 * found. To add one: a ticket with a sentence that a customer would write, or a question with the keys of every ticket that it finds.
 */

/** A ticket with one message, by a contact who writes in the language of its group. */
export interface Written {
  key: string
  text: string
}

export interface Question {
  q: string
  /** All tickets that are found, and no others. */
  finds: string[]
  because: string
}

export interface Group {
  language: string
  written: Written[]
  questions: Question[]
}

type Row = [q: string, finds: string, because: string]

/** Keys are given in one text, with blanks between. */
export const group = (language: string, written: Record<string, string>, rows: Row[]): Group => ({
  language,
  written: Object.entries(written).map(([key, text]) => ({ key, text })),
  questions: rows.map(([q, finds, because]) => ({ q, finds: finds.split(' ').filter(Boolean), because })),
})
