import { visibleOrNull } from '../core/text/visible-text.ts'

/** The details that a request to create a contact may contain. */
export const newContactDetails = ['full_name', 'phone', 'language'] as const

/** The details of a contact that people read. Text without a visible character becomes null. */
export function detailsOf<T extends object, K extends keyof T>(
  sent: T,
  keys: readonly K[],
): { [Key in K]?: T[Key] | null } {
  const details: { [Key in K]?: T[Key] | null } = {}
  for (const key of keys) {
    const value = sent[key]
    if (value === undefined) continue
    details[key] = typeof value === 'string' && visibleOrNull(value) === null ? null : value
  }
  return details
}
