import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDatabase } from '../database.ts'
import { deskbell, makeFolder, startServer, stopServer } from './program.ts'

interface Report {
  ok: boolean
  checks: { name: string; ok: boolean; message: string }[]
}

async function examine(
  settings: Record<string, string>,
): Promise<{ status: number | null; wrong: string[] }> {
  const { status, stdout } = await deskbell(settings, 'doctor', '--json')
  const report = JSON.parse(stdout) as Report
  assert.equal(report.ok, status === 0)
  return { status, wrong: report.checks.filter(one => !one.ok).map(one => one.message) }
}

test('doctor finds nothing wrong with a fresh installation, and looks at everything', async context => {
  const { status, stdout } = await deskbell({ DATA_DIR: makeFolder(context) }, 'doctor')
  assert.equal(status, 0)
  for (const name of [
    'settings',
    'disk',
    'address',
    'webhooks',
    'database',
    'clock',
    'limits',
    'migrations',
    'secret key',
    'open files',
  ]) {
    assert.match(stdout, new RegExp(`^ok +${name} `, 'm'))
  }
})

test('doctor names the setting that is wrong', async () => {
  assert.deepEqual(await examine({ PORT: 'abc' }), {
    status: 1,
    wrong: ['PORT: "abc" is not a whole number from 0 to 65535'],
  })
})

test('doctor says when too few files may be open for the calls that may wait', async context => {
  const settings = { DATA_DIR: makeFolder(context), UPDATES_WAITING_PER_PROCESS: '1000000' }
  if (!existsSync('/proc/self/limits')) return context.skip('only Linux says how many')
  const { status, wrong } = await examine(settings)
  assert.equal(status, 1)
  assert.match(
    wrong[0]!,
    /1006000; raise the limit .* or lower UPDATES_WAITING_PER_PROCESS and LIVE_TABS_PER_PROCESS$/,
  )
})

test('doctor says that the database cannot be reached and what to do', async context => {
  const { status, wrong } = await examine({
    DATA_DIR: makeFolder(context),
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x',
  })
  assert.equal(status, 1)
  assert.match(wrong[0]!, /^DATABASE_URL: .*127\.0\.0\.1:1\/x.*start that server$/)
})

test('doctor says where requests are counted, and that nothing answers there', async context => {
  const { target, drop } = await createDatabase()
  context.after(drop)
  const settings = {
    DATA_DIR: makeFolder(context),
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
  }
  const { stdout } = await deskbell(settings, 'doctor')
  assert.match(stdout, /^ok +limits +requests are counted in the database$/m)
  const { wrong } = await examine({ ...settings, REDIS_URL: 'redis://u:geheim@127.0.0.1:1' })
  assert.equal(wrong.length, 1)
  assert.match(wrong[0]!, /^REDIS_URL: the Redis at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED.*\), so/)
  assert.match((await examine({ ...settings, RATE_LIMIT_STORE: 'redis' })).wrong[0]!, /redis needs REDIS_URL/)
})

test('doctor notices that the secret key of the data was lost', async context => {
  const DATA_DIR = makeFolder(context)
  await stopServer(await startServer(context, { DATA_DIR }))
  assert.equal((await examine({ DATA_DIR })).status, 0)
  rmSync(join(DATA_DIR, 'secret.key'))
  const { wrong } = await examine({ DATA_DIR })
  assert.match(wrong[0]!, /^SECRET_KEY: .*restore secret\.key/)
})

test('doctor only looks: it makes no secret key and does not tie the database to one', async context => {
  const DATA_DIR = makeFolder(context)
  const { stdout } = await deskbell({ DATA_DIR }, 'doctor')
  assert.match(stdout, /secret key +none yet; the first start makes it/)
  assert.equal(existsSync(join(DATA_DIR, 'secret.key')), false)
  await deskbell({ DATA_DIR }, 'project', 'list')
  for (const digit of ['1', '2']) {
    assert.equal((await examine({ DATA_DIR, SECRET_KEY: digit.repeat(64) })).status, 0)
  }
})
