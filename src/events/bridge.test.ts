import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { nobody } from '../../test/cast.ts'
import { createDatabase } from '../../test/database.ts'
import { until } from '../../test/until.ts'
import { newId } from '../core/ids.ts'
import { createLog } from '../core/telemetry/log.ts'
import { receiveNotifications, sendNotifications } from './bridge.ts'
import { notifierHealth, notifyLogChange, onLogChange } from './notifier.ts'

const log = createLog('silent')

/** Collects the notifications that this process receives, in order. */
async function listenIn(context: TestContext) {
  const { db, drop } = await createDatabase()
  const heard: string[] = []
  const unlisten = onLogChange((projectId, from) => void heard.push(`${from} ${projectId}`))
  const undo = [unlisten, receiveNotifications(db, log), sendNotifications(db, log)]
  context.after(async () => {
    for (const one of undo) await one()
    await drop()
  })
  const hear = async (count: number) => {
    await until(() => heard.length >= count)
    return heard.splice(0)
  }
  // Each new connection starts with a notification for all projects.
  assert.deepEqual(await hear(1), ['remote '])
  const notify = (payload: string) => db`select pg_notify('deskbell_bell', ${payload})`
  return { db, hear, notify }
}

test('readers of this process receive notifications of another process for their projects', async context => {
  const { hear, notify } = await listenIn(context)
  const projects = [newId(), newId()]
  await notify(`${nobody},${projects}`)
  assert.deepEqual(
    await hear(2),
    projects.map(id => `remote ${id}`),
  )
})

test('a notification of another process without projects is for all', async context => {
  const { hear, notify } = await listenIn(context)
  await notify(nobody)
  assert.deepEqual(await hear(1), ['remote '])
})

test('notifications within a few milliseconds are sent as one, and not received by their sender', async context => {
  const { db, hear, notify } = await listenIn(context)
  const payloads: string[] = []
  const listening = await db.listen('deskbell_bell', payload => void payloads.push(payload))
  const projects = [newId(), newId()]
  for (const id of [...projects, ...projects]) notifyLogChange(id)
  await until(() => payloads.length > 0)
  assert.deepEqual(payloads[0]!.split(',').slice(1), projects)
  await notify(`${nobody},last`)
  assert.deepEqual(await hear(5), [...projects, ...projects].map(id => `local ${id}`).concat('remote last'))
  assert.deepEqual(payloads.length, 2)
  await listening.unlisten()
})

test('notifications for very many projects are sent as one for all projects', async context => {
  const { db } = await listenIn(context)
  const payloads: string[] = []
  const listening = await db.listen('deskbell_bell', payload => void payloads.push(payload))
  for (let count = 0; count < 300; count++) notifyLogChange(newId())
  await until(() => payloads.length > 0)
  assert.equal(payloads[0]!.split(',').length, 1)
  await listening.unlisten()
})

test('knows that notifications between processes arrive', async context => {
  await listenIn(context)
  await until(() => !notifierHealth.isLost)
})
