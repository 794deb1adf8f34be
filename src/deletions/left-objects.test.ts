import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPlace } from '../../test/database.ts'
import { newId } from '../core/ids.ts'
import { createProject } from '../projects/projects.ts'
import { countObjects, deleteStrayObjects } from './deletions.ts'

const { db, projectId, drop } = await createPlace()
after(drop)

/** Adds a bucket of this project with one object that is to be deleted. */
async function addObject(ownerId: string): Promise<void> {
  const bucketId = newId()
  await db`
    insert into buckets (id, project_id, endpoint, bucket, region, path_style, credentials)
    values (${bucketId}, ${ownerId}, 'https://s3.example.com', ${bucketId}, 'eu', true, '')`
  await db`insert into stray_objects (storage_key, bucket_id, due_at) values (${bucketId}, ${bucketId}, now())`
}

test('forgets the objects that stay in the bucket of a deleted project, and no other project’s', async () => {
  const { id: otherId } = await createProject(db, { name: 'Rival' })
  await addObject(projectId)
  await addObject(otherId)
  await deleteStrayObjects(db, projectId)
  assert.deepEqual([await countObjects(db, projectId), await countObjects(db, otherId)], [0, 1])
})
