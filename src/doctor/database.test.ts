import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { assertWrong, startInstallation } from '../../test/examined.ts'
import { freePort } from '../../test/free-port.ts'
import { makeFolder } from '../../test/run/program.ts'
import { type S3, s3Options, settingsOf, startS3 } from '../../test/s3.ts'
import { until } from '../../test/until.ts'
import { makeUpload } from '../../test/upload.ts'
import { connect } from '../core/db/db.ts'
import { countJobRuns } from '../job-runs.ts'
import { recordBackupTime } from '../last-backup.ts'
import { setBucket } from '../media/media.ts'
import { answerDoctor, examinedBy, type ProcessEntry, processFolderOf } from './answer.ts'
import { askServers } from './ask.ts'

/** Installations with a broken database, file or bucket. `doctor` must report each fault. */

const installation = await startInstallation()
const { server, config, vault, examine } = installation
const { db, acme, api, target } = server
after(() => installation.close())

/** The fault, the check that reports it, and the statements that cause and repair it. */
const statements: [what: string, name: string, message: RegExp, breaking: string, repair: string][] = [
  [
    'an index is missing',
    'schema',
    /^the database lacks index webhook_queue_due; /,
    'drop index webhook_queue_due',
    'create index webhook_queue_due on webhook_queue (webhook_id, run_at)',
  ],
  [
    'a constraint is missing',
    'schema',
    /^the database lacks constraint users_email_check; /,
    'alter table users drop constraint users_email_check',
    'alter table users add constraint users_email_check check (email = lower(email))',
  ],
  [
    'a trigger is disabled',
    'schema',
    /^trigger \w+: not active; /,
    'alter table media disable trigger user',
    'alter table media enable trigger user',
  ],
  [
    'no trigger runs',
    'schema',
    /^session_replication_role is not "origin"/,
    `alter database ${target.database} set session_replication_role = replica`,
    `alter database ${target.database} reset session_replication_role`,
  ],
  [
    'the database is newer than the program',
    'migrations',
    /^The database is newer than this Deskbell/,
    "insert into schema_migrations (version, name, checksum) values (9999, 'later', 'x')",
    'delete from schema_migrations where version = 9999',
  ],
  [
    'nobody can sign in',
    'access',
    /^nobody has an account that can sign in; create a link: /,
    'create table kept as select * from user_logins; delete from user_logins',
    'insert into user_logins select * from kept; drop table kept',
  ],
  [
    'a delivery is overdue',
    'deliveries',
    /^the oldest has been due for 3\d\d s/,
    `with w as (insert into webhooks (project_id, id, url, secret) values ('${acme.id}', gen_random_uuid(), 'http://127.0.0.1:9', '') returning *)
     insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, is_test, run_at, created_at)
     select project_id, id, gen_random_uuid(), gen_random_uuid(), 'webhook.test', true, now() - interval '5 minutes', now() from w`,
    'delete from webhook_queue',
  ],
  [
    'the target of a webhook has failed for a long time',
    'targets',
    /^targets accept no deliveries: 127\.0\.0\.1:9 of Acme \(40 failed in a row\)/,
    'update webhooks set consecutive_failures = 40',
    'delete from webhooks',
  ],
]

for (const [what, name, message, breaking, repair] of statements) {
  test(`doctor reports an error if ${what}`, async () => {
    await db.unsafe(breaking)
    try {
      assertWrong(await examine(), name, message)
    } finally {
      await db.unsafe(repair)
    }
  })
}

test('doctor reports an error if the last backup is too old, with its age', async () => {
  await db`update installation set created_at = now() - interval '60 days'`
  assertWrong(await examine(), 'backup', /^none was made in 60 days; run: bin\/deskbell backup FILE$/)
  recordBackupTime(config.dataDir, new Date(Date.now() - 30.5 * 86_400_000))
  assertWrong(await examine(), 'backup', /^the last one is 30 days old; /)
  recordBackupTime(config.dataDir)
  assert.deepEqual(await examine(), {})
})

test('doctor reports an error if building an index was interrupted', async () => {
  await db`create table twice as select 1 as one from generate_series(1, 2)`
  await assert.rejects(db.unsafe('create unique index concurrently half_built on twice (one)'))
  assertWrong(await examine(), 'schema', /^index half_built: not active; rebuild the index/)
  await db`drop table twice`
})

test('doctor names the process that keeps a table locked', async context => {
  const other = connect(target, { max: 1 })
  context.after(() => other.end({ timeout: 1 }))
  const { promise, resolve } = Promise.withResolvers<void>()
  const holding = other.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table messages in exclusive mode`
    await promise
  })
  const wrong = await until(async () => {
    const found = await examine()
    return found.locks ? found : null
  })
  assertWrong(
    wrong,
    'locks',
    /^process \d+ \(deskbell, idle in transaction for \d+ s: .*\) keeps the table messages locked; .*pg_terminate_backend/,
  )
  resolve()
  await holding
})

test('doctor reports an error if the secret key is not the one of the database', async () =>
  assertWrong(
    await examine({ secretKey: randomBytes(32) }),
    'secret key',
    /^SECRET_KEY: .* encrypted with another key/,
  ))

test('doctor reports an unreachable database, and still checks everything else', async () => {
  const away = { ...config, databaseUrl: 'postgres://u:p@127.0.0.1:9/x', publicUrl: 'http://desk.invalid' }
  const wrong = await examine(away, examinedBy(away, { url: away.databaseUrl }))
  assert.deepEqual(Object.keys(wrong), ['address', 'database'])
  assert.match(
    wrong.database!,
    /^DATABASE_URL: cannot use the database at 127\.0\.0\.1:9\/x: .*start that server$/,
  )
})

test("doctor reports an error if a message's file is missing or truncated", async () => {
  const { id } = await makeUpload(api, { content: 'whole', filename: 'gone.txt' })
  const [row] = await db`select storage_key from media where project_id = ${acme.id} and id = ${id}`
  const path = join(config.dataDir, 'files', row!.storage_key.slice(0, 2), row!.storage_key)
  const message = /^1 of 1 files are missing or incomplete: gone\.txt; restore them/
  assert.deepEqual(await examine(), {})
  truncateSync(path, 2)
  assertWrong(await examine(), 'files', message)
  rmSync(path)
  assertWrong(await examine(), 'files', message)
  await db`delete from media where project_id = ${acme.id}`
})

test('doctor reports an error if a background job keeps failing', async () => {
  const run = countJobRuns('tried', async () => assert.fail('no room'), 'regularly')
  for (const _ of [1, 2, 3]) await assert.rejects(run())
  assertWrong(await examine(), 'jobs', /^"tried" has failed 3 times in a row \(no room\); /)
  await countJobRuns('tried', async () => {}, 'regularly')()
  assert.deepEqual(await examine(), {})
})

test('doctor does not report a file as missing if its bucket refuses the key', s3Options, async context => {
  const s3: S3 = await startS3()
  context.after(s3.stop)
  await makeUpload(api, { content: 'whole', filename: 'kept.txt' })
  await setBucket({ ...server, vault, config }, acme.id, s3.makeBucket('files'))
  await db`update media set bucket_id = (select id from buckets where project_id = ${acme.id})
    where project_id = ${acme.id}`
  assertWrong(await examine(), 'files', /^1 of 1 files are missing or incomplete: kept\.txt; restore them/)
  await s3.rotate('other-secret')
  assert.match((await examine()).files!, /^1 of 1 files cannot be read \(SignatureDoesNotMatch: /)
  // Otherwise the deleted file is left to the cleanup job, which still needs the bucket.
  await db`update media set bucket_id = null where project_id = ${acme.id}`
  await db`delete from media where project_id = ${acme.id}`
  await db`delete from buckets where project_id = ${acme.id}`
})

test('doctor checks the bucket of the installation and those of projects', s3Options, async context => {
  const s3: S3 = await startS3()
  context.after(s3.stop)
  const place = s3.makeBucket('files')
  const good = settingsOf(place)
  assert.deepEqual(await examine(good), {})
  assert.deepEqual(s3.listObjects('files'), [])
  const broken: [object, RegExp][] = [
    [{ ...good, s3Bucket: 'none' }, /^The bucket none at .* cannot be used \(NoSuchBucket: /],
    [
      { ...good, s3SecretAccessKey: 'wrong' },
      /^The bucket files at .* cannot be used \(SignatureDoesNotMatch: /,
    ],
    [
      { ...good, s3Endpoint: 'http://127.0.0.1:9' },
      /^The bucket files at http:\/\/127\.0\.0\.1:9 cannot be used .*ECONNREFUSED/,
    ],
  ]
  for (const [settings, message] of broken) assertWrong(await examine(settings), 'buckets', message)
  await setBucket({ ...server, vault, config }, acme.id, place)
  assert.deepEqual(await examine(), {})
  const encrypted = await examine({ publicUrl: 'https://localhost' })
  assert.match(
    encrypted.buckets!,
    /^Browsers do not load files from the bucket files at http:.*use an https address/,
  )
  await s3.rotate('other-secret')
  assertWrong(
    await examine(),
    'buckets',
    /^The bucket files at .*SignatureDoesNotMatch.* or the bucket of the project$/,
  )
  await db`delete from buckets where project_id = ${acme.id}`
})

/** Accepts connections and does not respond. */
async function startHanging(context: TestContext): Promise<number> {
  const port = await freePort()
  const hanging = createServer(socket => void setTimeout(() => socket.destroy(), 200)).listen(
    port,
    '127.0.0.1',
  )
  context.after(() => hanging.close())
  return port
}

test('doctor queries the running server, and reports an error if it does not respond', async context => {
  const dataDir = makeFolder(context)
  const stop = await answerDoctor({ ...config, dataDir, publicUrl: 'http://desk.invalid' }, target)
  const [answer] = await askServers(dataDir)
  assert.match(
    answer!.checks.find(({ name }) => name === 'address')!.message,
    /desk\.invalid cannot be found/,
  )
  await stop()
  assert.deepEqual(await askServers(dataDir), [])
  const entry = { host: hostname(), pid: 7, port: await startHanging(context), token: 'x', roles: ['http'] }
  mkdirSync(processFolderOf(dataDir), { recursive: true })
  writeFileSync(join(processFolderOf(dataDir), 'x.json'), JSON.stringify(entry))
  const [silent] = await askServers(dataDir)
  assert.match(silent!.checks[0]!.message, /^process 7 \(http\) does not answer/)
})

test("doctor's port answers 404 without the token", async context => {
  const dataDir = makeFolder(context)
  context.after(await answerDoctor({ ...config, dataDir }, target))
  const [name] = readdirSync(processFolderOf(dataDir))
  const file = join(processFolderOf(dataDir), name!)
  assert.equal(statSync(file).mode & 0o077, 0)
  const { port, token } = JSON.parse(readFileSync(file, 'utf8')) as ProcessEntry
  for (const authorization of ['', 'Bearer x', `Bearer ${token.slice(0, -1)}x`]) {
    const response = await fetch(`http://127.0.0.1:${port}`, { headers: { authorization } })
    assert.deepEqual([response.status, await response.text()], [404, ''])
  }
})
