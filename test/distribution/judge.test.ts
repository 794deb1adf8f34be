import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../database.ts'
import { listClocks } from './clocks.ts'
import { judgeAll } from './judge-all.ts'

const { db, drop } = await createDatabase({ max: 1 })
after(drop)

const uuid = 2950

/** The faults of a statement, of whose two parameters both are the same project if `isSame`. */
async function judge(text: string, isSame = true): Promise<string[]> {
  const statement = { text, types: [uuid, uuid], origin: 'src/a.ts:1:1', equals: isSame ? [0, 0] : [0, 1] }
  const [judged] = await judgeAll(db, [statement])
  return judged!.faults
}

const good = {
  'a condition on each table':
    'select from tickets t join messages m on m.project_id = $1 and m.ticket_id = t.id where t.project_id = $2',
  'a join from which the planner derives the condition':
    'select from tickets t join messages m on m.project_id = t.project_id and m.ticket_id = t.id where t.project_id = $1 or $2 is null and t.project_id = $1',
  'a sub-select':
    'select id, (select count(*) from messages m where m.project_id = $1 and m.ticket_id = t.id) from tickets t where project_id = $2',
  'an insert of values':
    "insert into tags (project_id, id, name, folded) values ($1, $2, 'a', 'a'), ($2, $1, 'b', 'b')",
  'an insert of rows of the project':
    'insert into words_read (project_id) select id from projects where id = $1 and $2::uuid is not null',
}

for (const [what, text] of Object.entries(good))
  test(`accepts ${what}`, async () => {
    assert.deepEqual(await judge(text), [])
  })

const bad = {
  'no condition': 'select from tickets where id = $1 or id = $2',
  'a condition that only one alternative has': 'select from tickets where project_id = $1 or id = $2',
  'a sub-select that refers to another table':
    'select id, (select count(*) from messages m where m.project_id = t.project_id and m.ticket_id = t.id) from tickets t where project_id = $1 and id = $2',
  'a list of projects': 'select from tickets where project_id = any(array[$1, $2])',
  'an insert of a list of projects':
    'insert into words_read (project_id) select id from unnest(array[$1, $2]) as p (id)',
  'a sub-select in place of the parameter': 'select from tickets where project_id = (select $1) and id = $2',
}

for (const [what, text] of Object.entries(bad))
  test(`refuses ${what}`, async () => {
    assert.equal((await judge(text)).length, 1)
  })

test('refuses parameters that are not the same project', async () => {
  const text =
    'select from tickets t join messages m on m.project_id = $1 and m.ticket_id = t.id where t.project_id = $2'
  assert.deepEqual(await judge(text, false), ['2 parameters that differ are used as the project'])
})

test('finds clocks where a machine would read its own', () => {
  assert.deepEqual(listClocks('update t set a = case when b then now() end returning now()'), [
    'case',
    'returning',
  ])
  assert.deepEqual(listClocks('select coalesce(a, (select now()))'), ['coalesce'])
  assert.deepEqual(listClocks('insert into t (a) values (now()) on conflict (a) do update set a = now()'), [
    'on conflict',
  ])
  assert.deepEqual(
    listClocks("with x as (update t set a = now() returning id) select now(), 'case' from x"),
    [],
  )
})
