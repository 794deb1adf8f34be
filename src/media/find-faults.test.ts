import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { s3Options, startS3 } from '../../test/s3.ts'
import { startServer } from '../../test/server.ts'
import { makeUpload } from '../../test/upload.ts'
import { mayReachAll } from '../core/http/guarded-agent.ts'
import { openBucket } from './bucket.ts'
import { setBucket } from './buckets.ts'
import { findLostFiles } from './find-faults.ts'

test(
  'a file that was truncated in its bucket is reported as lost, but not one whose bucket refuses the key',
  s3Options,
  async context => {
    const s3 = await startS3()
    context.after(s3.stop)
    const server = await startServer({ delivers: false })
    context.after(() => server.close())
    const { db, api, acme } = server
    const place = s3.makeBucket('files')
    await setBucket(server, acme.id, place)
    const { id } = await makeUpload(api, { content: 'whole', filename: 'cut.txt' })
    const look = () => findLostFiles(server, Date.now())
    assert.deepEqual(await look(), { seen: 1, lost: [], failures: [] })
    const [row] = await db`select storage_key from media where project_id = ${acme.id} and id = ${id}`
    await openBucket(place, { mayReach: mayReachAll }).write(
      row!.storage_key,
      Readable.from([Buffer.from('w')]),
    )
    assert.deepEqual(await look(), { seen: 1, lost: ['cut.txt'], failures: [] })
    await s3.rotate('other-secret')
    const { lost, failures } = await look()
    assert.deepEqual([lost, failures.length], [[], 1])
  },
)
