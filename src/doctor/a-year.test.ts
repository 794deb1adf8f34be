import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { certificate } from '../../test/certificate.ts'
import { assertWrong, startInstallation, startWeb } from '../../test/examined.ts'
import { makeFolder } from '../../test/run/program.ts'
import { describeDisk, describeOwner } from './machine.ts'
import { describeCertificate } from './public-address.ts'

/** Faults that appear over time although no setting was changed. */

const installation = await startInstallation()
const { config, examine, server } = installation
after(() => installation.close())

/** A proxy that sets no X-Forwarded-For header. */
const startBareProxy = (context: TestContext): Promise<string> =>
  startWeb(context, ({ url, method }, response) =>
    request({ port: config.port, host: '127.0.0.1', path: url, method }, answer => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    }).end(),
  )

test('doctor reports an error if a proxy exposes the metrics', async context => {
  const publicUrl = await startBareProxy(context)
  assertWrong(await examine({ publicUrl }), 'metrics', /\/metrics can be read by everybody: let the proxy/)
})

test('doctor reports an error ten days before the certificate of PUBLIC_URL expires', async context => {
  const shown = createServer(certificate)
  await once(shown.listen(0, '127.0.0.1'), 'listening')
  context.after(() => shown.close())
  const publicUrl = `https://127.0.0.1:${(shown.address() as AddressInfo).port}`
  assert.match(await describeCertificate({ publicUrl }), /is good until 2126-10-28$/)
  await assert.rejects(
    describeCertificate({ publicUrl }, Date.parse('2126-10-20')),
    /^Error: PUBLIC_URL: the certificate of 127\.0\.0\.1:\d+ expires on 2126-10-28; renew it/,
  )
})

test('doctor reports an error if the disk runs out of inodes', context => {
  const crowded = () => ({ free: 2 ** 40, size: 2 ** 41, entries: 12 })
  assert.throws(() => describeDisk(makeFolder(context), crowded), /room for only 12 more files \(df -i\)/)
})

test("doctor names folders that the server's user cannot write to", context => {
  const dataDir = makeFolder(context)
  const folder = join(dataDir, 'files/01')
  mkdirSync(folder, { recursive: true })
  assert.equal(describeOwner(dataDir), 'DATA_DIR can be written to')
  assert.throws(
    () => describeOwner(dataDir, path => path !== folder),
    new RegExp(`^Error: the user \\d+ may not write to ${folder}; .* chown -R \\d+ ${dataDir}$`),
  )
})

test('doctor reports a wrong clock if a bucket refuses requests because of it', async context => {
  const skewed = '<Error><Code>RequestTimeTooSkewed</Code><Message>Too far apart.</Message></Error>'
  const s3Endpoint = await startWeb(context, (_request, response) => response.writeHead(403).end(skewed))
  const settings = { s3Bucket: 'files', s3AccessKeyId: 'a', s3SecretAccessKey: 'b', s3Endpoint }
  assertWrong(await examine(settings), 'buckets', /RequestTimeTooSkewed.*set the clock of this machine/)
})

test('doctor reports an error if no process runs work that is long overdue', async context => {
  context.after(() => server.db`delete from due_work where kind = 'snoozes'`)
  await server.db`
    insert into due_work (project_id, kind, subject_id, due_at)
    select id, 'snoozes', id, now() - interval '1 hour' from projects limit 1`
  assertWrong(await examine(), 'work', /^snoozes have been due for 60 min .* start one with the role jobs$/)
  assert.deepEqual(await examine({}, { isServing: false }), {})
})
