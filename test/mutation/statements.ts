import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../src/core/config/config.ts'
import { connect, type Db } from '../../src/core/db/db.ts'
import { templateName } from '../database.ts'
import { type Change, listChanges } from '../distribution/changes.ts'
import { judgePlan, type Keys, projectParameters } from '../distribution/judge.ts'
import { judgeAll } from '../distribution/judge-all.ts'
import { listKeys } from '../distribution/keys.ts'
import { createPlanner, type Planner } from '../distribution/plan.ts'
import { readRecordings } from '../distribution/recordings.ts'
import { startTestPostgres } from '../postgres.ts'

/**
 * `bin/mutate statements`: takes the project's parameter from one place of one statement at a time, and shows which of these changes
 * the judge of plans does not notice. The statements are those in the folder DESKBELL_TEST_STATEMENTS, or those of the journey through
 * the API.
 */

/** Runs the journey through the API, whose statements are recorded in the folder. */
function record(folder: string): void {
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'test/runner.ts'), 'test/conventions/journey.test.ts'],
    { cwd: root, env: { ...process.env, DESKBELL_TEST_STATEMENTS: folder }, stdio: ['ignore', 2, 2] },
  )
  if (status !== 0) throw new Error('The journey failed, so there are no statements to change; see above')
}

async function isNoticed(plan: Planner, keys: Keys, change: Change): Promise<boolean> {
  try {
    return judgePlan(change.statement, await plan(change.statement), keys).length > 0
  } catch {
    return true
  }
}

async function listGoodChanges(own: Db, folder: string, keys: Keys): Promise<Change[]> {
  const judged = await judgeAll(own, readRecordings(folder).statements)
  const good = judged.filter(({ plan, faults }) => plan && faults.length === 0)
  return good.flatMap(statement => {
    const project = projectParameters(statement, statement.plan!, keys).map(one => statement.equals[one - 1]!)
    return listChanges(statement, keys, index => project.includes(statement.equals[index - 1]!))
  })
}

async function tryChanges(own: Db, folder: string): Promise<number> {
  const keys = await listKeys(own)
  const changes = await listGoodChanges(own, folder, keys)
  const plan = await createPlanner(own)
  const missed: Change[] = []
  for (const change of changes) if (!(await isNoticed(plan, keys, change))) missed.push(change)
  for (const { statement, words } of missed)
    process.stdout.write(
      `${statement.origin}: ${words}\n    ${statement.text.replaceAll(/\s+/g, ' ').trim()}\n`,
    )
  process.stdout.write(`${changes.length} changes, ${missed.length} not noticed\n`)
  return missed.length ? 1 : 0
}

export async function mutateStatements(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-mutation-'))
  const given = process.env.DESKBELL_TEST_STATEMENTS
  if (!given) record(folder)
  const postgresFolder = mkdtempSync(join(tmpdir(), 'deskbell-mutation-'))
  const postgres = await startTestPostgres(postgresFolder)
  const target = JSON.parse(postgres.environment.DESKBELL_TEST_DATABASE)
  const own = connect({ ...target, database: templateName }, { max: 1 })
  try {
    return await tryChanges(own, given ?? folder)
  } finally {
    await own.end()
    await postgres.stop()
    for (const path of [folder, postgresFolder]) rmSync(path, { recursive: true })
  }
}
