import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  findDelivery,
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import { makeUpload } from '../../../../test/upload.ts'
import { createStorages } from '../../../media/media.ts'

/** Emails that cannot be built or read. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

async function removeObject(key: string): Promise<void> {
  const place = await createStorages(server).find(null)
  await place!.storage.remove(key)
}

/** Uploads a file and removes it from the storage. Returns its id. */
async function uploadMissing(): Promise<string> {
  const { id } = await makeUpload(server.api, { filename: 'plan.txt', content: 'The plan' })
  const [row] = await server.db`select storage_key from media where id = ${id}`
  await removeObject(row!.storage_key)
  return id
}

test('an email whose file is missing fails after its last attempt with the reason, and does not block its mailbox', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  const broken = []
  for (let count = 0; count < 3; count++)
    broken.push(await postEmail(server, sender, { media_ids: [await uploadMissing()] }))
  const whole = await postEmail(server, sender)
  sendMails(t, server, { ...quickTimes, pauses: [20, 20] })
  assert.equal((await waitForDelivery(server, whole)).status, 'sent')
  for (const id of broken) {
    const delivery = await waitForDelivery(server, id)
    assert.partialDeepStrictEqual(delivery, { status: 'failed', error: 'file_missing', attempts: 3 })
    assert.equal((await server.db`select from outgoing_queue where message_id = ${id}`).length, 0)
  }
  assert.equal(sink.mails.length, 1)
  const [mailbox] = await server.db`select send_error, state from mailboxes where id = ${sender.id}`
  assert.deepEqual({ ...mailbox }, { send_error: null, state: 'active' })
})

test('an email that cannot be composed fails after its last attempt', async t => {
  const sink = await startSink(t)
  const id = await postEmail(server, await openSender(server, sink))
  await server.db`update messages set email = email - 'to' where id = ${id}`
  sendMails(t, server, { ...quickTimes, pauses: [20] })
  const [delivery] = await until(async () => {
    const rows =
      await server.db`select delivery_status, delivery_error, delivery_attempts from messages where id = ${id}`
    return rows[0]!.delivery_status === 'failed' && rows
  })
  assert.deepEqual(Object.values(delivery!), ['failed', 'not_built', 2])
})

test('an email whose stored bytes are missing is rebuilt for the next attempt', async t => {
  const sink = await startSink(t, { onMail: () => reply(451, 'Later') })
  const id = await postEmail(server, await openSender(server, sink))
  sendMails(t, server, { ...quickTimes, pauses: Array(500).fill(50) })
  await until(async () => (await findDelivery(server, id)).attempts > 0)
  const [row] = await server.db`select storage_key from outgoing_emails where message_id = ${id}`
  await removeObject(row!.storage_key)
  sink.state.script = {}
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  assert.equal(sink.mails.length, 1)
})
