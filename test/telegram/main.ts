import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type Action, act, showChat } from './actions.ts'
import { answerBotApi } from './stand-in.ts'
import { startWebhook } from './updates.ts'
import { addBot, createWorld } from './world.ts'

/** bin/telegram-stand-in: the Bot API, with a page where you can write as a customer. */

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8081' }, help: { type: 'boolean', default: false } },
})

const usage = `Usage: bin/telegram-stand-in [--port PORT]

Stands in for Telegram, so you can try Deskbell's Telegram channel without a Telegram account. See docs/telegram-stand-in.md.
`

const world = createWorld()
world.floods = { chatBurst: 5, groupPerMinute: 20, botPerSecond: 30 }

function newBot(name: string, username: string) {
  const bot = addBot(world, name, username)
  startWebhook(world, bot)
  return bot
}

const page = readFileSync(new URL('page.html', import.meta.url))

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function answerPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  if (pathname === '/stand-in/chat') return sendJson(response, showChat(world, searchParams))
  if (request.method !== 'POST') return sendJson(response, { error: 'Not found' }, 404)
  const body: Action & { name?: string; username?: string } = JSON.parse(await text(request))
  if (pathname === '/stand-in/bots') {
    const { token, user } = newBot(body.name || 'Support', body.username || 'support_bot')
    return sendJson(response, { token, username: user.username })
  }
  await act(world, body)
  sendJson(response, {})
}

const server = createServer((request, response) => {
  void answerBotApi(world, request, response)
    .then(async isAnswered => {
      if (!isAnswered) await answerPage(request, response)
    })
    .catch((error: unknown) => sendJson(response, { error: String(error) }, 400))
})

if (values.help) process.stdout.write(usage)
else {
  server.listen(Number(values.port), '127.0.0.1')
  await once(server, 'listening')
  const bot = newBot('Acme Support', 'acme_support_bot')
  process.stdout.write(
    `The stand-in for Telegram is running at http://127.0.0.1:${values.port}/. Open it to write as a customer.\n` +
      `In Deskbell, add a bot with these values:\n  Token       ${bot.token}\n  API server  http://127.0.0.1:${values.port}\n`,
  )
}
