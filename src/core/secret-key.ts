import { createHmac, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { key } from './config-values.ts'
import type { Db } from './db.ts'
import { codeOf, SetupError } from './setup-error.ts'

/** The key of SECRET_KEY, else the one in DATA_DIR/secret.key, made there once. */
export function loadSecretKey(config: { secretKey: Buffer | null; dataDir: string }): Buffer {
  if (config.secretKey) return config.secretKey
  const path = join(config.dataDir, 'secret.key')
  try {
    return readKey(path) ?? makeKey(path)
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

/** Written aside and linked into place: of two processes that start at once, both end up with the first one's key. */
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

/** Refuses a key that is not the one this database's secrets are encrypted with; the first key is remembered. */
export async function verifySecretKey(db: Db, secretKey: Buffer): Promise<void> {
  const check = createHmac('sha256', secretKey).update('deskbell').digest('hex').slice(0, 32)
  await db`update installation set secret_key_check = ${check} where secret_key_check is null`
  const [row] = await db`select secret_key_check from installation`
  if (row?.secret_key_check === check) return
  throw new SetupError(
    'SECRET_KEY: the secrets in this database are encrypted with another key; set it to that one, or restore secret.key in DATA_DIR',
  )
}
