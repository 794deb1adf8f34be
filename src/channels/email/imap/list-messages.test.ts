import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { listFolderMessages } from './list-messages.ts'

/** A server that returns one email with these headers. */
const serverWith = (headers: string) =>
  ({
    usable: true,
    async *fetch() {
      yield { uid: 1, size: 100, internalDate: new Date(), headers: Buffer.from(headers) }
    },
  }) as never

const list = (headers: string) =>
  listFolderMessages(
    serverWith(headers),
    { first: 1, last: null },
    {
      since: new Date('2026-01-01'),
      isRenumbered: true,
    },
  )

test('after UIDVALIDITY changed, an email with an old Received header is skipped', async () => {
  const old = 'Received: from a\r\n by b; Thu, 01 Jan 2015 10:00:00 +0000\r\n'
  assert.deepEqual((await list(old)).messages, [])
  assert.equal((await list(old.replace('2015', '2026'))).messages.length, 1)
})

test('Received headers of 1 MB without a date are read in less than a second', async () => {
  for (const headers of [`Received: a${'\r\n b'.repeat(250_000)}`, 'Received: a\r\n'.repeat(80_000)]) {
    const startedAt = cpuTime()
    assert.equal((await list(headers)).messages.length, 1)
    const ms = cpuTime() - startedAt
    assert.ok(ms < 1_000, `${ms} ms`)
  }
})
