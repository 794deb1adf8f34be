import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Db } from '../../src/core/db/db.ts'
import { type Member, makeCast } from '../cast.ts'
import { type Client, createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { needs } from '../needs.ts'
import { startNginx } from '../nginx.ts'
import { startPgbouncer } from '../pgbouncer.ts'
import { makeFolder, type Program, startServer } from './program.ts'

export interface Cluster {
  db: Db
  acme: Member
  rival: Member
  web: Program[]
  settings: Record<string, string>[]
  /** The address of nginx. */
  url: string
}

/** Starts PgBouncer in transaction mode, two HTTP processes behind nginx, and one process for the other roles. */
export async function startCluster(context: TestContext): Promise<Cluster> {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const ports = [await freePort(), await freePort()]
  const url = await startNginx(context, ports)
  const shared = {
    PUBLIC_URL: url,
    DATABASE_URL: await startPgbouncer(context, target),
    DATABASE_POOL: '5',
    DATA_DIR: makeFolder(context),
    SECRET_KEY: randomBytes(32).toString('hex'),
    TRUST_PROXY: '127.0.0.1',
    STOP_DELAY: '5s',
  }
  const settings = ports.map(port => ({ ...shared, PORT: String(port), ROLES: 'http' }))
  const [web] = await Promise.all([
    Promise.all(settings.map(each => startServer(context, each))),
    startServer(context, { ...shared, ROLES: 'deliver,jobs' }),
  ])
  return { db, ...(await makeCast(db)), web, settings, url }
}

export const clientOf = (url: string, { key }: Member): Client => createClient(`${url}/api/v1`, key.key)

/** The programs that cluster tests need. */
export const clusterNeeds = { skip: needs('nginx').skip || needs('pgbouncer').skip }
