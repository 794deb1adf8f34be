import { readConfig } from '../src/core/config/config.ts'
import { connect, type DatabaseTarget, type Db } from '../src/core/db/db.ts'
import { migrate } from '../src/core/db/migrate.ts'
import { openDatabase } from '../src/core/db/postgres.ts'
import { createLog } from '../src/core/telemetry/log.ts'
import { withHooks } from '../src/events/log.ts'
import { createDispatcher } from '../src/webhooks/dispatch.ts'

/** Opens the embedded database of a folder, with or without its server, and migrates it. Without a statement timeout. */
export async function openDataDir(
  dataDir: string,
  max = 1,
): Promise<{ db: Db; target: DatabaseTarget; close(): Promise<void> }> {
  const log = createLog('warn')
  const config = readConfig({ DATA_DIR: dataDir })
  const database = await openDatabase(config, log, 'beside')
  const db = withHooks(connect(database.target, { max, statementTimeout: 0 }), {
    fanOut: createDispatcher().fanOut,
  })
  await migrate(db, log)
  const close = async () => {
    await db.end({ timeout: 5 })
    await database.close()
  }
  return { db, target: database.target, close }
}
