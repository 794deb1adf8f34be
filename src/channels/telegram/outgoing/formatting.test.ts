import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatted } from '../../../../test/editor.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { openConversation, sendMessages, waitForDelivery } from '../../../../test/telegram/sending.ts'

/** Formatted replies in Telegram. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test('everything that can be written in the editor arrives with its formatting', async t => {
  const { ann, reply } = await openConversation(t, server)
  sendMessages(t, server)
  const id = await reply(formatted, { content_format: 'markdown' })
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  const [{ text = '', entities = [] } = {}] = ann.received
  assert.equal(text, 'Hello Ann, see our guide.\n\n• one\n• two\n\nQuoted\n\nSize | Price\nS | 9\nM | 12')
  assert.deepEqual(
    entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]),
    [
      ['bold', 'Ann'],
      ['text_link', 'our guide'],
      ['blockquote', 'Quoted'],
      ['bold', 'Size'],
      ['bold', 'Price'],
    ],
  )
})

test('a numbered list that starts at 3 is sent with its numbers', async t => {
  const { ann, reply } = await openConversation(t, server)
  sendMessages(t, server)
  await waitForDelivery(server, await reply('3. three\n4. four', { content_format: 'markdown' }))
  assert.deepEqual(
    ann.received.map(({ text }) => text),
    ['3. three\n4. four'],
  )
})
