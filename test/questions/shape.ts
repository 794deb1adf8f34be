/**
 * Searches in many languages, and the tickets that each must find. All tickets are in one project, so each
 * question also tests what must not be found. To extend it, add a ticket with a sentence that a customer
 * would write, or a question with the keys of all tickets that it finds.
 */

/** A ticket with one message, from a contact who writes in the language of its group. */
export interface Written {
  key: string
  text: string
}

export interface Question {
  q: string
  /** All tickets that must be found, and no others. */
  finds: string[]
  because: string
}

export interface Group {
  language: string
  written: Written[]
  questions: Question[]
}

type Row = [q: string, finds: string, because: string]

/** Keys are given as one text, separated by spaces. */
export const group = (language: string, written: Record<string, string>, rows: Row[]): Group => ({
  language,
  written: Object.entries(written).map(([key, text]) => ({ key, text })),
  questions: rows.map(([q, finds, because]) => ({ q, finds: finds.split(' ').filter(Boolean), because })),
})
