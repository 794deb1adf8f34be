import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDatabase } from '../../test/database.ts'
import { createProject } from '../projects/projects.ts'
import { createDeletion } from './delete-project.ts'

const { db, drop } = await createDatabase()
after(drop)

test('a deletion that the database refuses for more than a minute fails with the reason, and can continue afterwards', async () => {
  const { id } = await createProject(db, { name: 'Held' })
  await db`update projects set deleting_since = now() - interval '1 minute' where id = ${id}`
  await db`create table of_others (owner uuid constraint held_by_others references projects)`
  await db`insert into of_others values (${id})`
  let now = 0
  const step = createDeletion(db, id, () => now)
  let last = await step()
  while (last.is === 'deleting') last = await step()
  assert.deepEqual(last, { is: 'waiting' })
  now = 59_000
  assert.deepEqual(await step(), { is: 'waiting' })
  now = 61_000
  const refused = new RegExp(`for more than a minute to delete rows of project ${id}: .*"held_by_others"`)
  await assert.rejects(step, refused)
  await assert.rejects(step, refused)
  await db`drop table of_others`
  assert.deepEqual(await step(), { is: 'gone' })
})
