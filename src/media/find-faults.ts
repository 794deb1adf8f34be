import pLimit from 'p-limit'
import { readLimited } from '../core/async/read-limited.ts'
import { addressRuleOf } from '../core/http/address.ts'
import { mayReachAll } from '../core/http/guarded-agent.ts'
import { errorOf } from '../core/thrown.ts'
import type { BucketSpec } from './bucket.ts'
import { type BucketDeps, findBucketFault, isShowableBucket, listActiveBuckets, unseal } from './buckets.ts'
import { hasMedia, listFilesAfter, listNewestFiles, type StoredFile } from './queries.ts'
import { createStorages, installationBucketSpec, type Storages } from './storages.ts'

/** Checks whether the files in the database can be read from their storage. */

/** How many bucket requests or files on disk are checked at the same time. */
const maxAtOnce = 8

/** Tests the buckets for new files: the one of the settings, and those of projects. */
export async function findBucketFaults(deps: BucketDeps): Promise<{ buckets: number; faults: string[] }> {
  const own = installationBucketSpec(deps.config)
  const rows = await listActiveBuckets(deps.db)
  const places: [BucketSpec, typeof mayReachAll][] = [
    ...(own ? [[own, mayReachAll] as const] : []),
    ...rows.map(row => [unseal(deps.vault, row), addressRuleOf(deps.config).isAllowed] as const),
  ].map(([place, mayReach]) => [place, mayReach])
  const limit = pLimit(maxAtOnce)
  const found = await Promise.all(places.map(place => limit(() => findBucketFault(...place))))
  const hidden = rows
    .filter(row => !isShowableBucket(deps.config, row))
    .map(
      ({ bucket, endpoint }) =>
        `Browsers do not load files from the bucket ${bucket} at ${endpoint}, because PUBLIC_URL is https: use an https address for the bucket`,
    )
  return { buckets: places.length, faults: [...found.filter(fault => fault !== null), ...hidden] }
}

/** Whether the range starts after the end of the object, which means that the object was truncated. */
const isCut = (error: unknown): boolean => errorOf(error).name === 'InvalidRange'

/** Reads the last byte, which a truncated file lacks. Throws if the storage does not respond. */
async function isThere(storages: Storages, file: StoredFile): Promise<boolean> {
  const place = await storages.find(file.bucket_id)
  if (!place) return false
  const last = Math.max(file.size - 1, 0)
  const range = file.size ? { start: last, end: last } : undefined
  try {
    const content = await place.storage.read(file.storage_key, range)
    return content !== null && (await readLimited(content, 2)).length === Math.min(file.size, 1)
  } catch (error) {
    if (isCut(error)) return false
    throw error
  }
}

export interface FileExamination {
  seen: number
  /** Names of files that are missing although messages may show them. */
  lost: string[]
  /** Errors of storages that could not be checked. */
  failures: unknown[]
}

/** Checks as many files on disk as possible until `deadline` (milliseconds since 1970), and the newest ones in each bucket. */
export async function findLostFiles(deps: BucketDeps, deadline: number): Promise<FileExamination> {
  const storages = createStorages(deps)
  const limit = pLimit(maxAtOnce)
  const looked: FileExamination = { seen: 0, lost: [], failures: [] }
  const look = async (file: StoredFile) => {
    looked.seen++
    const found = await isThere(storages, file).catch((error: unknown) => ({ error }))
    if (found === true) return
    if (found) return void looked.failures.push(found.error)
    // It may have been deleted in the meantime.
    if (await hasMedia(deps.db, file.project_id, file.id)) looked.lost.push(file.filename)
  }
  let after: StoredFile | null = null
  for (;;) {
    const files: StoredFile[] = await listFilesAfter(deps.db, after)
    await Promise.all(files.map(file => limit(() => look(file))))
    after = files.at(-1) ?? null
    if (!after || Date.now() > deadline) break
  }
  const newest = await listNewestFiles(deps.db)
  await Promise.all(newest.map(file => limit(() => look(file))))
  return looked
}
