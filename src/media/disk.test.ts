import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { makeFolder } from '../../test/run/program.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { makeUpload, upload } from '../../test/upload.ts'
import { openDisk } from './disk.ts'

const server = await startServer({ delivers: false })
const { api, db, config } = server
after(() => server.close())

const key = 'abcdef0123456789abcdef0123456789'

async function* content() {
  yield Buffer.alloc(70_000, 'a')
  yield Buffer.alloc(70_000, 'b')
}

const fault = (code: string) => Object.assign(new Error(code), { code })

/** A disk on which one step fails. */
function failing(step: 'writeFile' | 'sync' | 'rename', code: string) {
  const open: typeof fs.open = async (...args) => {
    const file = await fs.open(...args)
    if (step === 'rename' || args[1] === 'r') return file
    const write = file.writeFile.bind(file)
    const fail = async (data: never) => {
      // Part of the data is written before the failure.
      if (step === 'writeFile') await write('begun')
      else if (data) await write(data)
      throw fault(code)
    }
    return Object.assign(file, { [step]: fail })
  }
  const rename = step === 'rename' ? () => Promise.reject(fault(code)) : fs.rename
  return { open, rename }
}

for (const [step, code] of [
  ['writeFile', 'ENOSPC'],
  ['writeFile', 'EIO'],
  ['sync', 'EIO'],
  ['rename', 'ENOSPC'],
] as const) {
  test(`when ${step} fails with ${code}, neither an object nor a draft remains`, async context => {
    const folder = makeFolder(context)
    const disk = openDisk(folder, failing(step, code))
    await assert.rejects(disk.write(key, content()), { code })
    assert.deepEqual(readdirSync(join(folder, 'incoming')), [])
    assert.equal(await disk.read(key), null)
  })
}

test('an object can be read only when it is complete', async context => {
  const folder = makeFolder(context)
  const disk = openDisk(folder)
  const seen: unknown[] = []
  const watched = async function* () {
    for await (const chunk of content()) {
      seen.push(await disk.read(key))
      yield chunk
    }
  }
  await disk.write(key, watched())
  assert.deepEqual(seen, [null, null])
  assert.equal((await buffer((await disk.read(key))!)).length, 140_000)
  assert.equal((await buffer((await disk.read(key, { start: 69_999, end: 70_000 }))!)).toString(), 'ab')
  await disk.remove(key)
  await disk.remove(key)
  assert.equal(await disk.read(key), null)
})

test('spec 4.2 media upload 502, spec 7.1 502 MEDIA_UPLOAD_FAILED: an upload that the storage does not accept is answered with 502, and no record is created', async () => {
  await makeUpload(api)
  const before = (await db`select from media`).length
  const folder = join(config.dataDir, 'files')
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  const answer = await upload(api, { content: 'x'.repeat(3_000_000) })
  assertEnvelope(answer, 502, 'MEDIA_UPLOAD_FAILED', null)
  assert.equal((await db`select from media`).length, before)
  rmSync(folder)
  mkdirSync(folder)
  await makeUpload(api)
})

test('a failed upload can be repeated with the same Idempotency-Key', async () => {
  const folder = join(config.dataDir, 'files')
  const headers = { 'idempotency-key': 'after-failure' }
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  assert.equal((await upload(api, { content: 'once more' }, headers)).status, 502)
  rmSync(folder)
  assert.equal((await upload(api, { content: 'once more' }, headers)).status, 201)
  await until(async () => (await db`select from stray_objects where due_at > now()`).length === 0)
})

test('a file whose object is missing answers 404', async () => {
  const { id } = await makeUpload(api)
  rmSync(join(config.dataDir, 'files'), { recursive: true })
  assert.equal((await api.get(`/media/${id}`)).status, 404)
})
