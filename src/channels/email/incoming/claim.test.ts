import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeListeningMailbox } from '../../../../test/mail.ts'
import { startServer } from '../../../../test/server.ts'
import { newId } from '../../../core/ids.ts'
import { lockStoredMails } from './incoming-queries.ts'

test('a claim takes no more emails than its limit, however Postgres joins', async t => {
  const server = await startServer({ delivers: false })
  t.after(() => server.close())
  const { db, acme } = server
  const mailbox = await makeListeningMailbox(server, 'claims@example.com')
  const rows = Array.from({ length: 20 }, () => ({
    ...{ project_id: acme.id, id: newId(), mailbox_id: mailbox.id, source: 'lmtp', size: 1 },
    received_at: new Date().toISOString(),
  }))
  await db`insert into incoming_mails ${db(rows)}`
  await db.begin(async tx => {
    for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort'])
      await tx.unsafe(`set local enable_${way} = off`)
    const claimed = await lockStoredMails(tx as never, acme.id, { limit: 1, leaseMs: 60_000 })
    const [row] = await tx`select count(*)::int as count from incoming_mails where attempts > 0`
    assert.deepEqual([claimed.length, row!.count], [1, 1])
  })
})

test('an email that ended a process after a person had decided about it is a suspect', async t => {
  const server = await startServer({ delivers: false })
  t.after(() => server.close())
  const { db, acme } = server
  const mailbox = await makeListeningMailbox(server, 'suspects@example.com')
  const decision = { kind: 'reparse', ticket_id: null, by: { type: 'cli' }, attempts: 3 }
  const row = {
    ...{ project_id: acme.id, id: newId(), mailbox_id: mailbox.id, source: 'lmtp', size: 1 },
    ...{ received_at: new Date().toISOString(), attempts: 3, decision: db.json(decision) },
  }
  await db`insert into incoming_mails ${db(row as never)}`
  const claim = async (withSuspects: boolean) => {
    await db`update incoming_mails set due_at = now()`
    return (await lockStoredMails(db, acme.id, { limit: 1, leaseMs: 60_000, withSuspects })).map(
      mail => mail.is_suspect,
    )
  }
  assert.deepEqual(await claim(false), [false])
  assert.deepEqual(await claim(false), [])
  assert.deepEqual(await claim(true), [true])
})
