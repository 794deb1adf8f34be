import type { Importer } from '../importer.ts'
import { type MailOptions, makeMailImporter } from '../mail/import-mails.ts'
import { scanMaildir } from './scan-maildir.ts'

/** Imports the emails of a Maildir, except drafts and deleted emails. `without` contains the names of folders to leave out. */
export const importMaildir = (
  path: string,
  without: string[],
  options: Omit<MailOptions, 'scan'>,
): Importer => makeMailImporter({ ...options, scan: () => scanMaildir(path, without) })
