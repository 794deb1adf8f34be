import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import type { ImportedMembership, ImportedOrganization } from '../imports/imports.ts'
import type { ImportedContact, ImportedLaterMessage, ImportedTicket } from '../imports/schema.ts'
import type { Storages } from '../media/media.ts'
import type { Waiting } from './repeat-while-busy.ts'

/** What the importers of all formats have in common. */

export interface ImportContext extends Waiting {
  db: Db
  storages: Storages
  log: Log
  projectId: string
  /** The name of the import. */
  source: string
  dryRun: boolean
}

/** A record that could not be imported. `reason` is a code that docs/import.md explains. */
export interface SkippedItem {
  kind: 'skipped'
  source_id: string
  reason: string
}

/** A value that has no counterpart in the project, so it was left out. */
export interface UnmappedItem {
  kind: 'unmapped'
  field: string
  value: string
  reason: string
}

/** Organizations come before their members, contacts before the tickets and messages that refer to them, and a ticket before its messages. */
export type ImportItem =
  | { kind: 'organization'; item: ImportedOrganization }
  | { kind: 'contact'; item: ImportedContact; membership?: ImportedMembership }
  | { kind: 'ticket'; item: ImportedTicket }
  | { kind: 'message'; item: ImportedLaterMessage }
  /** The number of messages that an earlier run imported. */
  | { kind: 'existing'; messages: number }
  | SkippedItem
  | UnmappedItem

export interface Importer {
  /** How many messages `read` will yield; null if this is not known. */
  readonly total: number | null
  read(context: ImportContext): AsyncIterable<ImportItem>
}
