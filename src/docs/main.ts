import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../core/config/config.ts'
import { connect } from '../core/db/db.ts'
import { migrate } from '../core/db/migrate.ts'
import { startPostgres } from '../core/db/postgres.ts'
import { createLog } from '../core/telemetry/log.ts'
import { type Document, isStale, printDocuments } from './files.ts'

/** `bin/docs` writes the generated files; `bin/docs --check` fails when one is stale. */

async function print(): Promise<Document[]> {
  const log = createLog('warn')
  const folder = mkdtempSync(join(tmpdir(), 'deskbell docs '))
  const postgres = await startPostgres(folder, log, { fsync: 'off' })
  const db = connect(postgres.connection, { max: 5 })
  try {
    await migrate(db, log)
    return await printDocuments(db)
  } finally {
    await db.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const isCheck = process.argv.includes('--check')
const stale = (await print()).filter(isStale)
for (const { path, text } of stale) {
  if (!isCheck) writeFileSync(join(root, path), text)
  process.stdout.write(`${isCheck ? 'stale' : 'written'}: ${path}\n`)
}
if (stale.length === 0) process.stdout.write('The generated files are up to date.\n')
else if (isCheck) process.stdout.write('Run bin/docs and commit what it writes.\n')
process.exitCode = isCheck && stale.length > 0 ? 1 : 0
