import { createHmac, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db, Sql } from '../db/db.ts'
import { codeOf } from '../thrown.ts'
import { key } from './config-values.ts'
import { SettingError, SetupError } from './setup-error.ts'

interface Place {
  secretKey: Buffer | null
  dataDir: string
}

/** The key in SECRET_KEY, otherwise the one in DATA_DIR/secret.key, which is created if it does not exist. */
export const loadSecretKey = (place: Place): Buffer =>
  place.secretKey ?? open(place, path => readKey(path) ?? makeKey(path))

/** The same key, but null if there is none yet. */
export const findSecretKey = (place: Place): Buffer | null => place.secretKey ?? open(place, readKey)

function open<T>({ dataDir }: Place, work: (path: string) => T): T {
  const path = join(dataDir, 'secret.key')
  try {
    return work(path)
  } catch (error) {
    throw new SetupError(`DATA_DIR: cannot use ${path} (${codeOf(error)}); restore it, or set SECRET_KEY`)
  }
}

function readKey(path: string): Buffer | null {
  try {
    return key(readFileSync(path, 'utf8').trim())
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Writes the key to a temporary file and links it into place, so that two processes that start at the same time use the same key. */
function makeKey(path: string): Buffer {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return key(readFileSync(path, 'utf8').trim())
}

/** Refuses a key other than the one with which the secrets in this database are encrypted. A fingerprint of the first key is stored. */
export async function verifySecretKey(db: Db, secretKey: Buffer): Promise<void> {
  await db`update installation set secret_key_check = ${checkOf(secretKey)} where secret_key_check is null`
  if (await compareSecretKey(db, secretKey)) return
  throw new SetupError(
    'The table "installation" of this database has lost its row; restore the database from a backup',
  )
}

/** The same check without storing anything. Returns whether a key is recorded; if so, it is this one. */
export async function compareSecretKey(db: Sql, secretKey: Buffer | null): Promise<boolean> {
  const [row] = await db<{ secret_key_check: string | null }[]>`select secret_key_check from installation`
  if (!row?.secret_key_check) return false
  if (secretKey && row.secret_key_check === checkOf(secretKey)) return true
  throw new SettingError(
    `SECRET_KEY: the secrets in this database are encrypted with ${secretKey ? 'another key' : 'a key that is missing'}; set it to that one, or restore secret.key in DATA_DIR`,
  )
}

const checkOf = (secretKey: Buffer): string =>
  createHmac('sha256', secretKey).update('deskbell').digest('hex').slice(0, 32)
