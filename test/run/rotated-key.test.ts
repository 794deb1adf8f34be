import assert from 'node:assert/strict'
import { test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { s3Options, startS3 } from '../s3.ts'
import { makeUpload } from '../upload.ts'
import { keyOf, makeFolder, type Program, startServer, stopServer } from './program.ts'

const { version } = manifest

const readinessOf = async ({ url }: Program): Promise<unknown> => (await fetch(`${url}/readyz`)).json()

test(
  'opens old files with a rotated bucket key after a restart, and warns on /readyz until then',
  s3Options,
  async context => {
    const s3 = await startS3()
    context.after(s3.stop)
    const { target, drop } = await createDatabase()
    context.after(drop)
    const { endpoint, bucket, access_key_id } = s3.makeBucket('files')
    const settings = {
      DATA_DIR: makeFolder(context),
      DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: access_key_id,
      S3_SECRET_ACCESS_KEY: 'tester-secret',
    }
    const before = await startServer(context, settings)
    const api = createClient(`${before.url}/api/v1`, keyOf(before))
    const { id } = await makeUpload(api, { content: 'kept' })
    assert.deepEqual(await readinessOf(before), { status: 'ready', version })
    await s3.rotate('rotated-secret')
    assert.equal((await api.get(`/media/${id}`)).status, 502)
    assert.deepEqual(await readinessOf(before), { status: 'ready', version, warnings: ['storage_failed'] })
    await stopServer(before)
    const after = await startServer(context, { ...settings, S3_SECRET_ACCESS_KEY: 'rotated-secret' })
    const { status, text } = await createClient(`${after.url}/api/v1`, keyOf(before)).get(`/media/${id}`)
    assert.deepEqual([status, text], [200, 'kept'])
    await stopServer(after)
  },
)
