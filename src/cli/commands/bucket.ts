import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { loadSecretKey, verifySecretKey } from '../../core/config/secret-key.ts'
import { createVault, type Vault } from '../../core/crypto.ts'
import { trimEnd } from '../../core/text/trim.ts'
import { codeOf } from '../../core/thrown.ts'
import { listBuckets, removeBucket, setBucket } from '../../media/media.ts'
import { type AuditedChange, auditCommand } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { UsageError } from '../parse.ts'
import type { CliSession } from '../session.ts'
import { drawRecords } from '../table.ts'

/** Opens the vault with the server's key, because the server could not decrypt secrets of another key. */
async function openVault({ config, db }: CliSession): Promise<Vault> {
  const key = loadSecretKey(config)
  await verifySecretKey(db, key)
  return createVault(key)
}

/** The address is stored in plain text and shown to people, so it must not contain secrets. */
function readEndpoint(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`--endpoint must begin with http:// or https://, not "${address}"`)
  }
  if (url.username || url.password || /[?#]/.test(address)) {
    throw new UsageError('--endpoint must not contain a user, password, query or fragment')
  }
  return trimEnd(address, /\//)
}

/** Reads the secret from a file, because every user of the machine can read command lines. */
async function readSecret(path: string): Promise<string> {
  const option = '--secret-access-key-file'
  const content = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8')).catch(error => {
    throw new UsageError(`${option}: cannot read ${path} (${codeOf(error)})`)
  })
  const secret = content.trim()
  if (!secret) throw new UsageError(`${option}: ${path} is empty; put the secret access key there`)
  return secret
}

function readPathStyle(word = 'on'): boolean {
  if (word === 'on' || word === 'off') return word === 'on'
  throw new UsageError(`--path-style must be on or off, not "${word}"`)
}

export const bucketCommands: Command[] = [
  command(
    {
      name: 'project bucket show',
      about: 'Lists the buckets that store files for a project. Credentials are never shown',
      arguments: ['ID'],
    },
    async ({ db }, { ID: id = '' }) => ({ items: await listBuckets(db, id) }),
    ({ items }) => drawRecords(items, "No buckets. Files are in the installation's default storage"),
  ),
  command(
    {
      name: 'project bucket remove',
      about:
        "Stores a project's new files in the installation's default storage again. Files in the bucket stay available",
      arguments: ['ID'],
    },
    async ({ db }, { ID: id = '' }) => {
      const noted: AuditedChange = { action: 'bucket.removed', target: { type: 'bucket' } }
      return { id, was_active: await removeBucket(db, id, tx => auditCommand(tx, id, noted)) }
    },
    ({ id, was_active }) =>
      was_active
        ? `New files of project ${id} go to the installation's default storage`
        : `Project ${id} has no bucket of its own`,
  ),
  command(
    {
      name: 'project bucket',
      about:
        "Stores a project's new files in its own S3-compatible bucket, after a successful test. The secret is read from a file, or from standard input if FILE is -",
      arguments: ['ID'],
      required: ['endpoint', 'bucket', 'region', 'access-key-id', 'secret-access-key-file'],
      optional: ['path-style'],
    },
    async (session, values) => {
      const { ID: id = '', bucket = '', region = '' } = values
      const place = {
        endpoint: readEndpoint(values.endpoint!),
        bucket,
        region,
        path_style: readPathStyle(values['path-style']),
        access_key_id: values['access-key-id']!,
        secret_access_key: await readSecret(values['secret-access-key-file']!),
      }
      const { endpoint, path_style } = place
      const detail = { endpoint, region, path_style }
      await setBucket({ ...session, vault: await openVault(session) }, id, place, tx =>
        auditCommand(tx, id, { action: 'bucket.set', target: { type: 'bucket', name: bucket }, detail }),
      )
      return { id, bucket, ...detail }
    },
    ({ id, endpoint, bucket }) => `New files of project ${id} go into the bucket ${bucket} at ${endpoint}`,
  ),
]
