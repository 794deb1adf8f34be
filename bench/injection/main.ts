import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { makeContact, makeMessage, makeTicket } from '../../test/cast.ts'
import { createClient } from '../../test/client.ts'
import { endWithUs } from '../children.ts'
import { openDataDir } from '../data.ts'
import { record } from '../results.ts'
import { startServer } from '../server.ts'
import { startControl } from './control.ts'
import { listTargets, type Target } from './targets.ts'

const options = {
  seconds: { type: 'string', default: '150' },
  each: { type: 'string', default: '60' },
  only: { type: 'string', default: '' },
  from: { type: 'string', default: '0' },
  show: { type: 'boolean', default: false },
} as const

/** Creates a record for every kind of id in the examples. */
async function furnish(url: string, key: string): Promise<Record<string, string>> {
  const api = createClient(`${url}/api/v1`, key)
  const contact = await makeContact(api, { email: 'ann@example.com', external_id: 'user-42' })
  const hook = await api.post('/webhooks', { url: 'http://127.0.0.1:9/' })
  const ticket = await makeTicket(api, {
    contact: { email: 'ann@example.com' },
    content: 'My card',
    tags: ['vip'],
  })
  const message = await makeMessage(api, ticket.id)
  const { body } = await api.get(`/webhooks/${hook.body.id}/deliveries`)
  return {
    contact_id: contact.id,
    webhook_id: hook.body.id,
    ticket_id: ticket.id,
    message_id: message.id,
    delivery_id: body.items[0].id,
  }
}

interface Manner {
  common: string[]
  show: boolean
}

type Outcome = 'injectable' | 'not injectable' | 'cut off' | 'refused'

const shared = (folder: string, key: string | null): string[] => [
  ...[
    '--batch',
    '--level=5',
    '--risk=3',
    '--dbms=PostgreSQL',
    '--time-sec=3',
    '--flush-session',
    '--disable-coloring',
  ],
  ...['--ignore-code=*', '--skip-waf', '--answers=custom=Y,JSON=Y', '--output-dir', folder],
  ...(key ? ['--auth-type=Bearer', `--auth-cred=${key}`] : []),
]

/** Runs sqlmap and returns its conclusion. `show` prints its output. */
async function attack(target: Target, { common, show }: Manner, seconds: number): Promise<Outcome> {
  const child = spawn('sqlmap', [...target.options, ...common], { stdio: ['ignore', 'pipe', 'ignore'] })
  endWithUs(child)
  let text = ''
  child.stdout.on('data', chunk => {
    text += chunk
    if (show) process.stdout.write(chunk)
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000)
  await once(child, 'close')
  clearTimeout(timer)
  if (/identified the following injection point|is vulnerable/.test(text)) return 'injectable'
  if (/do not appear to be injectable/.test(text)) return 'not injectable'
  return child.signalCode ? 'cut off' : 'refused'
}

/** Starts the server. sqlmap must first find the injection in the control, otherwise its results do not count. */
async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-injection-'))
  const server = await startServer({ DATA_DIR: join(folder, 'data'), ROLES: 'http', DATABASE_POOL: '10' })
  const { db, close } = await openDataDir(join(folder, 'data'))
  const { id } = await createProject(db, { name: 'Acme' })
  const { key } = await createKey(db, id, 'sqlmap')
  const control = await startControl(db)
  return {
    key,
    output: join(folder, 'sqlmap'),
    control,
    targets: listTargets(`${server.url}/api/v1`, await furnish(server.url, key)),
    async close() {
      control.close()
      await close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Attacks the targets in the order of the document until the time limit. Returns the outcome of each. */
async function attackAll(targets: Target[], manner: Manner, seconds: number, each: number) {
  const end = Date.now() + seconds * 1_000
  const outcomes: Record<Outcome, string[]> = {
    injectable: [],
    'not injectable': [],
    'cut off': [],
    refused: [],
  }
  for (const target of targets) {
    const left = (end - Date.now()) / 1_000
    if (left < 5) break
    const begun = Date.now()
    const outcome = await attack(target, manner, Math.min(left, each))
    process.stdout.write(`${target.name}: ${outcome}, ${Math.round((Date.now() - begun) / 1_000)} s\n`)
    outcomes[outcome].push(target.name)
  }
  return outcomes
}

export async function injection(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const { show } = values
  if (spawnSync('sqlmap', ['--version']).status !== 0)
    throw new Error('Install sqlmap: apt-get install sqlmap')
  const { key, output, control, targets, close } = await open()
  try {
    const isSharp =
      (await attack(control.target, { common: shared(output, null), show }, 60)) === 'injectable'
    process.stdout.write(`control: ${isSharp ? 'found' : 'NOT FOUND'}\n`)
    const chosen = targets.filter(({ name }) => new RegExp(values.only).test(name)).slice(Number(values.from))
    const found = await attackAll(
      chosen,
      { common: shared(output, key), show },
      Number(values.seconds),
      Number(values.each),
    )
    const done = found['not injectable'].length
    const isKept = isSharp && !found.injectable.length && done > 0
    const measured = `${found.injectable.length} injectable of ${done + found.injectable.length} completely tested targets, of ${targets.length} in total`
    process.stdout.write(`${measured}; cut off ${found['cut off'].length}, refused ${found.refused.length}\n`)
    record('A5', {
      measured,
      isKept,
      ...(done < targets.length && { note: 'Not all targets were tested; continue with --from' }),
    })
    return isKept ? 0 : 1
  } finally {
    await close()
  }
}
