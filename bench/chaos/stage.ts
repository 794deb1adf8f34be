import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/free-port.ts'
import { needs } from '../../test/needs.ts'
import { endWithUs, stop } from '../children.ts'
import { type Disk, mountDisk } from './disk.ts'
import { type Line, openLine } from './line.ts'
import { Member } from './member.ts'
import { type Database, openEmbedded, startExternal } from './postgres.ts'

/** The targets of faults. Null if the run does not have one. */
export interface Stage {
  random: () => number
  members: Member[]
  database: Database
  redis: ChildProcess | null
  disks: Record<'files' | 'postgres', Disk | null>
  networks: Record<'postgres' | 'redis' | 'receivers', Line | null>
  /** Sets the clock of Deskbell and Postgres to this many seconds from the real time. */
  setClock: ((seconds: number) => void) | null
  /** How many seconds a snapshot is held. */
  hold: number
  dataDir: string
  close(): Promise<void>
}

export interface Plan {
  folder: string
  isEmbedded: boolean
  faults: string[]
  hold: number
  random: () => number
  /** The receiver's port. */
  receiver: number
  settings: Record<string, string>
}

const fakeLibrary = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

/** The environment of a program whose clock follows a file. Its monotonic clock is not changed. */
const fakedBy = (file: string) => ({
  LD_PRELOAD: fakeLibrary,
  FAKETIME_TIMESTAMP_FILE: file,
  ...{ FAKETIME_NO_CACHE: '1', DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
})

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function startRedis(folder: string, port: number): Promise<ChildProcess> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  endWithUs(child)
  while (!(await answers(port))) await sleep(20)
  return child
}

const wants = ({ faults }: Plan, name: string): boolean => faults.some(fault => fault.includes(name))

const mount = (plan: Plan, name: 'files' | 'postgres', megabytes: number): Disk | null =>
  plan.faults.includes(`disk-${name}`) ? mountDisk(join(plan.folder, name), megabytes) : null

/** Two processes serve HTTP and two deliver. One of the delivering processes also runs the jobs. */
const crew = { 'http 1': 'http', 'http 2': 'http', 'deliver 1': 'deliver', 'deliver 2': 'deliver,jobs' }

async function openMembers(shared: Record<string, string>, isEmbedded: boolean): Promise<Member[]> {
  const roles = Object.entries(isEmbedded ? { all: 'http,deliver,jobs' } : crew)
  const members: Member[] = []
  for (const [name, ROLES] of roles) {
    members.push(new Member(name, { ...shared, ROLES, PORT: String(await freePort()) }))
  }
  await members[0]!.start()
  await Promise.all(members.slice(1).map(member => member.start()))
  return members
}

const far = (to: Line, path: string) => `127.0.0.1:${to.port}/${path}`

export async function openStage(plan: Plan): Promise<Stage> {
  const { folder, isEmbedded, random, settings } = plan
  const disks = { files: mount(plan, 'files', 2_000), postgres: mount(plan, 'postgres', 700) }
  const dataDir = join(folder, 'files', 'data')
  mkdirSync(dataDir, { recursive: true })
  const clock = wants(plan, 'clock') && existsSync(fakeLibrary) ? join(folder, 'clock') : null
  const setClock = (seconds: number) => writeFileSync(clock!, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  if (clock) setClock(0)
  const faked: Record<string, string> = clock ? fakedBy(clock) : {}
  const [port, redisPort] = [await freePort(), await freePort()]
  const database = isEmbedded
    ? openEmbedded(dataDir)
    : await startExternal(join(folder, 'postgres'), port, faked)
  const hasRedis = wants(plan, 'redis') && !needs('redis-server').skip
  const redis = hasRedis ? await startRedis(folder, redisPort) : null
  const networks = {
    postgres: isEmbedded ? null : await openLine(port),
    redis: redis && (await openLine(redisPort)),
    receivers: await openLine(plan.receiver),
  }
  const members = await openMembers(
    {
      ...{ ...faked, ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'fatal' },
      ...(networks.postgres && { DATABASE_URL: `postgres://deskbell@${far(networks.postgres, 'postgres')}` }),
      ...(networks.redis && { REDIS_URL: `redis://${far(networks.redis, '0')}` }),
    },
    isEmbedded,
  )
  async function close(): Promise<void> {
    await Promise.all(members.map(member => member.stop()))
    redis?.kill('SIGCONT')
    for (const network of Object.values(networks)) network?.close()
    await Promise.all([database.stop(), redis && stop(redis)])
    for (const disk of Object.values(disks)) disk?.close()
  }
  const parts = { members, database, redis, disks, networks, setClock: clock ? setClock : null }
  return { ...parts, random, hold: plan.hold, dataDir, close }
}

/** Milliseconds until all processes are ready; null if one is not within a minute. */
export async function untilReady({ members }: Stage): Promise<number | null> {
  const begun = performance.now()
  for (const member of members) {
    while (!(await member.isReady())) {
      if (performance.now() - begun > 60_000) return null
      await sleep(25)
    }
  }
  return Math.round(performance.now() - begun)
}
