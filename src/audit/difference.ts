type Fields = Record<string, unknown>

/** The changed fields of a record, for the detail of an entry; null if nothing changed. */
export function differenceOf(before: object, after: object): { before: Fields; after: Fields } | null {
  const [old, fresh] = [before as Fields, after as Fields]
  const changed = Object.keys(fresh).filter(name => JSON.stringify(old[name]) !== JSON.stringify(fresh[name]))
  const of = (fields: Fields): Fields => Object.fromEntries(changed.map(name => [name, fields[name] ?? null]))
  return changed.length ? { before: of(old), after: of(fresh) } : null
}
