import { randomBytes } from 'node:crypto'
import { sha256 } from '../core/crypto.ts'
import type { Sql } from '../core/db/db.ts'
import { isId, newId } from '../core/ids.ts'
import { findProject, UnknownIdError } from '../projects/projects.ts'
import {
  deleteKeyRow,
  insertKey,
  type KeyRow,
  listKeyRows,
  type OwnedKey,
  updateKeyDisabled,
} from './queries.ts'

const prefixLength = 11

/** Creates a key of 256 random bits. Only its hash is stored. */
export const makeKey = (): string => `sk_${randomBytes(32).toString('base64url')}`

export const hashKey = (key: string): string => sha256(key).toString('hex')

export interface NewKey {
  id: string
  /** The whole key, which is returned only this once. */
  key: string
  prefix: string
}

export async function createKey(sql: Sql, projectId: string, name: string): Promise<NewKey> {
  await findProject(sql, projectId)
  const key = makeKey()
  const made = { id: newId(), key, prefix: key.slice(0, prefixLength) }
  await insertKey(sql, projectId, { ...made, name, hash: hashKey(key) })
  return made
}

export async function listKeys(sql: Sql, projectId: string): Promise<KeyRow[]> {
  await findProject(sql, projectId)
  return listKeyRows(sql, projectId)
}

/** Disables a key at once, because every process looks up the key on each request. */
export async function disableKey(sql: Sql, id: string): Promise<OwnedKey> {
  const [key] = isId(id) ? await updateKeyDisabled(sql, id) : []
  if (!key) throw new UnknownIdError('API key', id)
  return key
}

export async function deleteKey(sql: Sql, id: string): Promise<OwnedKey> {
  const [key] = isId(id) ? await deleteKeyRow(sql, id) : []
  if (!key) throw new UnknownIdError('API key', id)
  return key
}
