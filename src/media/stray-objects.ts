import { changeIdsByProject } from '../core/db/by-project.ts'
import { anyId, type Db, type Sql } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { codeOf } from '../core/thrown.ts'
import type { ChosenStorage, Storages } from './storages.ts'

/** Objects without a file. An object that is not recorded here before it is written could stay for ever. */

const foreignKeyViolation = '23503'

interface Stray {
  storage_key: string
  bucket_id: string | null
}

/** The object is removed after a time that is longer than any upload, and short enough that leftovers of a crash are gone within an hour. */
export const insertStrayObject = (sql: Sql, { storage_key, bucket_id }: Stray) => sql`
  insert into stray_objects (storage_key, bucket_id, due_at)
  values (${storage_key}, ${bucket_id}, now() + interval '45 minutes')`

/** Records a new object before it is written. If its bucket is removed at the same moment, chooses again. */
export async function reserveObject(
  { db, storages }: { db: Db; storages: Storages },
  projectId: string,
  key: string,
): Promise<ChosenStorage> {
  for (let tries = 3; ; tries--) {
    const chosen = await storages.choose(projectId)
    try {
      await insertStrayObject(db, { storage_key: key, bucket_id: chosen.bucketId })
      return chosen
    } catch (error) {
      if (tries === 0 || codeOf(error) !== foreignKeyViolation) throw error
    }
  }
}

/** Removes the entry in the transaction that creates the file; false if the object has already been removed. */
export async function claimStrayObject(sql: Sql, key: string): Promise<boolean> {
  const { count } = await sql`delete from stray_objects where storage_key = ${key} and due_at > now()`
  return count > 0
}

async function removeObject(db: Db, storages: Storages, { storage_key, bucket_id }: Stray): Promise<void> {
  const place = await storages.find(bucket_id)
  if (!place) throw new Error(`the bucket ${bucket_id} is unknown`)
  await place.storage.remove(storage_key)
  await db`delete from stray_objects where storage_key = ${storage_key}`
}

/** Removes the object of a failed upload immediately. */
export async function deleteStrayObject(db: Db, storages: Storages, key: string): Promise<void> {
  const [stray] = await db<Stray[]>`
    update stray_objects set due_at = now(), lease_until = now() + interval '5 minutes'
    where storage_key = ${key} returning storage_key, bucket_id`
  if (stray) await removeObject(db, storages, stray)
}

/**
 * Removes some of the due objects, for a project only those in its own buckets, and returns how many were tried. Failed ones wait, and
 * are tried again after those that were never tried.
 */
export async function deleteDueStrayObjects(
  db: Db,
  storages: Storages,
  log: Pick<Log, 'warn'>,
  limit = 100,
  projectId: string | null = null,
): Promise<number> {
  const strays = await db<Stray[]>`
    update stray_objects set lease_until = now() + interval '5 minutes'
    where storage_key = any(array(
      select storage_key from stray_objects
      where due_at <= now() and (lease_until is null or lease_until < now())
        and (${projectId}::uuid is null
          or bucket_id in (select id from buckets where project_id = ${projectId}::uuid))
      order by lease_until nulls first, due_at limit ${limit} for update skip locked))
    returning storage_key, bucket_id`
  const results = await Promise.allSettled(strays.map(stray => removeObject(db, storages, stray)))
  const failed = results.filter(result => result.status === 'rejected')
  if (failed.length) {
    log.warn(
      { err: failed[0]!.reason, objects: failed.length },
      'Some objects could not be removed; they will be retried',
    )
  }
  return strays.length
}

/**
 * Deletes files that no message contains and that have expired: 24 hours after the upload, or 30 days if a draft contains them. The
 * trigger `media_deleted` records their objects in `stray_objects`.
 */
export async function deleteExpiredMedia(db: Db, limit = 500): Promise<number> {
  const expired = await db<{ project_id: string; id: string }[]>`
    select project_id, id from media where message_id is null and expires_at <= now() limit ${limit}`
  return changeIdsByProject(
    expired,
    (projectId, ids) => db`
      delete from media
      where project_id = ${projectId} and id = ${anyId(db, ids)} and message_id is null and expires_at <= now()`,
  )
}
