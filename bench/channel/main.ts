import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { listProjects } from '../../src/projects/projects.ts'
import { freePort } from '../../test/free-port.ts'
import { openCaller } from '../calls.ts'
import { openDataDir } from '../data.ts'
import { command, tell } from '../mail/stage.ts'
import { type Server, startServer } from '../server.ts'

/** Kills the server while the program of a custom channel posts messages and sends replies. The program repeats unanswered requests. */

const options = {
  messages: { type: 'string', default: '10000' },
  contacts: { type: 'string', default: '200' },
  kills: { type: 'string', default: '20' },
} as const

interface Stage {
  dataDir: string
  settings: Record<string, string>
  server: Server
  key: string
  projectId: string
}

async function openStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()) }
  const server = await startServer(settings)
  const { db, close } = await openDataDir(dataDir)
  const [project] = await listProjects(db)
  const { key } = await createKey(db, project!.id, 'Bench')
  await close()
  const words = ['--project', project!.id, '--name', 'bench', '--title', 'Bench']
  await command({ dataDir }, 'channel', 'create', ...words)
  return { dataDir, settings, server, key, projectId: project!.id }
}

/** Repeats a request until it is answered. Returns the answer and how often it was sent. */
async function callUntilAnswered(stage: Stage, method: string, path: string, body?: unknown) {
  for (let tries = 1; ; tries++) {
    const caller = openCaller(stage.server.url, stage.key)
    const answer = await caller.call(method, path, body).catch(() => null)
    caller.close()
    if (answer && answer.status < 300) return { text: answer.text, tries }
    if (answer && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    await sleep(50)
  }
}

/** Kills and restarts the server until the work ends, at most `maxKills` times. Returns the number of kills. */
async function killDuring(stage: Stage, work: Promise<unknown>, maxKills: number): Promise<number> {
  let isRunning = true
  const end = () => {
    isRunning = false
  }
  work.then(end, end)
  let kills = 0
  while (isRunning && kills < maxKills) {
    await Promise.race([work, sleep(1_000 + Math.random() * 2_000)])
    if (!isRunning) break
    const ended = once(stage.server.child, 'exit')
    stage.server.child.kill('SIGKILL')
    await ended
    stage.server = await startServer(stage.settings)
    kills++
  }
  await work
  return kills
}

/** Posts each contact's messages one after another, and every tenth message twice at the same time. Returns how many requests were repeated. */
async function postAll(stage: Stage, { contacts, perContact }: { contacts: number; perContact: number }) {
  let repeated = 0
  const postOf = async (contact: number) => {
    for (let at = 0; at < perContact; at++) {
      const message = {
        external_id: `${contact}-${at}`,
        contact: { external_id: String(contact) },
        content: String(at),
      }
      const post = () => callUntilAnswered(stage, 'POST', '/channels/bench/messages', message)
      const sent = await Promise.all(at % 10 === 9 ? [post(), post()] : [post()])
      repeated += sent.reduce((sum, { tries }) => sum + tries, -1)
    }
  }
  const waiting = Array.from({ length: contacts }, (_, contact) => contact)
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await postOf(next)
  }
  await Promise.all(Array.from({ length: 20 }, work))
  return repeated
}

interface Stored {
  contents: string[]
}

/** How many messages are missing or stored twice, and how many contacts are out of order. */
async function compare(db: Db, projectId: string, total: number) {
  const rows = await db<Stored[]>`
    select array_agg(content order by created_at, id) as contents from messages
    where project_id = ${projectId} and sender_type = 'contact' group by sender_id`
  const lists = rows.map(({ contents }) => contents.map(Number))
  const stored = lists.reduce((sum, list) => sum + list.length, 0)
  const different = lists.reduce((sum, list) => sum + new Set(list).size, 0)
  const disordered = lists.filter(list => list.some((one, at) => at > 0 && one < list[at - 1]!)).length
  return { lost: total - different, twice: stored - different, disordered }
}

interface Listed {
  items: { message: { id: string; content: string }; contact: { external_id: string } }[]
}

/** Posts a reply to each ticket while the program fetches the replies and reports their delivery. Returns what the contacts received. */
async function sendReplies(stage: Stage, tickets: string[]): Promise<Map<string, string>> {
  const received = new Map<string, string>()
  const post = async () => {
    for (const id of tickets) {
      const reply = { content: id, external_id: `reply ${id}` }
      await callUntilAnswered(stage, 'POST', `/tickets/${id}/messages`, reply)
    }
  }
  const send = async () => {
    while (received.size < tickets.length) {
      const { items }: Listed = JSON.parse(
        (await callUntilAnswered(stage, 'GET', '/channels/bench/outgoing')).text,
      )
      for (const { message } of items) {
        received.set(message.id, message.content)
        const report = { message_id: message.id, status: 'sent', external_id: message.id }
        await callUntilAnswered(stage, 'POST', '/channels/bench/deliveries', report)
      }
      await sleep(20)
    }
  }
  await Promise.all([post(), send()])
  return received
}

async function measure(stage: Stage, contacts: number, perContact: number, kills: number): Promise<boolean> {
  const begun = performance.now()
  const posting = postAll(stage, { contacts, perContact })
  const inKills = await killDuring(stage, posting, kills)
  const seconds = (performance.now() - begun) / 1_000
  let data = await openDataDir(stage.dataDir)
  const total = contacts * perContact
  const incoming = await compare(data.db, stage.projectId, total)
  const rows = await data.db<{ id: string }[]>`select id from tickets where project_id = ${stage.projectId}`
  await data.close()
  const sending = sendReplies(
    stage,
    rows.map(({ id }) => id),
  )
  const outKills = await killDuring(stage, sending, Math.ceil(kills / 4))
  const lost = rows.length - new Set((await sending).values()).size
  data = await openDataDir(stage.dataDir)
  const [left] = await data.db<{ waiting: number; unsent: number }[]>`
    select (select count(*)::int from outgoing_queue where project_id = ${stage.projectId}) as waiting,
      (select count(*)::int from messages where project_id = ${stage.projectId} and sender_type = 'bot'
        and delivery_status <> 'sent') as unsent`
  await data.close()
  const isKept =
    incoming.lost + incoming.twice + incoming.disordered + lost + left!.waiting + left!.unsent === 0 &&
    rows.length === contacts
  const told = [
    `${total} messages of ${contacts} contacts, ${inKills} kills, ${await posting} requests repeated, ${Math.round(total / seconds)}/s: ${JSON.stringify(incoming)}`,
    `${rows.length} replies, ${outKills} kills: ${JSON.stringify({ lost, ...left })}`,
  ]
  return tell('C1', told.join('; '), isKept)
}

export async function channel(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const contacts = Number(values.contacts)
  const stage = await openStage()
  try {
    const perContact = Math.ceil(Number(values.messages) / contacts)
    return (await measure(stage, contacts, perContact, Number(values.kills))) ? 0 : 1
  } finally {
    await stage.server.stop()
    rmSync(stage.dataDir, { recursive: true, force: true })
  }
}
