import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from '../../src/core/db/db.ts'
import { type Client, createClient } from '../client.ts'
import { startDovecot } from '../dovecot.ts'
import { makeMail } from '../mail.ts'
import { needs } from '../needs.ts'
import { until } from '../until.ts'
import { createMailbox } from './create-mailbox.ts'
import { deskbell, keyOf, makeDataDir, makeFolder, socketDirOf, startServer, stopServer } from './program.ts'

/** After a backup is restored, the emails since that backup are fetched again. */

const before = ['First', 'Second', 'Third']
const since = ['Fourth', 'Fifth', 'Sixth']

interface Listed {
  subject: string
}

const untilTickets = (api: Client, subjects: string[]) =>
  until(async () => {
    const { items } = (await api.get('/tickets?page_size=100')).body
    return items.length >= subjects.length && items.map((ticket: Listed) => ticket.subject)
  }, 60)

async function startOn(t: TestContext, dataDir: string, key?: string) {
  const server = await startServer(t, { DATA_DIR: dataDir })
  const api = createClient(`${server.url}/api/v1`, key ?? keyOf(server))
  return { server, api, key: key ?? keyOf(server) }
}

/** Otherwise, the mailbox waits until the lease in the backup has ended. */
async function endLease(dataDir: string): Promise<void> {
  const target = { host: socketDirOf(dataDir), port: 5432, user: 'deskbell', database: 'deskbell' }
  const db = connect(target, { max: 1 })
  await db`update mailboxes set lease_until = null`
  await db`update due_work set due_at = now() where kind = 'mailboxes'`
  await db.end()
}

test(
  'after a restore, the emails since the backup are fetched again, and none of them becomes two tickets',
  needs('dovecot'),
  async t => {
    const dovecot = await startDovecot(t, { users: { support: 'secret' } })
    const deliver = (subject: string) => dovecot.deliver('support@example.com', makeMail(subject))
    const [old, restored] = [makeDataDir(t), join(makeFolder(t), 'restored')]
    const { server, api, key } = await startOn(t, old)
    for (const subject of before) await deliver(subject)
    await createMailbox(old, dovecot.imapPort)
    await untilTickets(api, before)
    const file = join(makeFolder(t), 'desk.backup')
    const made = await deskbell({ DATA_DIR: old }, 'backup', file)
    assert.equal(made.status, 0, made.stderr)
    for (const subject of since) await deliver(subject)
    await untilTickets(api, [...before, ...since])
    await stopServer(server)

    const outcome = await deskbell({ DATA_DIR: restored }, 'restore', file)
    assert.equal(outcome.status, 0, outcome.stderr)
    const again = await startOn(t, restored, key)
    await endLease(restored)
    await deliver('Last')
    const all = [...before, ...since, 'Last']
    assert.deepEqual((await untilTickets(again.api, all)).sort(), all.sort())
    const { items } = (await again.api.get('/mail-log?page_size=100')).body
    assert.deepEqual(items.map(({ subject }: Listed) => subject).sort(), all)
    const { id } = items.find(({ subject }: Listed) => subject === 'First')
    const raw = await fetch(`${again.server.url}/api/v1/mail-log/${id}/raw`, {
      headers: { authorization: `Bearer ${key}` },
    })
    assert.match(await raw.text(), /^Subject: First\r$/m)
  },
)
