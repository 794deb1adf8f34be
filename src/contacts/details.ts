import { pick } from '../core/fields.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'

/** The details that a request to create a contact may contain. */
export const newContactDetails = ['full_name', 'phone', 'language'] as const

/** The details of a contact that people read. Text without a visible character becomes null. */
export const detailsOf = <T extends object, K extends keyof T>(
  sent: T,
  keys: readonly K[],
): Partial<Pick<T, K>> =>
  Object.fromEntries(
    Object.entries(pick(sent, keys)).map(([key, value]) => [
      key,
      typeof value === 'string' ? visibleOrNull(value) : value,
    ]),
  ) as Partial<Pick<T, K>>
