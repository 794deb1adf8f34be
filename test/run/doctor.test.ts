import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deskbell, makeFolder, startServer, stopServer } from './program.ts'

/** What doctor reports about running processes. Its other checks are tested in src/doctor. */

interface Report {
  ok: boolean
  checks: { name: string; ok: boolean; message: string }[]
}

async function examine(settings: Record<string, string>) {
  const { status, stdout } = await deskbell(settings, 'doctor', '--json')
  const { ok, checks } = JSON.parse(stdout) as Report
  assert.equal(ok, status === 0)
  return {
    status,
    server: checks.find(({ name }) => name === 'server')?.message,
    wrong: checks.filter(one => !one.ok).map(one => one.message),
  }
}

test('doctor names the wrong setting', async () => {
  const { status, wrong } = await examine({ PORT: 'abc' })
  assert.deepEqual([status, wrong], [1, ['PORT: "abc" is not a whole number from 0 to 65535']])
})

test('doctor checks a running server with its own settings, and a stopped installation with those of the shell', async context => {
  const DATA_DIR = makeFolder(context)
  const own = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'desk@example.com', SMPT_URL: 'x' }
  const server = await startServer(context, { DATA_DIR, ...own })
  assert.match(server.stderr, /SMPT_URL is not a setting; did you mean SMTP_URL\?/)
  const running = await examine({ DATA_DIR })
  assert.match(
    running.server!,
    new RegExp(`^process ${server.child.pid} \\(http, deliver, jobs, channels\\) is running`),
  )
  assert.equal(running.wrong.length, 2)
  assert.match(running.wrong[0]!, /^SMPT_URL is not a setting/)
  assert.match(running.wrong[1]!, /^SMTP_URL: the mail server 127\.0\.0\.1:9 cannot be used/)
  await stopServer(server)
  assert.deepEqual(readdirSync(join(DATA_DIR, 'processes')), [])
  const resting = await examine({ DATA_DIR })
  assert.match(resting.server!, /^none is running on this DATA_DIR/)
  assert.deepEqual(resting.wrong, [])
  rmSync(join(DATA_DIR, 'secret.key'))
  assert.match((await examine({ DATA_DIR })).wrong[0]!, /^SECRET_KEY: .*restore secret\.key/)
  assert.ok(!existsSync(join(DATA_DIR, 'secret.key')))
})

test('doctor finds nothing wrong with a new installation, and does not count a killed server as running', async context => {
  const DATA_DIR = makeFolder(context)
  const running = await startServer(context, { DATA_DIR })
  const { status: healthy, stdout } = await deskbell({ DATA_DIR }, 'doctor')
  assert.equal(healthy, 0, stdout)
  assert.match(stdout, /^(ok .*\n)+No problems found\.\n$/)
  await stopServer(running, 'SIGKILL')
  const { status, server } = await examine({ DATA_DIR })
  assert.equal(status, 0)
  assert.match(server!, /^none is running/)
})
