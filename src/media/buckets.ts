import { randomUUID } from 'node:crypto'
import { readLimited } from '../core/async/read-limited.ts'
import type { Config } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { addressRuleOf } from '../core/http/address.ts'
import type { MayReach } from '../core/http/guarded-agent.ts'
import { newId } from '../core/ids.ts'
import { findProject } from '../projects/projects.ts'
import { type BucketSpec, openBucket } from './bucket.ts'
import type { Storage } from './storage.ts'

/** The known buckets and their owners. */

export interface BucketDeps {
  config: Config
  db: Db
  vault: Vault
}

export interface BucketRow extends Omit<BucketSpec, 'access_key_id' | 'secret_access_key'> {
  id: string
  project_id: string | null
  credentials: Buffer
}

export interface ShownBucket {
  endpoint: string
  bucket: string
  region: string
  path_style: boolean
  is_active: boolean
  files: number
}

const labelOf = (projectId: string | null): string => `buckets ${projectId ?? 'installation'}`

export const seal = (
  vault: Vault,
  projectId: string | null,
  { access_key_id, secret_access_key }: BucketSpec,
): Buffer => vault.seal(JSON.stringify([access_key_id, secret_access_key]), labelOf(projectId))

export function unseal(
  vault: Vault,
  { project_id, endpoint, bucket, region, path_style, credentials }: BucketRow,
): BucketSpec {
  const [access_key_id, secret_access_key] = JSON.parse(vault.open(credentials, labelOf(project_id)))
  return { endpoint, bucket, region, path_style, access_key_id, secret_access_key }
}

export async function findBucket(sql: Sql, id: string): Promise<BucketRow | null> {
  const [row] = await sql<BucketRow[]>`select * from buckets where id = ${id}`
  return row ?? null
}

export async function findActiveBucket(sql: Sql, projectId: string): Promise<BucketRow | null> {
  const [row] = await sql<BucketRow[]>`select * from buckets where project_id = ${projectId} and is_active`
  return row ?? null
}

/** Buckets that store new files of their projects. */
export const listActiveBuckets = (sql: Sql) => sql<BucketRow[]>`
  select * from buckets where project_id is not null and is_active order by created_at, id`

/** The row of this bucket of the installation, if it exists. */
export async function findInstallationBucket(
  sql: Sql,
  { endpoint, bucket }: BucketSpec,
): Promise<BucketRow | null> {
  const [row] = await sql<BucketRow[]>`
    select * from buckets where project_id is null and endpoint = ${endpoint} and bucket = ${bucket}`
  return row ?? null
}

/** Stores the installation's bucket of the current settings. An earlier bucket keeps its own row. */
export async function keepInstallationBucket(sql: Sql, vault: Vault, place: BucketSpec): Promise<BucketRow> {
  const [row] = await sql<BucketRow[]>`
    insert into buckets (id, endpoint, bucket, region, path_style, credentials)
    values (${newId()}, ${place.endpoint}, ${place.bucket}, ${place.region}, ${place.path_style}, ${seal(vault, null, place)})
    on conflict (endpoint, bucket) where project_id is null do update
      set region = excluded.region, path_style = excluded.path_style, credentials = excluded.credentials
    returning *`
  return row!
}

async function writeAndRead(storage: Storage, key: string): Promise<void> {
  await storage.write(
    key,
    (async function* () {
      yield Buffer.from(key)
    })(),
  )
  const written = await storage.read(key)
  if (!written || (await readLimited(written, key.length + 1)).toString() !== key)
    throw new Error('the object that was written cannot be read back')
}

const failureOf = (work: Promise<void>): Promise<Error | null> =>
  work.then(
    () => null,
    (error: Error) => error,
  )

/** Writes, reads and removes an object. Returns what is wrong with the bucket, or null. */
export async function findBucketFault(place: BucketSpec, mayReach: MayReach): Promise<string | null> {
  const storage = openBucket(place, { mayReach })
  const key = `deskbell-trial-${randomUUID()}`
  const used = await failureOf(writeAndRead(storage, key))
  // Even if writing failed, because only the response may have been lost.
  const removed = await failureOf(storage.remove(key))
  const failure = used ?? removed
  if (!failure) return null
  const [reason] = failure.message.split('\n')
  return `The bucket ${place.bucket} at ${place.endpoint} cannot be used (${failure.name}: ${reason})`
}

/** Whether pages can display files of the bucket: browsers block http content in https pages. */
export const isShowableBucket = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { endpoint }: { endpoint: string },
): boolean => publicUrl.startsWith('http:') || endpoint.startsWith('https:')

function requireShowable(config: Config, place: BucketSpec): void {
  if (isShowableBucket(config, place)) return
  throw new SetupError(
    `The bucket ${place.bucket} is at ${place.endpoint}. Browsers do not load http files on https pages, and PUBLIC_URL is https, so use an https address. Nothing was changed`,
    { reason: { reason: 'bucket_not_https' } },
  )
}

/** The origins to which browsers are redirected for files of a project, including its earlier buckets. */
export async function listBucketOrigins(sql: Sql, projectId: string): Promise<string[]> {
  const rows = await sql<Pick<BucketRow, 'endpoint' | 'bucket' | 'path_style'>[]>`
    select endpoint, bucket, path_style from buckets where project_id = ${projectId}`
  return rows.map(({ endpoint, bucket, path_style }) => {
    const { protocol, host } = new URL(endpoint)
    return `${protocol}//${path_style ? host : `${bucket}.${host}`}`
  })
}

/** Additional work in the transaction of a change. */
type Beside = (tx: Sql) => Promise<void>
const nothing: Beside = async () => {}

/** From now on, new files of the project go to this bucket. Existing files stay where they are. */
export async function setBucket(
  { db, vault, config }: BucketDeps,
  projectId: string,
  place: BucketSpec,
  beside: Beside = nothing,
): Promise<void> {
  await findProject(db, projectId)
  const fault = await findBucketFault(place, addressRuleOf(config).isAllowed)
  if (fault) throw new SetupError(`${fault}; nothing was changed`, { reason: { reason: 'bucket_unusable' } })
  requireShowable(config, place)
  const { endpoint, bucket, region, path_style } = place
  await db.begin(async tx => {
    await tx`select from projects where id = ${projectId} for no key update`
    await beside(tx)
    await tx`update buckets set is_active = false where project_id = ${projectId} and is_active`
    const { count } = await tx`
      update buckets set region = ${region}, path_style = ${path_style}, credentials = ${seal(vault, projectId, place)},
        is_active = true
      where project_id = ${projectId} and endpoint = ${endpoint} and bucket = ${bucket}`
    if (count) return
    await tx`
      insert into buckets (id, project_id, endpoint, bucket, region, path_style, credentials)
      values (${newId()}, ${projectId}, ${endpoint}, ${bucket}, ${region}, ${path_style}, ${seal(vault, projectId, place)})`
  })
}

/** A bucket that still has files keeps its row, so that they stay readable. */
export async function removeBucket(db: Db, projectId: string, beside: Beside = nothing): Promise<boolean> {
  await findProject(db, projectId)
  return db.begin(async tx => {
    await tx`select from projects where id = ${projectId} for no key update`
    const { count } =
      await tx`update buckets set is_active = false where project_id = ${projectId} and is_active`
    if (count > 0) await beside(tx)
    // Waits for uploads that are recording their place, so that the deletion sees them.
    await tx`select from buckets where project_id = ${projectId} for update`
    await tx`
      delete from buckets b where project_id = ${projectId}
        and not exists (select from media m where m.project_id = ${projectId} and m.bucket_id = b.id)
        and not exists (select from exports e where e.project_id = ${projectId} and e.bucket_id = b.id)
        and not exists (select from incoming_mails i where i.project_id = ${projectId} and i.bucket_id = b.id)
        and not exists (select from stray_objects s where s.bucket_id = b.id)`
    return count > 0
  })
}

export async function listBuckets(db: Db, projectId: string): Promise<ShownBucket[]> {
  await findProject(db, projectId)
  return db<ShownBucket[]>`
    select endpoint, bucket, region, path_style, is_active,
      (select count(*)::int from media m where m.project_id = ${projectId} and m.bucket_id = b.id) as files
    from buckets b where project_id = ${projectId} order by created_at, id`
}
