import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../test/browser.ts'
import { makeMessage, makeTicket } from '../../test/cast.ts'
import { listHostileFiles } from '../../test/corpus/hostile-files.ts'
import { needs } from '../../test/needs.ts'
import { startServer } from '../../test/server.ts'
import { makeUpload } from '../../test/upload.ts'

/** Files from strangers, opened by a real browser in every way in which a page of ours or of another site can refer to them. */

const script = "console.log('a script ran')"
const files = listHostileFiles(script)

const naive: Record<string, string> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/html',
  '.svg': 'image/svg+xml',
  '.xhtml': 'application/xhtml+xml',
  '.xht': 'application/xhtml+xml',
  '.xml': 'text/xml',
  '.rss': 'text/xml',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.gif': 'text/javascript',
  '.bmp': 'text/javascript',
}

const embedding = (address: string): string => `<!doctype html><body>
  <iframe src="${address}"></iframe><object data="${address}"></object><embed src="${address}">
  <img src="${address}"><video src="${address}"></video><link rel="stylesheet" href="${address}">
  <script src="${address}"></script><script type="module" src="${address}"></script>
  <script>window.tried = navigator.serviceWorker.register('${address}').catch(() => {})
  try { new Worker('${address}') } catch {}</script>`

/** Answers like a server that trusts the file name and sends no other headers. */
const answerNaively: RequestListener = ({ url }, response) => {
  const name = decodeURIComponent(url!.slice(1).split('?')[0]!)
  if (!(name in files)) return void response.end('<!doctype html>')
  response.writeHead(200, { 'content-type': naive[extname(name)] ?? 'application/octet-stream' })
  response.end(files[name])
}

const embeddingPath = '/page-that-embeds?'

/** Starts a server with this answer and, in the same origin, a page that embeds one of its URLs. */
async function startFront(answer: RequestListener) {
  const server = createServer((request, response) => {
    const url = request.url!
    if (!url.startsWith(embeddingPath)) return answer(request, response)
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(embedding(decodeURIComponent(url.slice(embeddingPath.length))))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { stop, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/**
 * Opens each file alone and in a page of the same origin, one after another in one tab. Returns the names of those that ran a
 * script.
 */
async function look(page: Page, origin: string, left: [name: string, address: string][]): Promise<string[]> {
  const found = new Set<string>()
  let shown = ''
  page.on('console', message => message.text().includes('a script ran') && found.add(shown))
  page.on('dialog', dialog => {
    found.add(shown)
    void dialog.dismiss()
  })
  for (let next = left.shift(); next; next = left.shift()) {
    const [name, address] = next
    shown = name
    // Navigation to a file that is downloaded ends with an error.
    await page.goto(origin + address).catch(() => {})
    await page.goto(origin + embeddingPath + encodeURIComponent(address))
    await page.evaluate('window.tried')
    // Stops everything still in progress, so that it is not attributed to the next file.
    await page.goto('about:blank')
  }
  return [...found]
}

const options = needs('chromium')
const server = options.skip ? null : await startServer({ delivers: false })
const browser = options.skip ? null : await openBrowser()
after(async () => {
  await browser?.close()
  await server?.close()
})

async function listThatRun(origin: string, addresses: Map<string, string>): Promise<string[]> {
  const context = await browser!.newContext()
  const left = [...addresses]
  const tabs = await Promise.all(
    Array.from({ length: 6 }, async () => look(await context.newPage(), origin, left)),
  )
  await context.close()
  return tabs.flat()
}

test('the test files run scripts if a server trusts their names', options, async t => {
  const { stop, origin } = await startFront(answerNaively)
  const addresses = new Map(Object.keys(files).map(name => [name, `/${encodeURIComponent(name)}`]))
  const found = await listThatRun(origin, addresses)
  stop()
  t.diagnostic(`${found.length} of ${addresses.size}: ${found.join(' ')}`)
  assert.ok(found.length >= 40, `${found.length}`)
})

test('no uploaded file runs a script in a browser', options, async t => {
  const { api, app } = server!
  const { id: ticket } = await makeTicket(api)
  const addresses = new Map<string, string>()
  for (const [filename, content] of Object.entries(files)) {
    const { id } = await makeUpload(api, { filename, content, type: 'text/html' })
    await makeMessage(api, ticket, { media_ids: [id] })
    addresses.set(filename, `/api/media/${id}?inline=1`)
  }
  t.diagnostic(`${addresses.size} files`)
  assert.ok(addresses.size >= 60)
  const { stop, origin } = await startFront((request, response) =>
    app.server.emit('request', request, response),
  )
  assert.deepEqual(await listThatRun(origin, addresses), [])
  stop()
})
