import type { ImportResult, ImportWarning } from './schema.ts'

/** Collects the result of an item of an import. */
export class ItemReport {
  readonly #sourceId: string
  readonly #warnings: ImportWarning[]
  #id: string | null = null
  #status: ImportResult['status'] = 'skipped'
  #reason: string | null

  constructor(sourceId: string, problem: string | null, warnings: readonly ImportWarning[]) {
    this.#sourceId = sourceId
    this.#reason = problem
    this.#warnings = [...warnings]
  }

  get id(): string | null {
    return this.#id
  }

  get isSkipped(): boolean {
    return this.#reason !== null
  }

  get status(): ImportResult['status'] {
    return this.#reason === null ? this.#status : 'skipped'
  }

  warn(field: string, value: unknown, reason: string): void {
    this.#warnings.push({ field, value, reason })
  }

  /** Adds the warnings about a part of the item. */
  addWarnings(part: ItemReport, path: string): void {
    for (const { field, value, reason } of part.#warnings) this.warn(`${path}${field}`, value, reason)
  }

  skip(reason: string): void {
    this.#reason ??= reason
  }

  settle(status: 'created' | 'existing' | 'matched', id: string): void {
    this.#status = status
    this.#id = id
  }

  /** A record that a dry run would create has no id. */
  print(isDryRun: boolean): ImportResult {
    const hasId = this.status !== 'skipped' && !(isDryRun && this.status === 'created')
    return {
      source_id: this.#sourceId,
      id: hasId ? this.#id : null,
      status: this.status,
      reason: this.#reason,
      warnings: this.#warnings,
    }
  }
}
