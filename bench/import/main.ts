import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../src/core/config/config.ts'
import { loadSecretKey, verifySecretKey } from '../../src/core/config/secret-key.ts'
import type { Db } from '../../src/core/db/db.ts'
import { createProject } from '../../src/projects/projects.ts'
import { until } from '../../test/until.ts'
import { endWithUs } from '../children.ts'
import { openDataDir } from '../data.ts'
import { round } from '../figures.ts'
import { tell } from '../mail/stage.ts'
import { memoryOf } from '../process.ts'
import { type ArchiveFacts, writeArchive } from './archive.ts'
import { measureVolume } from './volume.ts'

/** Imports a generated email archive on the command line, kills the command several times, and checks the result. */

const options = {
  only: { type: 'string', default: 'emails,volume' },
  mails: { type: 'string', default: '50000' },
  kills: { type: 'string', default: '5' },
  tickets: { type: 'string', default: '20000' },
} as const

interface Stage {
  db: Db
  dataDir: string
  projectId: string
  facts: ArchiveFacts
}

function startImport({ dataDir, projectId, facts }: Stage) {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const words = [
    'import',
    'mbox',
    ...facts.paths,
    '--project',
    projectId,
    '--own',
    'support@acme.example',
    '--json',
  ]
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...words], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  let said = ''
  child.stdout.on('data', chunk => (said += chunk))
  const ended = once(child, 'close').then(([status]) => ({ status, said }))
  return { child, ended }
}

const countMessages = async ({ db, projectId }: Stage): Promise<number> =>
  (await db`select count(*)::int as count from messages where project_id = ${projectId}`)[0]!.count

/** Runs the command until this many messages are stored, then kills it. */
async function importUntil(stage: Stage, messages: number): Promise<void> {
  const { child, ended } = startImport(stage)
  await until(async () => child.exitCode !== null || (await countMessages(stage)) >= messages, 3_600)
  child.kill('SIGKILL')
  await ended
}

/** Imports the rest. Returns the command's peak memory in MB. */
async function importRest(stage: Stage): Promise<number> {
  const running = startImport(stage)
  let memory = 0
  const timer = setInterval(() => {
    if (running.child.exitCode === null) memory = Math.max(memory, memoryOf(running))
  }, 500)
  const { status, said } = await running.ended
  clearInterval(timer)
  if (status !== 0) throw new Error(`The import ended with ${status}: ${said}`)
  return memory
}

interface Stored {
  tickets: number
  messages: number
  /** Distinct Message-IDs. */
  different: number
  files: number
  /** Tickets with messages of several conversations. */
  mixed: number
}

async function countStored({ db, projectId }: Stage): Promise<Stored> {
  const [row] = await db<Stored[]>`
    select (select count(*)::int from tickets where project_id = ${projectId}) as tickets,
      count(*)::int as messages, count(distinct email->>'message_id')::int as different,
      (select count(*)::int from media where project_id = ${projectId}) as files,
      (select count(*)::int from (select from messages where project_id = ${projectId} group by ticket_id
        having count(distinct split_part(email->>'message_id', '.', 1)) > 1) t) as mixed
    from messages where project_id = ${projectId}`
  return row!
}

async function measure(stage: Stage, kills: number): Promise<boolean> {
  const { facts } = stage
  const begun = performance.now()
  for (let at = 1; at <= kills; at++) await importUntil(stage, Math.floor((facts.mails * at) / (kills + 1)))
  const memory = await importRest(stage)
  const seconds = (performance.now() - begun) / 1_000
  const stored = await countStored(stage)
  const lost = facts.mails - stored.different
  const twice = stored.messages - stored.different
  const isWhole = lost === 0 && twice === 0 && stored.mixed === 0
  const isSame = stored.tickets === facts.threads && stored.files === facts.files
  const rate = facts.mails / seconds
  return tell(
    'M11',
    `${round(rate, 0)} emails a second in ${kills + 1} runs, ${kills} kills: ${lost} lost, ${twice} twice; ${stored.tickets} of ${facts.threads} tickets, ${stored.files} of ${facts.files} files; ${round(memory, 0)} MB of memory in the last run`,
    isWhole && isSame && rate >= 200,
  )
}

async function runIn(folder: string, mails: number, kills: number): Promise<boolean> {
  const dataDir = join(folder, 'data')
  const { db, close } = await openDataDir(dataDir)
  try {
    await verifySecretKey(db, loadSecretKey({ secretKey: null, dataDir }))
    const { id: projectId } = await createProject(db, { name: 'Acme' })
    const facts = writeArchive(folder, mails)
    return await measure({ db, dataDir, projectId, facts }, kills)
  } finally {
    await close()
  }
}

async function runImport(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const parts: Record<string, () => Promise<boolean>> = {
    emails: () => runIn(folder, Number(values.mails), Number(values.kills)),
    volume: () => measureVolume(folder, Number(values.tickets)),
  }
  try {
    let isKept = true
    for (const name of values.only.split(',')) {
      const run = parts[name]
      if (!run) throw new Error(`--only: ${name} is none of ${Object.keys(parts)}`)
      isKept = (await run()) && isKept
    }
    return isKept ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export { runImport as import }
