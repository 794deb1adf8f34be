import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
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

/** Files of strangers, shown by a real browser in every way in which a page of ours or of others may name them. */

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

/** As a server does that believes the name of a file and says nothing else. */
async function startNaive() {
  const server = createServer(({ url }, response) => {
    const name = decodeURIComponent(url!.slice(1).split('?')[0]!)
    if (!(name in files)) return void response.end('<!doctype html>')
    response.writeHead(200, { 'content-type': naive[extname(name)] ?? 'application/octet-stream' })
    response.end(files[name])
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const embedding = (address: string): string => `<!doctype html><body>
  <iframe src="${address}"></iframe><object data="${address}"></object><embed src="${address}">
  <img src="${address}"><video src="${address}"></video><link rel="stylesheet" href="${address}">
  <script src="${address}"></script><script type="module" src="${address}"></script>
  <script>window.tried = navigator.serviceWorker.register('${address}').catch(() => {})
  try { new Worker('${address}') } catch {}</script>`

/** Shows what is at the address alone and within a page of the same origin; whether a script of it ran. */
async function runs(page: Page, origin: string, address: string): Promise<boolean> {
  let hasRun = false
  const note = () => {
    hasRun = true
  }
  page.on('console', message => message.text().includes('a script ran') && note())
  page.on('dialog', dialog => {
    note()
    void dialog.dismiss()
  })
  await page.route(`${origin}/page-that-embeds`, route =>
    route.fulfill({ contentType: 'text/html', body: embedding(address) }),
  )
  // What is to be saved and not shown ends the navigation with an error.
  await page.goto(origin + address).catch(() => {})
  await page.goto(`${origin}/page-that-embeds`)
  await page.evaluate('window.tried')
  await page.close()
  return hasRun
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
  const found: string[] = []
  const look = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, address] = next
      if (await runs(await context.newPage(), origin, address)) found.push(name)
    }
  }
  await Promise.all(Array.from({ length: 6 }, look))
  await context.close()
  return found
}

test('the files run scripts when a server believes their names', options, async t => {
  const { server, origin } = await startNaive()
  const addresses = new Map(Object.keys(files).map(name => [name, `/${encodeURIComponent(name)}`]))
  const found = await listThatRun(origin, addresses)
  server.closeAllConnections()
  server.close()
  t.diagnostic(`${found.length} of ${addresses.size}: ${found.join(' ')}`)
  assert.ok(found.length >= 40, `${found.length}`)
})

test('no file of a stranger runs a script in the browser of anybody', options, async t => {
  const { api, url } = server!
  const { id: ticket } = await makeTicket(api)
  const addresses = new Map<string, string>()
  for (const [filename, content] of Object.entries(files)) {
    const { id } = await makeUpload(api, { filename, content, type: 'text/html' })
    await makeMessage(api, ticket, { media_ids: [id] })
    addresses.set(filename, `/api/media/${id}?inline=1`)
  }
  t.diagnostic(`${addresses.size} files`)
  assert.ok(addresses.size >= 60)
  assert.deepEqual(await listThatRun(new URL(url).origin, addresses), [])
})
