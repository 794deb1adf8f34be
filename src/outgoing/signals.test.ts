import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nobody } from '../../test/cast.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { newId } from '../core/ids.ts'
import { receiveNotifications, sendNotifications } from '../events/bridge.ts'
import { transact } from '../events/transaction.ts'
import { wakeAccount } from './queue.ts'
import { outgoingSignals } from './signals.ts'

/** Notifications about waiting messages, including alongside processes of an older version that knows only mailboxes. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test('older processes are notified only about mailboxes, in the format that they know', async t => {
  const { db, log, acme } = server
  const [mailbox, chat] = [newId(), newId()]
  const payloads: string[] = []
  const old = await db.listen('deskbell_outgoing', payload => void payloads.push(payload))
  const telegram: string[] = []
  const other = await db.listen('deskbell_outgoing_telegram', payload => void telegram.push(payload))
  const stop = sendNotifications(db, log)
  t.after(async () => {
    stop()
    await old.unlisten()
    await other.unlisten()
  })
  await transact(db, acme.id, async tx => {
    wakeAccount(tx, chat, 'telegram')
    wakeAccount(tx, mailbox)
  })
  await until(() => payloads.length > 0 && telegram.length > 0)
  const withoutSender = (payload: string) => payload.split(',').slice(1)
  assert.deepEqual(payloads.map(withoutSender), [[`${acme.id}/${mailbox}`]])
  assert.deepEqual(telegram.map(withoutSender), [[`${acme.id}/${chat}`]])
})

test('a notification from an older process wakes the email worker, not the Telegram worker', async t => {
  const { db, log, acme } = server
  const heard: string[] = []
  const unlisten = [
    outgoingSignals.email.on((_, id) => void heard.push(`email ${id}`)),
    outgoingSignals.telegram.on((_, id) => void heard.push(`telegram ${id}`)),
  ]
  const stop = receiveNotifications(db, log)
  t.after(async () => {
    for (const one of unlisten) one()
    await stop()
  })
  const mailbox = newId()
  const notify = () => db`select pg_notify('deskbell_outgoing', ${`${nobody},${acme.id}/${mailbox}`})`
  await until(async () => {
    await notify()
    return heard.length > 0
  })
  assert.deepEqual([...new Set(heard)], [`email ${mailbox}`])
})
