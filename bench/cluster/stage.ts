import { randomBytes } from 'node:crypto'
import { connect, type Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { freePort } from '../../test/free-port.ts'
import { startNginx } from '../../test/nginx.ts'
import { startPgbouncer } from '../../test/pgbouncer.ts'
import { startRedis, type TestRedis } from '../../test/redis.ts'
import { makeFolder } from '../../test/run/program.ts'
import { type Server, startServer } from '../server.ts'
import { type Context, startPostgres } from './postgres.ts'

export type Row = [what: string, wanted: string, measured: string, isKept: boolean]

/** A process that can be restarted on the same port. */
export interface Place {
  settings: Record<string, string>
  server: Server
}

export interface Cluster {
  context: Context
  /** A direct connection to PostgreSQL, even if the processes use PgBouncer. */
  db: Db
  redis: TestRedis | null
  /** The settings of all processes. */
  settings: Record<string, string>
  /** The processes behind nginx. */
  web: Place[]
  /** A process for deliveries and one for jobs. */
  others: Place[]
  /** The address of nginx. */
  url: string
}

/** How the processes are connected. */
export interface Kind {
  name: string
  hasPgbouncer: boolean
  hasRedis: boolean
}

async function startAt(settings: Record<string, string>, context: Context): Promise<Place> {
  const own = { PORT: String(await freePort()), ...settings }
  const place = { settings: own, server: await startServer(own) }
  context.after(() => place.server.stop())
  return place
}

export async function startWeb(
  { settings, context }: Pick<Cluster, 'settings' | 'context'>,
  count: number,
  own: Record<string, string> = {},
): Promise<Place[]> {
  const places: Place[] = []
  // The first process runs the migrations.
  while (places.length < count) places.push(await startAt({ ...settings, ROLES: 'http', ...own }, context))
  return places
}

export const portsOf = (places: Place[]): number[] => places.map(({ server }) => server.port)

/** Starts PostgreSQL, Redis, PgBouncer, nginx and processes with different roles. */
export async function startCluster(
  { hasPgbouncer, hasRedis }: Kind,
  pollers: number,
  context: Context,
): Promise<Cluster> {
  const target = await startPostgres(context)
  const redis = hasRedis ? await startRedis(context) : null
  const direct = `postgres://${target.user}@${target.host}:${target.port}/${target.database}`
  const settings = {
    DATABASE_URL: hasPgbouncer ? await startPgbouncer(context, target) : direct,
    DATABASE_POOL: '10',
    DATA_DIR: makeFolder(context),
    SECRET_KEY: randomBytes(32).toString('hex'),
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'error',
    UPDATES_WAITING_PER_PROCESS: String(pollers + 100),
    ...(redis && { REDIS_URL: redis.url }),
  }
  const web = await startWeb({ settings, context }, 2, { STOP_DELAY: '5s' })
  const roles = ['deliver', 'jobs'].map(ROLES => startAt({ ...settings, ROLES }, context))
  const others = await Promise.all(roles)
  const db = connect(target, { max: 4 })
  context.after(() => db.end())
  return { context, db, redis, settings, web, others, url: await startNginx(context, portsOf(web)) }
}

/** Replaces the process with a new one, as in an upgrade. Returns for how many milliseconds none was running. */
export async function restart(place: Place): Promise<number> {
  const begun = performance.now()
  await place.server.stop()
  place.server = await startServer(place.settings)
  return performance.now() - begun
}

export async function makeProject({ db }: Pick<Cluster, 'db'>) {
  const { id } = await createProject(db, { name: 'Bench' })
  const { id: keyId, key } = await createKey(db, id, 'bench')
  return { id, keyId, key }
}
