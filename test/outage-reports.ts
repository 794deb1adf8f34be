import assert from 'node:assert/strict'

interface Outage {
  report(): Promise<number>
  /** Moves the outage, and the next attempt to report it, into the past. */
  age(minutes: number): Promise<unknown>
  /** Switches the mail server off or on. */
  setAway(isAway: boolean): void
}

/** Checks that an outage is reported after 15 minutes, and again 10 minutes after an attempt that failed. */
export async function checkReport({ report, age, setAway }: Outage): Promise<void> {
  assert.equal(await report(), 0, 'it may work again soon')
  await age(16)
  setAway(true)
  await assert.rejects(report())
  setAway(false)
  assert.equal(await report(), 0, 'the next attempt follows later')
  await age(11)
  assert.equal(await report(), 1)
}
