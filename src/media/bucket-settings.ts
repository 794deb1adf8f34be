import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import { recordAudit } from '../audit/audit.ts'
import { asApiErrors } from '../core/cli-errors.ts'
import type { Db } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { addressRuleOf } from '../core/http/address.ts'
import type { MayReach } from '../core/http/guarded-agent.ts'
import { text } from '../core/schema.ts'
import { trimEnd } from '../core/text/trim.ts'
import { type BucketDeps, removeBucket, setBucket } from './buckets.ts'

const textWithoutSpaces = (maxLength: number) => text(maxLength, { minLength: 1, pattern: '^\\S+$' })

export const bucketInput = Type.Object({
  endpoint: text(500, { pattern: '^https?://', examples: ['https://s3.eu-central-1.amazonaws.com'] }),
  bucket: textWithoutSpaces(255),
  region: textWithoutSpaces(100),
  path_style: Type.Optional(Type.Boolean({ default: true })),
  access_key_id: textWithoutSpaces(255),
  secret_access_key: textWithoutSpaces(1_000),
})
export type BucketInput = Static<typeof bucketInput>

export const bucketList = Type.Object({
  items: Type.Array(
    Type.Object({
      endpoint: Type.String(),
      bucket: Type.String(),
      region: Type.String(),
      path_style: Type.Boolean(),
      is_active: Type.Boolean(),
      files: Type.Integer(),
    }),
  ),
})

/** Refuses secrets in the URL, because it is stored and displayed as it is. */
function readEndpoint(address: string): URL {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('endpoint', 'not_an_address')
  if (url.username || url.password || /[?#]/.test(address)) throw refuse('endpoint', 'not_an_address')
  return url
}

/** The admins of a project must not reach into the network of a public server. Every later connection is checked too. */
async function checkReach(host: string, mayReach: MayReach): Promise<void> {
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  if (found.length === 0) throw refuse('endpoint', 'not_found')
  if (!found.every(({ address }) => mayReach(address))) throw refuse('endpoint', 'blocked_address')
}

/** Sets the bucket after a successful test. */
export async function chooseBucket(
  deps: BucketDeps,
  { project, actor }: Caller,
  { path_style = true, ...input }: BucketInput,
): Promise<void> {
  const url = readEndpoint(input.endpoint)
  const mayReach = addressRuleOf(deps.config).isAllowed
  const host = url.hostname.replace(/^\[|\]$/g, '')
  await checkReach(host, mayReach)
  if (!path_style && !isIP(host)) await checkReach(`${input.bucket}.${host}`, mayReach)
  const place = { ...input, path_style, endpoint: trimEnd(input.endpoint, /\//) }
  const { endpoint, bucket, region } = place
  await asApiErrors(
    setBucket(deps, project.id, place, tx =>
      recordAudit(
        tx,
        project.id,
        actor,
        'bucket.set',
        { type: 'bucket', name: bucket },
        { endpoint, region, path_style },
      ),
    ),
  )
}

export const leaveBucket = async (db: Db, { project, actor }: Caller): Promise<void> => {
  await removeBucket(db, project.id, tx =>
    recordAudit(tx, project.id, actor, 'bucket.removed', { type: 'bucket' }),
  )
}
