import assert from 'node:assert/strict'
import { unique } from './cast.ts'
import type { Client } from './client.ts'

/** Creates an organization with a name that occurs nowhere else, unless `fields` has one. */
export async function makeOrganization(api: Client, fields: object = {}) {
  const answer = await api.post('/organizations', { name: `Organization ${unique()}`, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
