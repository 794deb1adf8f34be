import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { gatherWords } from '../../test/questions/gather.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider, acme, rival } = server
after(() => server.close())

const find = async (q: string, caller = api): Promise<string[]> => {
  const { body, status, text } = await caller.get(`/tickets?q=${encodeURIComponent(q)}&page_size=100`)
  assert.equal(status, 200, text)
  return body.items.map(({ id }: { id: string }) => id)
}

test('a word is found by its stem, its beginning and with a typing error, in its own project only', async () => {
  const { id } = await makeTicket(api, { content: 'Two reimbursements arrived late, jackdaws cheered' })
  const other = await makeTicket(outsider, { content: 'Two reimbursements arrived late, jackdaws cheered' })
  await gatherWords(server, acme.id)
  await gatherWords(server, rival.id)
  for (const q of [
    'reimbursement arrive',
    'jackdaw',
    'reimb',
    'remibursements arrived',
    'jakcdaws late',
    'jackdows',
  ])
    assert.deepEqual([q, ...(await find(q))], [q, id])
  assert.deepEqual(await find('jackdaw', outsider), [other.id])
  for (const q of ['jackd arrived', 'arriving early', 'arrive4'])
    assert.deepEqual([q, ...(await find(q))], [q])
})

test('words that a hyphen joins are found as one, and the other way round', async () => {
  const [joined, apart] = [
    await makeTicket(api, { content: 'zebrafinch' }),
    await makeTicket(api, { content: 'zebra-finch' }),
  ]
  for (const q of ['zebrafinch', 'zebra-finch', 'Zebra‑Finch'])
    assert.deepEqual(await find(q), [apart.id, joined.id], q)
})
