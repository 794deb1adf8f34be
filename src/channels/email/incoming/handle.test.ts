import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeListeningMailbox, makeMail } from '../../../../test/mail.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { newId } from '../../../core/ids.ts'
import { createStorages } from '../../../media/media.ts'
import { finishMail, startHandling } from './handle.ts'
import { storeIncoming } from './store.ts'

/** How many emails are handled concurrently, and whose. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

async function store(projectId: string, count: number): Promise<void> {
  const mailbox = await makeListeningMailbox(server, `${newId()}@example.com`, {
    ...server.acme,
    id: projectId,
  })
  const deps = { ...server, storages: createStorages(server) }
  const origin = { project_id: projectId, mailbox_id: mailbox.id, source: 'lmtp' as const }
  for (let at = 0; at < count; at++) {
    async function* content() {
      yield Buffer.from(makeMail())
    }
    await storeIncoming(deps, { ...origin, received_at: new Date().toISOString() }, content())
  }
}

test('projects share a process equally, however many emails one of them has', async t => {
  const ids = [server.acme.id, server.rival.id, newId()] as const
  await server.db`
    insert into projects (id, name, slug, plan) select ${ids[2]}, 'Third', 'third-project', plan from projects where id = ${ids[0]}`
  await store(ids[0], 30)
  await store(ids[1], 30)
  await store(ids[2], 3)
  const started: string[] = []
  const waiting: (() => void)[] = []
  const handling = startHandling({
    ...server,
    async onMail(mail) {
      started.push(mail.project_id)
      await new Promise<void>(resolve => void waiting.push(resolve))
      return finishMail(server.db, mail, { state: 'done', outcome: 'new' })
    },
  })
  t.after(async () => {
    const stopping = handling.stop()
    while (waiting.length) waiting.shift()!()
    await stopping
  })
  const countOf = (id: string) => started.filter(one => one === id).length
  await until(() => started.length === 16)
  assert.deepEqual(ids.map(countOf), [7, 6, 3])
})

test('emails that may have ended a process are handled one at a time, while others are handled too', async t => {
  const { db, acme } = server
  await db`update incoming_mails set state = 'done'`
  await store(acme.id, 3)
  await db`update incoming_mails set attempts = 1 where state = 'stored'`
  await store(acme.id, 1)
  const ids = (await db`select id from incoming_mails where state = 'stored' order by id`).map(({ id }) => id)
  const running = new Map<string, () => void>()
  const handling = startHandling({
    ...server,
    async onMail(mail) {
      await new Promise<void>(resolve => running.set(mail.id, resolve))
      running.delete(mail.id)
      return finishMail(db, mail, { state: 'done', outcome: 'new' })
    },
  })
  t.after(async () => {
    const stopping = handling.stop()
    for (const finish of running.values()) finish()
    await stopping
  })
  await until(() => running.has(ids[3]))
  assert.deepEqual([...running.keys()], [ids[0], ids[3]])
  running.get(ids[0])!()
  await until(() => running.has(ids[1]))
  assert.deepEqual([...running.keys()], [ids[3], ids[1]])
})
