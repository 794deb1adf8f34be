import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { createProject } from '../projects/projects.ts'
import { findPlannedDeletion } from './find-deletion.ts'

const { db, drop } = await createPlace()
after(drop)

const make = async (name: string): Promise<string> => (await createProject(db, { name })).id

test('refuses to delete a project when the word is the id of one and the slug of another', async () => {
  const [first, second] = [await make('First'), await make('Second')]
  await db`update projects set slug = ${first} where id = ${second}`
  await assert.rejects(
    findPlannedDeletion(db, first),
    new RegExp(
      `"${first}" is the id of "First" and the slug of "Second"; give the slug first to delete the first, or the id ${second} `,
    ),
  )
  assert.equal((await findPlannedDeletion(db, second)).id, second)
  assert.equal((await findPlannedDeletion(db, 'first')).id, first)
  await db`update projects set slug = null where id = ${second}`
  assert.equal((await findPlannedDeletion(db, first)).id, first)
})
