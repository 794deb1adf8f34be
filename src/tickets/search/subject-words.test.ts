import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket } from '../../../test/cast.ts'
import { countReadBy } from '../../../test/rows-read.ts'
import { startServer } from '../../../test/server.ts'
import type { Condition } from '../../conditions/schema.ts'
import { connectApart, type Db } from '../../core/db/db.ts'
import { searchTickets } from './search.ts'

/** Conditions on the subject, among many tickets. */

const server = await startServer({ delivers: false })
const { api, outsider, acme, rival } = server
const db = connectApart(server.db, { max: 1 })
after(async () => {
  await db.end()
  await server.close()
})

const many = 3_000
let wanted: string

before(async () => {
  await makeTicket(outsider, { subject: 'Re: the brass lamp!' })
  ;({ id: wanted } = await makeTicket(api, { subject: 'Re: the Bråss lamp, again' }))
  await db`
    with made as (
      insert into tickets (project_id, id, number, contact_id, subject, status, priority, channel, created_at)
      select project_id, uuid_v7(), 1000 + n, contact_id, 'The steel lamp ' || n, status, priority, channel,
        timestamptz '2025-01-01' + n * interval '1 hour'
      from tickets, generate_series(1, ${many}::int) n where project_id = ${acme.id} and id = ${wanted}
      returning project_id, id, created_at
    ) insert into ticket_activity (project_id, ticket_id, updated_at) select project_id, id, created_at from made`
  await db`analyze`
})

const subject = (op: Condition['op'], ...value: string[]): Condition => ({ field: 'subject', op, value })

const find = async (own: Db, project: string, conditions: Condition, sort: string): Promise<string[]> => {
  const { items } = await searchTickets(own, project, { conditions, sort, count: false })
  return items.map(({ id }) => id)
}

const conditions: [string, Condition][] = [
  ['a word', subject('contains_any', 'brass')],
  ['words in a row', subject('contains_any', 'the brass lamp')],
  ['any of two words', subject('contains_any', 'brass', 'absent')],
  ['all of two words', subject('contains_all', 'brass', 'lamp')],
  ['a word besides others', { all: [subject('contains_any', 'brass'), subject('contains_none', 'steel')] }],
  ['any of two conditions', { any: [subject('contains_any', 'brass'), subject('contains_any', 'absent')] }],
]

for (const sort of ['-created_at', '-last_message_at', 'waiting_since'])
  for (const [name, condition] of conditions)
    test(`${name}, sorted by ${sort}: only the tickets with the words are read`, async () => {
      let found: string[] = []
      const read = await countReadBy(db, async () => {
        found = await find(db, acme.id, condition, sort)
      })
      assert.deepEqual(found, [wanted])
      assert.ok(read < many / 3, `${read} rows and index entries were read`)
    })

test('words that most subjects have fill the first page after a few tickets', async () => {
  const read = await countReadBy(db, () => find(db, acme.id, subject('contains_any', 'steel'), '-created_at'))
  assert.ok(read < many / 3, `${read} rows and index entries were read`)
})

test('another project’s tickets have their own words', async () => {
  assert.deepEqual(await find(db, rival.id, subject('contains_any', 'again'), '-created_at'), [])
  assert.equal((await find(db, rival.id, subject('contains_any', 'brass'), '-created_at')).length, 1)
})
