import { randomBytes } from 'node:crypto'
import { connect, type DatabaseTarget } from '../src/core/db/db.ts'
import { type Store, withHooks } from '../src/events/log.ts'
import { createProject } from '../src/projects/projects.ts'
import { createDispatcher, type Dispatcher } from '../src/webhooks/dispatch.ts'

export interface TestDatabase {
  db: Store
  target: DatabaseTarget
  dispatcher: Dispatcher
  drop(): Promise<void>
}

export const templateName = 'deskbell_template'

/** Creates a database on the Postgres of this test run: a migrated one, unless another template is given. */
export async function createDatabase({
  max = 10,
  template = templateName,
}: {
  max?: number
  template?: string
} = {}): Promise<TestDatabase> {
  const server = readTarget()
  const database = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await administrate(server, `create database ${database} template ${template} strategy file_copy`)
  const target = { ...server, database }
  const dispatcher = createDispatcher()
  const db = withHooks(connect(target, { max }), { fanOut: dispatcher.fanOut })
  const drop = async () => {
    await db.end({ timeout: 1 })
    await administrate(server, `drop database ${database} with (force)`)
  }
  return { db, target, dispatcher, drop }
}

/** The DATABASE_URL of the target. */
export const addressOf = ({ user, database, host, port }: DatabaseTarget): string =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host!)}&port=${port}`

/** Creates a database with one project. */
export async function createPlace(options?: { max?: number }): Promise<TestDatabase & { projectId: string }> {
  const own = await createDatabase(options)
  const { id } = await createProject(own.db, { name: 'Acme' })
  return { ...own, projectId: id }
}

function readTarget(): DatabaseTarget {
  const given = process.env.DESKBELL_TEST_DATABASE
  if (!given)
    throw new Error(
      'Run tests through npm test, which starts their Postgres: npm test -- path/to/file.test.ts',
    )
  return JSON.parse(given)
}

export async function administrate(server: DatabaseTarget, statement: string): Promise<void> {
  const db = connect({ ...server, database: 'postgres' }, { max: 1 })
  try {
    await db.unsafe(statement)
  } finally {
    await db.end()
  }
}
