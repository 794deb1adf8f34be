import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOfPicture, printPicture } from '../../web/dashboard/knowledge/pictures.ts'

test('brackets in the description of a picture are escaped', () => {
  assert.equal(printPicture('/a', ' A [big]\nbell \\ '), '![A \\[big\\] bell \\\\](/a)')
})

test('the editor loads pictures of Deskbell from the dashboard, and all others from their own addresses', () => {
  const id = '0198c0de-0000-7000-8000-000000000001'
  const own = addressOfPicture('p1', `/api/media/${id}`)
  assert.equal(own, `/api/dashboard/projects/p1/media/${id}?inline=true`)
  for (const other of ['https://x.test/a.png', `https://x.test/api/media/${id}`, '/help/a.png'])
    assert.equal(addressOfPicture('p1', other), other)
})
