import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMessage, makeTicket } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
after(() => server.close())

const ticket = await makeTicket(server.api)

/** The URL of each link in a message of plain text, and the text without tags. */
async function linksIn(content: string): Promise<{ links: string[]; text: string; html: string }> {
  const { content_html: html } = await makeMessage(server.api, ticket.id, { content })
  const links = [...html.matchAll(/<a href="([^"]*)" rel="noopener noreferrer nofollow" target="_blank">/g)]
  return { links: links.map(([, href]) => href!), text: html.replaceAll(/<[^>]*>/g, ''), html }
}

for (const [content, ...expected] of [
  ['See https://example.com/a?b=1&c=2. And', 'https://example.com/a?b=1&amp;c=2'],
  ['(https://example.com/p_(q))', 'https://example.com/p_(q)'],
  ['HTTPS://Example.com/ä, http://localhost:8080!', 'HTTPS://Example.com/ä', 'http://localhost:8080'],
  ['one https://a.example/\ntwo <https://b.example/x>', 'https://a.example/', 'https://b.example/x'],
  ["https://a.example/it's?", 'https://a.example/it&#39;s'],
  ['https://b.example/。', 'https://b.example/'],
  ['javascript:alert(1) https:// https://. http://[x'],
  ['"https://a.example/" onclick="alert(1)"', 'https://a.example/'],
] as const)
  test(`the links in ${JSON.stringify(content)} are ${JSON.stringify(expected)}`, async () => {
    const { links, html } = await linksIn(content)
    assert.deepEqual(links, expected)
    assert.doesNotMatch(html, /<a [^>]*(?:onclick|javascript)/i)
  })

test('the text around links is complete', async () => {
  const content = 'A https://a.example/(b), (https://c.example). D'
  assert.equal((await linksIn(content)).text, content)
})
