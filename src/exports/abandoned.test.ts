import assert from 'node:assert/strict'
import { readdirSync, readlinkSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { upload } from '../../test/upload.ts'
import { createStorages } from '../media/media.ts'
import { writeArchive } from './archive.ts'

let server: TestServer
before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

/** Files of the storage that this process has open. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(`${server.config.dataDir}/files/`) ? [path] : []
    } catch {
      return []
    }
  })

test('an export closes the file that it reads when its storage stops reading', async () => {
  await makeTicket(server.api)
  await upload(server.api, { filename: 'film.txt', content: 'x'.repeat(8_000_000) })
  const archive = await writeArchive({
    db: server.db,
    storages: createStorages(server),
    projectId: server.acme.id,
    hasFiles: true,
    progress: async () => {},
  })
  let isSeen = false
  for await (const _ of archive) {
    isSeen = openFiles().length > 0
    if (isSeen) break
  }
  assert.ok(isSeen)
  await until(() => openFiles().length === 0)
})
