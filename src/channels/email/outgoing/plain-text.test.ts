import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import PostalMime from 'postal-mime'
import { openEmailTicket, openSender, sendMails, waitForDelivery } from '../../../../test/mail/sending.ts'
import { type Sink, startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'

/** What readers of plain text see of a formatted message. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

async function sendFormatted(sink: Sink, ticket: { id: string; email: string }, content: string) {
  const sender = await openSender(server, sink)
  const { body } = await server.api.post(`/tickets/${ticket.id}/messages`, {
    content,
    content_format: 'markdown',
    email: { to: [ticket.email], mailbox_id: sender.id },
  })
  await waitForDelivery(server, body.id)
  return PostalMime.parse(sink.mails.at(-1)!.raw)
}

const markdown = `2 \\* 3 is **six**, see [our guide](https://help.example/guide), example.com and ann@example.com

3. three
4. four

> Quoted

![A bell](https://help.example/bell.png)`

const plain = `2 * 3 is six, see our guide [https://help.example/guide], example.com and ann@example.com

 3. three
 4. four

> Quoted

A bell`

test('the text part of an email has no Markdown characters, and keeps lists, quotes and addresses', async t => {
  const sink = await startSink(t)
  sendMails(t, server)
  const ticket = await openEmailTicket(server)
  const { text = '', html = '' } = await sendFormatted(sink, ticket, markdown)
  assert.equal(text.replaceAll('\r', '').trim().slice(0, plain.length), plain)
  assert.match(html, /<ol[^>]* start="3"/)
  const { text: next = '' } = await sendFormatted(sink, ticket, 'And now?')
  assert.match(next.replaceAll('\r', ''), /^> 2 \* 3 is six, see our guide /m)
})

test('the list of tickets shows the words of the last message, not its Markdown or tags', async () => {
  const { id } = await openEmailTicket(server)
  const shown = async (content: string, content_format: string) => {
    await server.api.post(`/tickets/${id}/messages`, { content, content_format, is_internal: true })
    return (await server.api.get(`/tickets/${id}`)).body.last_message.preview
  }
  assert.equal(await shown('2 \\* 3 is **six**\nand `more`', 'markdown'), '2 * 3 is six and more')
  assert.equal(await shown('<p>One</p><p>t<b>w</b>o</p>', 'html'), 'One two')
})
