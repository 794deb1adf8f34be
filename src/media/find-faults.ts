import pLimit from 'p-limit'
import { addressRuleOf } from '../core/address.ts'
import { mayReachAll } from '../core/guarded-agent.ts'
import type { BucketSpec } from './bucket.ts'
import { type BucketDeps, findBucketFault, isShowableBucket, listActiveBuckets, unseal } from './buckets.ts'
import { hasMedia, listFilesAfter, listNewestFiles, type StoredFile } from './queries.ts'
import { readLimited } from './read-limited.ts'
import { createStorages, installationBucketSpec, type Storages } from './storages.ts'

/** Whether what the database knows of files can be read where it is. */

/** Requests to buckets, or files of the disk, at one time. */
const maxAtOnce = 8

/** Where new files go: the bucket of the settings, and those of projects. */
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

/** A range that begins after the end of an object. */
const isCut = (error: unknown): boolean => (error as Error).name === 'InvalidRange'

/** The last byte of it: a file that was cut lacks that. Throws where the storage gives no answer about the file. */
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
  /** Names of files that are not there although messages may show them. */
  lost: string[]
  /** Of files that nobody can say this of: their storage failed. */
  failures: unknown[]
}

/** On the disk as many as can be looked at until `deadline`, milliseconds since 1970; in each bucket the newest. */
export async function findLostFiles(deps: BucketDeps, deadline: number): Promise<FileExamination> {
  const storages = createStorages(deps)
  const limit = pLimit(maxAtOnce)
  const looked: FileExamination = { seen: 0, lost: [], failures: [] }
  const look = async (file: StoredFile) => {
    looked.seen++
    const found = await isThere(storages, file).catch((error: unknown) => ({ error }))
    if (found === true) return
    if (found) return void looked.failures.push(found.error)
    // It may have been deleted meanwhile.
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
