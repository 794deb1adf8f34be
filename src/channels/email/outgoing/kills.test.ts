import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findDelivery, openSender, postEmail } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { root } from '../../../core/config/config.ts'

/** Emails of a process that is killed again and again. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test('kills lose no email, and only one that was cut off after its final dot is sent twice', async t => {
  const { target, config } = server
  let child: ChildProcess
  const start = () => {
    const args = [
      join(root, 'test/mail/sending-process.ts'),
      JSON.stringify({ target, dataDir: config.dataDir }),
    ]
    child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('exit', (_code, signal) => {
      if (signal === 'SIGKILL') start()
    })
  }
  t.after(() => child?.kill('SIGTERM'))
  const seen = { recipients: 0, mails: 0 }
  const sink = await startSink(t, {
    onRecipient() {
      if (seen.recipients++ % 7 === 3) child.kill('SIGKILL')
      return undefined
    },
    onMail() {
      if (seen.mails++ % 6 !== 2) return 'accept'
      child.kill('SIGKILL')
      return 'cut'
    },
  })
  const sender = await openSender(server, sink)
  const ids: string[] = []
  for (let count = 0; count < 12; count++)
    ids.push(await postEmail(server, sender, { to: [`r${count}@example.com`] }))
  start()
  const deliveries = await until(async () => {
    const all = await Promise.all(ids.map(id => findDelivery(server, id)))
    return all.every(({ status }) => status === 'sent') && all
  }, 240)
  for (const [at, { error }] of deliveries.entries()) {
    const count = sink.mails.filter(({ to }) => to.includes(`r${at}@example.com`)).length
    if (error === null) assert.equal(count, 1, `r${at}`)
    else assert.ok(count === 1 || count === 2, `r${at} ${error} ${count}`)
  }
  assert.ok(deliveries.some(({ error }) => error === 'maybe_sent_twice'))
})
