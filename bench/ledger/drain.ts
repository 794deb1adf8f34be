import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'

/** Waits until all deliveries are sent. Returns how many remain at the timeout; these count as lost. */
export async function drain(db: Db, ms = 120_000): Promise<number> {
  const deadline = performance.now() + ms
  for (;;) {
    const [row] = await db<{ left: number }[]>`select count(*)::int as left from webhook_queue`
    if (row!.left === 0 || performance.now() > deadline) return row!.left
    await sleep(250)
  }
}
