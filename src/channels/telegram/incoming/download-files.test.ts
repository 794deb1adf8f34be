import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { createStorages } from '../../../media/media.ts'
import type { BotApi } from '../bot-api/client.ts'
import { downloadFiles } from './download-files.ts'

/** Files of messages are downloaded up to a size. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

/** A server that sends the same bytes for each file, whatever size it has said. */
const apiOf = (content: string): BotApi => ({
  call: async () => ({ file_path: 'documents/1' }) as never,
  download: async () => Readable.from([Buffer.from(content)]),
})

test('a file of an own server that is too large is named in the text, whatever size was said', async () => {
  const { db, log, acme } = server
  const deps = { db, log, storages: createStorages(server), maxFileBytes: 10 }
  const download = (content: string, size: number | null) => {
    const source = { api: apiOf(content), projectId: acme.id, hasOwnServer: true }
    return downloadFiles(deps, source, [{ file_id: '1', name: 'a.txt', size }], false)
  }
  assert.deepEqual((await download('a'.repeat(11), 5)).missing, ['📎 a.txt (0.0 MB)'])
  assert.deepEqual((await download('a'.repeat(11), null)).missing, ['📎 a.txt'])
  assert.deepEqual((await download('a', 11)).missing, ['📎 a.txt (0.0 MB)'])
  const { media, missing } = await download('a'.repeat(10), null)
  assert.deepEqual([media.map(({ size }) => size), missing], [[10], []])
})
