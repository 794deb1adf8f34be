import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openPromise } from 'yauzl'
import type { Db } from '../src/core/db/db.ts'

/** Searches for a text in everything that an installation stores. */

/** All tables with the text in any column. Columns of bytes are searched too. */
export async function findTablesWith(db: Db, text: string): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const patterns = [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`]
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db`select from ${db(name)} r where r::text ilike any(${patterns}) limit 1`
    if (rows.length) found.push(name)
  }
  return found
}

/** The files in a folder and its subfolders whose content or path contains the text. */
export function listFilesWith(folder: string, text: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => path.includes(text) || readFileSync(path).includes(text))
}

/** The entries of a zip file whose content or name contains the text. */
export async function listEntriesWith(file: string, text: string): Promise<string[]> {
  const zip = await openPromise(file)
  const found: string[] = []
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    const hex = Buffer.from(text).toString('hex')
    if (entry.fileName.includes(text) || content.includes(text) || content.includes(hex))
      found.push(entry.fileName)
  }
  return found
}
