import type { ImportResult, ImportWarning } from '../imports/schema.ts'
import type { SkippedItem } from './importer.ts'

/** Counts the results of an import. */

const noCounts = () => ({ created: 0, existing: 0, matched: 0, skipped: 0 })
export type Counts = ReturnType<typeof noCounts>

export interface Unmapped {
  field: string
  value: string
  reason: string
  /** How often it occurred. */
  count: number
}

/** Further values are ignored, because a field can have millions of different ones. */
const maxUnmapped = 1_000
const maxValue = 200

const print = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, maxValue)

export class Tally {
  readonly organizations = noCounts()
  readonly contacts = noCounts()
  readonly tickets = noCounts()
  readonly messages = noCounts()
  /** Records that the importer itself skipped. */
  skipped = 0
  readonly #unmapped = new Map<string, Unmapped>()
  readonly #onSkipped: (one: Omit<SkippedItem, 'kind'> & { record: string }) => void

  constructor(onSkipped: (one: Omit<SkippedItem, 'kind'> & { record: string }) => void) {
    this.#onSkipped = onSkipped
  }

  addResults(kind: 'organizations' | 'contacts' | 'tickets' | 'messages', results: ImportResult[]): void {
    for (const { source_id, status, reason, warnings } of results) {
      this[kind][status]++
      if (status === 'skipped') this.#onSkipped({ record: kind, source_id, reason: reason ?? '' })
      for (const warning of warnings) this.addUnmapped(warning)
    }
  }

  addSkipped({ source_id, reason }: SkippedItem): void {
    this.skipped++
    this.#onSkipped({ record: 'source', source_id, reason })
  }

  addUnmapped({ field, value, reason }: ImportWarning): void {
    const text = print(value)
    const key = JSON.stringify([field, text, reason])
    const known = this.#unmapped.get(key)
    if (known) known.count++
    else if (this.#unmapped.size < maxUnmapped)
      this.#unmapped.set(key, { field, value: text, reason, count: 1 })
  }

  /** The values that have no counterpart in the project, most frequent first. */
  listUnmapped(): Unmapped[] {
    return [...this.#unmapped.values()].sort((one, other) => other.count - one.count)
  }

  /** How many messages the import has processed. */
  get processed(): number {
    return Object.values(this.messages).reduce((sum, one) => sum + one, 0)
  }
}
