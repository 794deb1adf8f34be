import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../core/config/config.ts'
import { SettingError } from '../core/config/setup-error.ts'
import { addressRuleOf } from '../core/http/address.ts'
import { mayReachAll } from '../core/http/guarded-agent.ts'
import { type BucketSpec, openBucket } from './bucket.ts'
import {
  type BucketDeps,
  type BucketRow,
  findActiveBucket,
  findBucket,
  findInstallationBucket,
  keepInstallationBucket,
  unseal,
} from './buckets.ts'
import { countFailures } from './count.ts'
import { openDisk } from './disk.ts'
import type { Storage } from './storage.ts'

/** A storage and the bucket id that its files record; null is the disk. */
export interface ChosenStorage {
  bucketId: string | null
  storage: Storage
  /** Whether clients are redirected to it, which is only done for a project's own bucket. */
  isProjects: boolean
}

export interface Storages {
  /** The storage for new files of a project. */
  choose(projectId: string): Promise<ChosenStorage>
  /** The storage of a file; null if its bucket is unknown. */
  find(bucketId: string | null): Promise<ChosenStorage | null>
}

/** The bucket of the settings; null if there is none. */
export function installationBucketSpec(config: Config): BucketSpec | null {
  if (!config.s3Bucket) return null
  if (!config.s3AccessKeyId || !config.s3SecretAccessKey) {
    throw new SettingError('S3_BUCKET is set; set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too')
  }
  return {
    endpoint: config.s3Endpoint ?? `https://s3.${config.s3Region}.amazonaws.com`,
    bucket: config.s3Bucket,
    region: config.s3Region,
    path_style: config.s3PathStyle === 'on',
    access_key_id: config.s3AccessKeyId,
    secret_access_key: config.s3SecretAccessKey,
  }
}

/** Runs at each start, so that existing files of the bucket are read with the current key of the settings. */
export async function renewInstallationBucket({ config, db, vault }: BucketDeps): Promise<void> {
  const place = installationBucketSpec(config)
  if (!place) return
  const row = await findInstallationBucket(db, place)
  // Do not update an unchanged row, because other processes reopen the bucket when its row changes.
  if (row && isDeepStrictEqual(unseal(vault, row), place)) return
  await keepInstallationBucket(db, vault, place)
}

export function createStorages({ config, db, vault }: BucketDeps): Storages {
  const place = installationBucketSpec(config)
  const rule = addressRuleOf(config)
  const disk: ChosenStorage = {
    bucketId: null,
    storage: countFailures(openDisk(join(config.dataDir, 'files'))),
    isProjects: false,
  }
  const opened = new Map<string, { credentials: Buffer; storage: Storage }>()

  /** The installation's own bucket is the administrator's choice. Projects must not reach into the server's network. */
  const mayReach = (row: BucketRow) => (row.project_id ? rule.isAllowed : mayReachAll)

  /** Reuses the storage as long as its credentials do not change. */
  function open(row: BucketRow): ChosenStorage {
    const known = opened.get(row.id)
    const isSame = known?.credentials.equals(row.credentials)
    const storage = isSame
      ? known!.storage
      : countFailures(openBucket(unseal(vault, row), { mayReach: mayReach(row) }))
    if (!isSame) opened.set(row.id, { credentials: row.credentials, storage })
    return { bucketId: row.id, storage, isProjects: row.project_id !== null }
  }

  /** Reads the row of the last start: a process that started before a key was rotated must not use the old key. */
  async function findInstallations(): Promise<BucketRow | null> {
    if (!place) return null
    return (await findInstallationBucket(db, place)) ?? keepInstallationBucket(db, vault, place)
  }

  return {
    async choose(projectId) {
      const row = (await findActiveBucket(db, projectId)) ?? (await findInstallations())
      return row ? open(row) : disk
    },
    async find(bucketId) {
      if (bucketId === null) return disk
      const row = await findBucket(db, bucketId)
      return row && open(row)
    },
  }
}
