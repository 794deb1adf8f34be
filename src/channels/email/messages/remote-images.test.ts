import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Canary, startCanary } from '../../../../test/mail/canary.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import { createAddressRule } from '../../../core/http/address.ts'
import { mayReachAll } from '../../../core/http/guarded-agent.ts'
import { fetchImage } from './fetch-image.ts'

/** Remote images of emails load through the server only, and only those that are in the email. */

const support = 'support@example.com'
let receiving: Receiving
let canary: Canary
let omar: Person
let eve: Person

before(async () => {
  receiving = await startReceiving()
  canary = await startCanary()
  await openMailbox(receiving, support)
  const { server } = receiving
  omar = await joinProject(server, server.acme, { name: 'Omar' })
  eve = await joinProject(server, server.rival, { name: 'Eve' })
})
after(async () => {
  await canary.close()
  await receiving.close()
})

let count = 0

async function send(html: string) {
  const mail = [
    'From: Ann <ann@example.com>',
    `To: ${support}`,
    'Subject: Pictures',
    `Message-ID: <images.${++count}@example.com>`,
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '',
  ]
  const { message_id } = await receive(receiving, support, mail.join('\r\n'))
  return message_id!
}

const imageOf = (id: string, index: number | string, person = omar) =>
  person.api.get(`/messages/${id}/remote-images/${index}`)

test('loads the images of an email by their position, without cookies and without naming the reader', async () => {
  const id = await send(
    `<p>Look</p><img src="${canary.url}/a.png?x=1&amp;y=2"><table><tr><td><img src="${canary.url}/b.png"></td></tr></table>`,
  )
  assert.equal(canary.requests.length, 0)
  for (const index of [0, 1]) {
    const { status, headers } = await imageOf(id, index)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'image/png')
    assert.match(headers.get('cache-control') ?? '', /^private/)
    assert.equal(headers.get('set-cookie'), null)
  }
  assert.deepEqual(
    canary.requests.map(({ url }) => url),
    ['/a.png?x=1&y=2', '/b.png'],
  )
  const { cookie, referer, 'x-forwarded-for': reader } = canary.requests[0]!.headers
  assert.deepEqual([cookie, referer, reader], [undefined, undefined, undefined])
})

test('an image that is not in the email, or not a number, is not found', async () => {
  const id = await send(`<p>${'data-src="http://127.0.0.1/"'}</p><img src="${canary.url}/a.png">`)
  for (const index of [1, -1, '0.5', 'x', '00000']) assert.equal((await imageOf(id, index)).status, 404)
  assert.equal((await imageOf(id, 0)).status, 200)
})

test('another project cannot load the images of an email', async () => {
  const id = await send(`<img src="${canary.url}/a.png"><p>x</p>`)
  const before = canary.requests.length
  assert.equal((await imageOf(id, 0, eve)).status, 404)
  assert.equal(canary.requests.length, before)
})

test('refuses what is not an image by its type and its bytes, and SVG', async () => {
  const paths = ['picture.svg', 'page.html', 'image.txt']
  const id = await send(`<p>x</p>${paths.map(path => `<img src="${canary.url}/${path}">`).join('')}`)
  for (const index of paths.keys()) assert.equal((await imageOf(id, index)).status, 404)
})

test('refuses images over 10 MB', async () => {
  const { content } = await fetchImage(`${canary.url}/huge.big`, mayReachAll)
  await assert.rejects(content.toArray(), /Too large/)
})

test('follows redirects only where the server may connect', async () => {
  const to = (url: string) => `${canary.url}/to?${encodeURIComponent(url)}`
  assert.equal((await fetchImage(to(`${canary.url}/a.png`), mayReachAll)).type, 'image/png')
  const isHere = (ip: string) => ip === '127.0.0.1'
  await assert.rejects(fetchImage(to('http://169.254.169.254/a.png'), isHere), /may not reach/)
  await assert.rejects(fetchImage(to('file:///etc/passwd'), isHere), /Neither http/)
  await assert.rejects(fetchImage(to(to(to(to(`${canary.url}/a.png`)))), isHere), /Status 302/)
})

test('a public server does not connect to private addresses, even if a public name means one', async () => {
  const { isAllowed } = createAddressRule({ publicUrl: 'https://desk.example.com' })
  const before = canary.requests.length
  const { port } = new URL(canary.url)
  for (const host of ['127.0.0.1', 'localhost', '2130706433'])
    await assert.rejects(fetchImage(`http://${host}:${port}/a.png`, isAllowed), /may not reach/)
  assert.equal(canary.requests.length, before)
})

test('stops waiting for an image after the time limit', async () => {
  const { url } = canary
  await assert.rejects(
    fetchImage(`${url}/a.png`, mayReachAll, { maxBytes: 1_000_000, beginMs: 0, endMs: 1_000 }),
  )
})

test('remembers the senders whose images are always loaded, for each project', async () => {
  const address = '/image-senders/Ann@example.com'
  assert.equal((await omar.api.put(address)).status, 204)
  assert.equal((await omar.api.put(address)).status, 204)
  assert.deepEqual((await omar.api.get('/image-senders')).body.items, ['ann@example.com'])
  assert.deepEqual((await eve.api.get('/image-senders')).body.items, [])
  assert.equal((await omar.api.put('/image-senders/nobody')).status, 422)
  assert.equal((await eve.api.delete(address)).status, 204)
  assert.deepEqual((await omar.api.get('/image-senders')).body.items, ['ann@example.com'])
  await omar.api.delete(address)
  assert.deepEqual((await omar.api.get('/image-senders')).body.items, [])
})
