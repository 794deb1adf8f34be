import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { listMessages, openBot } from '../../../../test/telegram/bots.ts'
import { until } from '../../../../test/until.ts'

/** Files that cannot be downloaded. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const upload = (name: string) => ({ name, type: 'text/plain', content: Buffer.from('7 EUR') })

test('editing a caption keeps the lines about missing files', async t => {
  const { standIn, ann, settled } = await openBot(t, server)
  standIn.world.hasLocalPaths = true
  const { message_id } = await ann.file('document', upload('invoice.txt'), { caption: 'My invoyce' })
  await settled()
  const [before] = await listMessages(server, ann.person.id)
  const [, line] = before!.content.split('\n')
  assert.match(line!, /^📎 invoice\.txt/)
  ann.edit(message_id, { caption: 'My invoice' })
  await settled()
  const [after] = await listMessages(server, ann.person.id)
  assert.deepEqual(after!.content.split('\n'), ['My invoice', line])
})

test('a late part of an album keeps the lines about missing files', async t => {
  const { standIn, ann, settled } = await openBot(t, server)
  standIn.world.hasLocalPaths = true
  const parts = await ann.album([{ kind: 'document', upload: upload('1.txt'), caption: 'Both' }])
  await settled()
  await ann.file('document', upload('2.txt'), { media_group_id: parts[0]!.media_group_id })
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const lines = message!.content.split('\n')
  assert.deepEqual([lines[0], lines[1]!.slice(0, 8), lines[2]!.slice(0, 8)], ['Both', '📎 1.txt', '📎 2.txt'])
})

test('a file that is only on the disk of a server with --local is named along with the reason', async t => {
  const { standIn, ann, settled } = await openBot(t, server)
  standIn.world.hasLocalPaths = true
  await ann.file('document', upload('invoice.txt'))
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  assert.match(message!.content, /^📎 invoice\.txt \(0\.0 MB\): This bot's server runs with --local/)
})

test('stopping a process aborts its downloads, and another process downloads the file', async t => {
  const { standIn, ann, id, handling } = await openBot(t, server)
  let downloads = 0
  standIn.world.findFault = ({ method }) => {
    if (method !== 'download') return undefined
    downloads++
    return { delayMs: 120_000 }
  }
  await ann.file('document', upload('slow.txt'))
  await until(() => downloads === 1)
  const begun = performance.now()
  await handling.stop()
  // The download would take two minutes.
  assert.ok(performance.now() - begun < 60_000)
  const [row] = await server.db<{ attempts: number; state: string }[]>`
    select attempts, state from telegram_updates where bot_id = ${id}`
  assert.deepEqual({ ...row }, { attempts: 0, state: 'stored' })
})

test('no file is lost if a proxy answers instead of the server', async t => {
  const { standIn, ann, settled } = await openBot(t, server)
  let downloads = 0
  standIn.world.findFault = ({ method }) =>
    method === 'download' && downloads++ === 0 ? { proxyStatus: 404 } : undefined
  await ann.file('document', upload('kept.txt'))
  await settled()
  const [message] = await listMessages(server, ann.person.id)
  const { media } = (await server.api.get(`/messages/${message!.id}`)).body
  assert.deepEqual(
    media.map(({ filename }: { filename: string }) => filename),
    ['kept.txt'],
  )
})
