import { propertyOf, tableOf } from '../core/objects.ts'

type Fields = Record<string, unknown>

/** The changed fields of a record, for the detail of an entry; null if nothing changed. */
export function differenceOf(before: object, after: object): { before: Fields; after: Fields } | null {
  const printed = (record: object, name: string) => JSON.stringify(propertyOf(record, name))
  const changed = Object.keys(after).filter(name => printed(before, name) !== printed(after, name))
  const of = (record: object): Fields => tableOf(changed, name => propertyOf(record, name) ?? null)
  return changed.length ? { before: of(before), after: of(after) } : null
}
