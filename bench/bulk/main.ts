import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newId } from '../../src/core/ids.ts'
import { openDataDir } from '../data.ts'
import { round } from '../figures.ts'
import { makeTeam, type Team } from '../live/people.ts'
import { record } from '../results.ts'
import { type Server, startServer } from '../server.ts'
import { makeTicketsIn } from './tickets.ts'

/** Changes tickets in bulk and undoes it, over HTTP in pages, as the dashboard does. */

const options = {
  tickets: { type: 'string', default: '10000' },
  page: { type: 'string', default: '100' },
} as const

type Post = (
  path: string,
  body: object,
) => Promise<{ items: { error: unknown; undone?: string[] }[]; remaining: number }>

const openPerson =
  ({ url }: Server, { projectId, cookies }: Team): Post =>
  async (path, body) => {
    const response = await fetch(`${url}/api/dashboard/projects/${projectId}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie: cookies[0]! },
      body: JSON.stringify(body),
    })
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
    return JSON.parse(await response.text())
  }

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

async function changeAll(post: Post, ids: string[], page: number, run: object): Promise<void> {
  for (let at = 0; at < ids.length; at += page) {
    const { items } = await post('/tickets/bulk', { ...run, ticket_ids: ids.slice(at, at + page) })
    if (items.some(({ error }) => error)) throw new Error('A ticket could not be changed')
  }
}

/** Returns how many tickets were undone. */
async function undoAll(post: Post, run_id: string): Promise<number> {
  let undone = 0
  for (let remaining = 1; remaining > 0; ) {
    const answer = await post('/tickets/bulk/undo', { run_id })
    remaining = answer.remaining
    undone += answer.items.filter(item => item.undone?.length).length
  }
  return undone
}

const actions = {
  change: { action: 'change', change: { priority: 'urgent', tags: ['storm'] } },
  close: { action: 'close' },
}

async function measure(post: Post, ids: string[], page: number, name: keyof typeof actions) {
  const run_id = newId()
  const changing = await secondsOf(() => changeAll(post, ids, page, { ...actions[name], run_id }))
  let undone = 0
  const undoing = await secondsOf(async () => {
    undone = await undoAll(post, run_id)
  })
  const isKept = undone === ids.length && changing + undoing < 60
  const measured = `${name}: ${ids.length} in ${round(changing, 1)} s, undone ${undone} in ${round(undoing, 1)} s`
  process.stdout.write(`${measured}${isKept ? '' : ' (missed)'}\n`)
  return { measured, isKept }
}

async function measureIn(dataDir: string, tickets: number, page: number): Promise<boolean> {
  const server = await startServer({ DATA_DIR: dataDir })
  const { db, close } = await openDataDir(dataDir, 2)
  try {
    const team = await makeTeam(db, server, 1)
    const ids = await makeTicketsIn(db, team.projectId, tickets)
    const post = openPerson(server, team)
    const results = [await measure(post, ids, page, 'change'), await measure(post, ids, page, 'close')]
    const isKept = results.every(result => result.isKept)
    record('A16', { measured: results.map(({ measured }) => measured).join('; '), isKept })
    return isKept
  } finally {
    await close()
    await server.stop()
  }
}

export async function bulk(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  try {
    return (await measureIn(folder, Number(values.tickets), Number(values.page))) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
