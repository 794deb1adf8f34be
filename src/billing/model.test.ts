import { after, before, test } from 'node:test'
import { putModelPlans, runHistories } from '../../test/billing/run-histories.ts'
import { createDatabase } from '../../test/database.ts'
import type { Db } from '../core/db/db.ts'

let db: Db
let drop: () => Promise<void>
before(async () => {
  ;({ db, drop } = await createDatabase())
  await putModelPlans(db)
})
after(() => drop())

test('random histories of payments, renewals, choices and time match the model', () => runHistories(db, 300))
