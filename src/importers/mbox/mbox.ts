import type { Importer } from '../importer.ts'
import { type MailOptions, makeMailImporter } from '../mail/import-mails.ts'
import { scanMbox } from './scan-mbox.ts'

/** Imports the emails of files in the mbox format. */
export const importMbox = (paths: string[], options: Omit<MailOptions, 'scan'>): Importer =>
  makeMailImporter({
    ...options,
    *scan() {
      for (const path of paths) yield* scanMbox(path)
    },
  })
