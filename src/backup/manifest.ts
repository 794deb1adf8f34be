import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'

/** The contents of an archive, in `manifest.json`. It is written last, so an archive that has one is complete. */

const entry = Type.Object({ name: Type.String(), bytes: Type.Integer(), sha256: Type.String() })

const migration = Type.Object({ version: Type.Integer(), name: Type.String(), checksum: Type.String() })

const table = Type.Intersect([
  entry,
  Type.Object({ table: Type.String(), columns: Type.Array(Type.String()), rows: Type.Integer() }),
])

const manifest = Type.Object({
  format: Type.Literal('deskbell-backup-1'),
  deskbell: Type.String(),
  postgres: Type.String(),
  created_at: Type.String(),
  migrations: Type.Array(migration),
  tables: Type.Array(table),
  files: Type.Array(entry),
  /** The entry with the secret key; null if the key was left out. */
  secret_key: Type.Union([entry, Type.Null()]),
})

export const manifestName = 'manifest.json'

export type FileEntry = Static<typeof entry>
export type TableEntry = Static<typeof table>
export type Manifest = Static<typeof manifest>
export type Applied = Static<typeof migration>

/** A line of progress. */
export const describeTable = ({ table, rows }: TableEntry): string =>
  `${table}: ${rows} ${rows === 1 ? 'row' : 'rows'}`

/** Null if this version does not understand it. */
export function readManifest(text: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(manifest, value) ? value : null
  } catch {
    return null
  }
}

export const entriesOf = ({ tables, files, secret_key }: Manifest): FileEntry[] => [
  ...(secret_key ? [secret_key] : []),
  ...tables,
  ...files,
]
