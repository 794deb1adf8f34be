import type { Failure } from '../core/failure.ts'
import type { EmailValues } from './draft.ts'

export type EmailErrors = Partial<Record<keyof EmailValues, string>>

/** Maps fields of requests to fields of the email form. The contact is the first recipient. */
const names: [keyof EmailValues, RegExp][] = [
  ['mailbox_id', /^(email\.)?mailbox_id$/],
  ['to', /^(email(\.to(\.\d+)?)?|contact(\.email)?)$/],
  ['cc', /^email\.cc(\.\d+)?$/],
  ['bcc', /^email\.bcc(\.\d+)?$/],
  ['subject', /^(email\.)?subject$/],
]

/** Errors by field; undefined if no field of the email has an error. */
export function emailErrorsOf({ fields }: Pick<Failure, 'fields'>): EmailErrors | undefined {
  const found = Object.entries(fields).flatMap(([field, words]) =>
    names.filter(([, pattern]) => pattern.test(field)).map(([name]) => [name, words] as const),
  )
  return found.length > 0 ? Object.fromEntries(found) : undefined
}
