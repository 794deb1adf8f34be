#!/usr/bin/env node
// Connects a messenger to a custom channel of Deskbell. Requires Node.js 20 or later, and no packages.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const server = process.env.DESKBELL_URL ?? 'http://localhost:3000'
const authorization = `Bearer ${process.env.DESKBELL_API_KEY}`
const { DESKBELL_CHANNEL: name, MESSENGER_URL: messenger } = process.env
const channel = `${server}/api/v1/channels/${name}`
const file = process.env.POSITION_FILE ?? 'bridge.json'

/** The other side refused a request and would refuse it again. */
class Refusal extends Error {
  constructor(status, answer) {
    super(`${status} ${JSON.stringify(answer)}`)
    this.status = status
    this.reason = String(answer.error ?? this.message).slice(0, 1000)
  }
}

/** Repeats a request until it gets a response, however long that takes. Every request of this program is safe to repeat. */
async function call(method, url, body, isFile = false) {
  for (let attempt = 0; ; attempt++) {
    const attempted = request(method, url, body, isFile).catch(error => ({ answer: error.message }))
    const { status, answer, retryAfter } = await attempted
    if (status < 300) return answer
    const isLater = status >= 500 || [undefined, 408, 429].includes(status)
    if (!isLater && answer.error_code !== 'CHANNEL_PAUSED') throw new Refusal(status, answer)
    const pause = retryAfter ?? Math.min(2 ** attempt, 60)
    console.error(`${method} ${url}: ${JSON.stringify(answer)}; trying again in ${pause} s`)
    await sleep(pause * 1000)
  }
}

async function request(method, url, body, isFile) {
  const isForm = body instanceof FormData
  const response = await fetch(url, {
    method,
    headers: {
      ...(url.startsWith(server) && { authorization }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(90_000),
  })
  const { status, headers } = response
  if (isFile && response.ok) return { status, answer: await response.blob() }
  const isJson = headers.get('content-type')?.includes('json')
  const answer = isJson ? await response.json() : await response.text()
  return { status, answer, retryAfter: Number(headers.get('retry-after')) || undefined }
}

/** Where to continue on each side after a restart. A crash leaves the old or the new file, never a partial one. */
const positions = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { messenger: 0 }

function savePosition(side, position) {
  positions[side] = position
  writeFileSync(`${file}.new`, JSON.stringify(positions))
  renameSync(`${file}.new`, file)
}

/** A refused message, such as one from a blocked contact, must not stop the others. */
function skipRefused(error) {
  if (!(error instanceof Refusal) || error.status === 401) throw error
  console.error(`Skipped: ${error.message}`)
}

const messagePath = id => `${channel}/messages/${encodeURIComponent(id)}`

/** For each type of event in the messenger, passes the event on to Deskbell. Change this for your messenger. */
const handlers = {
  message: async ({ id, from, text, files = [], reply_to, written_at }) =>
    call('POST', `${channel}/messages`, {
      external_id: id,
      contact: { external_id: from.id, full_name: from.name },
      content: text,
      media_ids: await Promise.all(files.map(upload)),
      reply_to_external_id: reply_to,
      created_at: written_at,
    }),
  edit: ({ id, text }) => call('PATCH', messagePath(id), { content: text }),
  deletion: ({ id }) => call('DELETE', messagePath(id)),
  receipt: ({ key, status }) => report({ message_id: key, status }),
}

async function upload({ url, name }) {
  const form = new FormData()
  form.append('file', await call('GET', url, undefined, true), name)
  return (await call('POST', `${server}/api/v1/media/upload`, form)).id
}

/** Saves the position after Deskbell has stored an event. After a crash in between, the event is sent again, which changes nothing. */
async function receive() {
  for (;;) {
    const { events } = await call('GET', `${messenger}/events?after=${positions.messenger}`)
    for (const event of events) {
      await handlers[event.type]?.(event).catch(skipRefused)
      savePosition('messenger', event.number)
    }
  }
}

/** Sends a reply. The messenger ignores a second request with the same key. Change this for your messenger. */
async function send({ message, contact, reply_to_external_id: reply_to }) {
  const files = await Promise.all(message.media.map(download))
  const body = { to: contact.external_id, text: message.content, files, reply_to }
  return call('PUT', `${messenger}/messages/${message.id}`, body)
}

async function download({ url, filename: name }) {
  const bytes = await (await call('GET', new URL(url, server).href, undefined, true)).arrayBuffer()
  return { name, base64: Buffer.from(bytes).toString('base64') }
}

const report = delivery => call('POST', `${channel}/deliveries`, delivery)

async function sendAndReport(item) {
  const result = await send(item).then(
    ({ id }) => ({ status: 'sent', external_id: id }),
    error => (error instanceof Refusal ? { status: 'failed', error: error.reason } : Promise.reject(error)),
  )
  await report({ message_id: item.message.id, ...result })
}

/** Updates a sent reply in the messenger after your team has edited it. */
async function edit({ id }) {
  const message = await call('GET', `${server}/api/v1/messages/${id}`)
  if (message.channel === `custom:${name}` && message.sender_type !== 'contact' && !message.is_internal)
    await call('PATCH', `${messenger}/messages/${id}`, { text: message.content })
}

/** Events only tell when to read the list. It has all waiting replies, including those from before the program started. */
async function reply() {
  const updates = `${server}/api/v1/updates?events=message.created,message.edited&timeout=`
  positions.deskbell ??= (await call('GET', `${updates}0`)).last_seq
  for (;;) {
    const { items } = await call('GET', `${channel}/outgoing?limit=100`)
    for (const item of items) await sendAndReport(item).catch(skipRefused)
    const page = await call('GET', `${updates}${items.length < 100 ? 10 : 0}&after=${positions.deskbell}`)
    for (const { type, data } of page.items)
      if (type === 'message.edited') await edit(data).catch(skipRefused)
    savePosition('deskbell', page.last_seq)
  }
}

await Promise.all([receive(), reply()])
