import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProjectBatch } from './batch.ts'

interface Key {
  projectId: string
  id: number
}

test('concurrent look-ups of a project are one load, and each load is of one project', async () => {
  const loads: [string, number[]][] = []
  const find = createProjectBatch(
    async (projectId, keys: Key[]) => {
      loads.push([projectId, keys.map(({ id }) => id)])
      return ({ id }) => `${projectId} ${id}`
    },
    ({ projectId }) => projectId,
  )
  const keys = [1, 2, 3].flatMap(id => ['acme', 'rival'].map(projectId => ({ projectId, id })))
  const found = await Promise.all(keys.map(find))
  assert.deepEqual(
    found,
    keys.map(({ projectId, id }) => `${projectId} ${id}`),
  )
  assert.deepEqual(loads, [
    ['acme', [1, 2, 3]],
    ['rival', [1, 2, 3]],
  ])
})

test('a load that fails rejects only the look-ups of its project', async () => {
  const find = createProjectBatch(
    async projectId => {
      if (projectId === 'rival') throw new Error('broken')
      return () => 'found'
    },
    ({ projectId }: Key) => projectId,
  )
  const [acme, rival] = await Promise.allSettled([
    find({ projectId: 'acme', id: 1 }),
    find({ projectId: 'rival', id: 1 }),
  ])
  assert.deepEqual([acme.status, rival.status], ['fulfilled', 'rejected'])
})
