import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median, printTable, round } from '../figures.ts'
import { listTree } from '../process.ts'
import { type Server, startServer } from '../server.ts'

/** Measures an unused installation: the memory of all its processes, and the time to start. */

const options = {
  seconds: { type: 'string', default: '60' },
  starts: { type: 'string', default: '5' },
} as const

const limits = { megabytes: 200, seconds: 2 }

const megabytesOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024

interface Process {
  name: string
  /** Proportional set size in MB: shared memory is divided among its processes. */
  share: number
  own: number
}

/** Memory that the server shares with this bench process is counted in full, because the bench is not part of the installation. */
function weigh(pid: number): Process {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const own = megabytesOf(text, 'Private_Clean') + megabytesOf(text, 'Private_Dirty')
  const isNode = readlinkSync(`/proc/${pid}/exe`) === process.execPath
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const shared = isNode ? megabytesOf(status, 'RssFile') - megabytesOf(text, 'Pss_File') : 0
  return { name: words.slice(0, 60), share: megabytesOf(text, 'Pss') + shared, own }
}

/** All processes of the server, including the embedded Postgres, which are its children. */
const weighAll = ({ child }: Server): Process[] => listTree(child.pid!).map(weigh)

async function timeStart(dataDir: string): Promise<number> {
  const begun = performance.now()
  const server = await startServer({ DATA_DIR: dataDir })
  const taken = (performance.now() - begun) / 1_000
  await server.stop()
  return taken
}

function report(processes: Process[], starts: number[]): boolean {
  const total = processes.reduce((sum, { share }) => sum + share, 0)
  const start = median(starts)
  const rows = processes.map(({ name, share, own }) => [name, round(share, 1), round(own, 1)])
  console.log(printTable(['process', 'MB, its share', 'MB, its own'], rows))
  console.log(
    printTable(
      [`load ${round(loadavg()[0]!, 1)}`, 'wanted', 'measured', ''],
      [
        [
          'total memory',
          `${limits.megabytes} MB`,
          `${round(total, 0)} MB`,
          total < limits.megabytes ? '' : 'MISSED',
        ],
        [
          'start with existing data, median',
          `${limits.seconds} s`,
          `${round(start)} s`,
          start < limits.seconds ? '' : 'MISSED',
        ],
        ['  the best of them', '', `${round(Math.min(...starts))} s`, ''],
      ],
    ),
  )
  return total < limits.megabytes && start < limits.seconds
}

export async function idle(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options })
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  try {
    await timeStart(dataDir)
    const starts: number[] = []
    for (let turn = 0; turn < Number(values.starts); turn++) starts.push(await timeStart(dataDir))
    const server = await startServer({ DATA_DIR: dataDir })
    await sleep(Number(values.seconds) * 1_000)
    const processes = weighAll(server)
    await server.stop()
    return report(processes, starts) ? 0 : 1
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
