import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createPlace } from '../../../test/database.ts'
import { createProject } from '../../projects/projects.ts'
import { deleteOldVisitors } from './old-visitors.ts'

const { db, projectId: acme, drop } = await createPlace()
after(drop)
const { id: rival } = await createProject(db, { name: 'Rival' })

async function makeVisitor(projectId: string, seenDaysAgo: number, expires: string | null = null) {
  const id = randomUUID()
  await db`
    insert into visitors (project_id, id, token_hash, seen_at, expires_at)
    values (${projectId}, ${id}, ${randomBytes(32)}, now() - ${seenDaysAgo}::int * interval '1 day', ${expires})`
  return id
}

test('deletes visitors of every project who were not seen for long or whose link has expired, and no others', async () => {
  const gone = [
    await makeVisitor(acme, 31),
    await makeVisitor(rival, 401),
    await makeVisitor(acme, 0, '2026-01-01'),
  ]
  const kept = [
    await makeVisitor(acme, 29),
    await makeVisitor(rival, 0),
    await makeVisitor(rival, 0, '2999-01-01'),
  ]
  assert.equal(await deleteOldVisitors(db), gone.length)
  const left = await db<{ id: string }[]>`select id from visitors`
  assert.deepEqual(new Set(left.map(({ id }) => id)), new Set(kept))
})
