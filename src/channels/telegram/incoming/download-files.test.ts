import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { createStorages } from '../../../media/media.ts'
import type { BotApi } from '../bot-api/client.ts'
import { downloadFiles } from './download-files.ts'

/** Files in messages are downloaded up to a size limit. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

/** A server that sends the same bytes for every file, regardless of the announced size. */
const apiOf = (content: string): BotApi => ({
  call: async () => ({ file_path: 'documents/1' }) as never,
  download: async () => Readable.from([Buffer.from(content)]),
})

test("an oversized file on a project's own server is named in the text, whatever size was announced", async () => {
  const { db, log, acme } = server
  const deps = { db, log, storages: createStorages(server), maxFileBytes: 10 }
  const download = (content: string, size: number | null) => {
    const place = { projectId: acme.id, hasOwnServer: true, onServerText: '' }
    const source = { ...place, api: apiOf(content), stopping: new AbortController().signal }
    return downloadFiles(deps, source, [{ file_id: '1', name: 'a.txt', size }], false)
  }
  assert.deepEqual((await download('a'.repeat(11), 5)).missing, ['📎 a.txt (0.0 MB)'])
  assert.deepEqual((await download('a'.repeat(11), null)).missing, ['📎 a.txt'])
  assert.deepEqual((await download('a', 11)).missing, ['📎 a.txt (0.0 MB)'])
  const { media, missing } = await download('a'.repeat(10), null)
  assert.deepEqual([media.map(({ size }) => size), missing], [[10], []])
})
