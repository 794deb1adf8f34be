import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openLedger, work } from '../ledger/clients.ts'
import { drain } from '../ledger/drain.ts'
import { printVerdict } from '../ledger/print.ts'
import { makeProjects, type Project } from '../ledger/projects.ts'
import { type ReceiverProcess, startReceiver } from '../ledger/target.ts'
import { makeRandom } from '../seed/words.ts'
import { disturb } from './disturb.ts'
import { faults } from './faults.ts'
import { countRepeats, judge, type Remains } from './judge.ts'
import { showPromises } from './promises.ts'
import { startReading } from './readers.ts'
import { openStage, type Plan, type Stage, untilReady } from './stage.ts'
import { openUploads, sendFiles } from './uploads.ts'

const options = {
  seconds: { type: 'string', default: '60' },
  seed: { type: 'string' },
  faults: { type: 'string', default: 'all' },
  rate: { type: 'string', default: '100' },
  projects: { type: 'string', default: '3' },
  embedded: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** Milliseconds. Short enough that postponed deliveries arrive within the run. */
const delays = [1_000, 2_000, 4_000, 8_000, 16_000]

function readFaults(text: string): string[] {
  const names = text === 'all' ? Object.keys(faults) : text.split(',')
  const unknown = names.filter(name => !(name in faults))
  if (unknown.length)
    throw new Error(`--faults: ${unknown.join()} is unknown; choose from ${Object.keys(faults).join()}`)
  return names
}

/** Starts four workers per project, two for each key. */
function startWorkers(projects: Project[], urls: string[], seed: number, rate: number) {
  const ledger = openLedger()
  const count = projects.length * 4
  const rest = (count / rate) * 1_000
  const working = projects.flatMap(({ keys, projectId }, n) =>
    [...keys, ...keys].map((key, k) =>
      work({ url: urls[k >> 1 && urls.length - 1]!, key, projectId, ledger, seed: seed + 100 * n + k, rest }),
    ),
  )
  return { ledger, working }
}

async function live(stage: Stage, values: Values, plan: Plan, receiver: ReceiverProcess, seed: number) {
  const urls = stage.members.filter(({ answers }) => answers).map(({ url }) => url)
  const projects = await stage.database.withDb(db =>
    makeProjects(db, urls[0]!, stage.networks.receivers!.port, Number(values.projects)),
  )
  const { ledger, working } = startWorkers(projects, urls, seed, Number(values.rate))
  const reading = startReading(projects, urls)
  const uploads = openUploads()
  const sending = sendFiles(uploads, projects[0]!, urls, makeRandom(seed), () => ledger.isOver)
  const happenings = await disturb(stage, plan.faults, Number(values.seconds))
  ledger.isOver = true
  console.log('waiting for the last responses, and until all processes are ready')
  await Promise.all([...working, sending, untilReady(stage)])
  return stage.database.withDb(async db => {
    console.log('waiting for the deliveries')
    const left = await drain(db)
    console.log(`${left} deliveries are left; waiting for the readers`)
    await reading.finish(db)
    console.log('comparing')
    const arrivals = await receiver.take()
    const remains: Remains = {
      ...{
        ledger,
        projects,
        arrivals,
        readers: reading.readers,
        uploads,
        happenings,
        delays,
        left,
      },
    }
    return { remains, verdict: await judge(db, stage, remains) }
  })
}

async function run(values: Values, plan: Plan, receiver: ReceiverProcess, seed: number): Promise<boolean> {
  const stage = await openStage(plan)
  try {
    const { remains, verdict } = await live(stage, values, plan, receiver, seed)
    const { members } = stage
    const isKept = printVerdict(verdict, {
      faults: remains.happenings.length,
      kills: members.reduce((sum, { kills }) => sum + kills, 0),
      repeated_attempts: countRepeats(remains.arrivals),
      files_kept: remains.uploads.kept.length,
      files_refused: remains.uploads.failed,
      files_unanswered: remains.uploads.unanswered,
      events_read: remains.readers.reduce((sum, { ids }) => sum + ids.length, 0),
    })
    showPromises({ ...remains, stage, verdict })
    return isKept
  } finally {
    await stage.close()
  }
}

/** Causes every kind of fault during normal work. At the end, no event may be lost or invented. */
export async function chaos(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const names = readFaults(values.faults)
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-chaos-'))
  chmodSync(folder, 0o755)
  console.log(`seed ${seed}, faults ${names.join()}`)
  const receiver = await startReceiver({ faults: 0.01, seed })
  const settings = { WEBHOOK_RETRY_DELAYS: delays.map(ms => `${ms}ms`).join() }
  const hold = names.length === 1 ? Number(values.seconds) * 0.84 : 15
  const random = makeRandom(seed)
  const isEmbedded = values.embedded
  const plan = { folder, isEmbedded, faults: names, hold, random, receiver: receiver.port, settings }
  try {
    const isKept = await run(values, plan, receiver, seed)
    console.log(`seed ${seed}: ${isKept ? 'nothing lost or invented' : 'NOT KEPT'}`)
    return isKept ? 0 : 1
  } finally {
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
