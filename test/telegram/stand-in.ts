import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { findMethod } from './methods.ts'
import { Refusal, refusals } from './refusals.ts'
import { readCall } from './request.ts'
import { startWebhook } from './updates.ts'
import { addBot, type Bot, createWorld, type Fault, type World } from './world.ts'

/** A server that stands in for api.telegram.org. */

const reply = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const refuse = (response: ServerResponse, { code, message, parameters }: Refusal): void =>
  reply(response, code, {
    ok: false,
    error_code: code,
    description: message,
    ...(parameters && { parameters }),
  })

/** "All queries to the Telegram Bot API must be … presented in this form: https://api.telegram.org/bot<token>/METHOD_NAME." */
const callPath = /^\/bot([^/]+)\/(\w+)$/
const filePath = /^\/file\/bot([^/]+)\/(.+)$/

function findBot(world: World, token: string): Bot {
  const bot = world.bots.get(token)
  if (bot) return bot
  throw /^\d+:[\w-]{30,}$/.test(token) ? refusals.unauthorized() : refusals.noBot()
}

async function sendFile(
  world: World,
  [, token = '', given = '']: RegExpExecArray,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bot = findBot(world, token)
  const path = decodeURIComponent(given)
  if (await applyFault(world.findFault({ bot, method: 'download', params: { path } }), request, response))
    return void request.socket.destroy()
  if (request.socket.destroyed || response.headersSent) return
  const file = [...world.files.values()].find(one => one.path === path)
  if (!file) throw new Refusal(404, 'Not Found')
  response.writeHead(200, { 'content-length': file.content.length }).end(file.content)
}

/** The timer does not keep the process alive. */
const pause = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms).unref())

/** Returns whether to cut the connection after the call takes effect. */
async function applyFault(
  fault: Fault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (fault instanceof Refusal) throw fault
  if (typeof fault === 'object' && 'delayMs' in fault) await pause(fault.delayMs)
  if (typeof fault === 'object' && 'proxyStatus' in fault)
    response.writeHead(fault.proxyStatus, { 'content-type': 'text/html' }).end('<h1>nginx</h1>')
  if (fault === 'cut_before') request.socket.destroy()
  return fault === 'cut_after'
}

async function answerCall(
  world: World,
  [, token = '', given = '']: RegExpExecArray,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bot = findBot(world, decodeURIComponent(token))
  const { name, run } = findMethod(given)
  const { params, files } = await readCall(request, url.searchParams)
  const call = { method: name, params, at: Date.now(), code: null as number | null }
  bot.calls.push(call)
  response.once('close', () => {
    if (name === 'getUpdates' && !response.writableEnded) bot.poller?.end(null)
  })
  try {
    const isCut = await applyFault(world.findFault({ bot, method: name, params }), request, response)
    if (request.socket.destroyed || response.headersSent) return
    const result = await run(world, bot, params, files)
    world.onChange()
    if (isCut) return void request.socket.destroy()
    reply(response, 200, { ok: true, result })
  } catch (error) {
    call.code = error instanceof Refusal ? error.code : 500
    throw error
  }
}

/** Answers a call or sends a file. Returns false if the path is for neither. */
export async function answerBotApi(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [call, file] = [callPath.exec(url.pathname), filePath.exec(url.pathname)]
  if (!call && !file) return false
  try {
    if (call) await answerCall(world, call, url, request, response)
    else await sendFile(world, file!, request, response)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(500, `Internal Server Error: ${error}`)
    if (!response.destroyed && !response.headersSent) refuse(response, refusal)
  }
  return true
}

export interface StandIn {
  url: string
  world: World
  addBot(name?: string, username?: string): Bot
  close(): Promise<void>
}

const addressOf = (server: Server): string => {
  const address = server.address()
  return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
}

let names = 0

/** Starts the stand-in on 127.0.0.1. */
export async function startStandIn(port = 0, world = createWorld()): Promise<StandIn> {
  const server = createServer((request, response) => {
    void answerBotApi(world, request, response).then(isAnswered => {
      if (!isAnswered) refuse(response, refusals.noBot())
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const webhooks: { stop(): void }[] = []
  return {
    url: addressOf(server),
    world,
    addBot(name = 'Acme Support', username = `acme_${++names}_bot`) {
      const bot = addBot(world, name, username)
      webhooks.push(startWebhook(world, bot))
      return bot
    },
    async close() {
      for (const { stop } of webhooks) stop()
      for (const bot of world.bots.values()) bot.poller?.end(null)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
