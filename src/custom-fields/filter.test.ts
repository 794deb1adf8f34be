import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeContact, makeTicket } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, outsider } = server
after(() => server.close())

const records: Record<string, Record<string, unknown>> = {
  a: { order: 'A-17', seats: 17, 'is [new], yes': true },
  b: { order: 'A-18', seats: '17', tags: ['x', 'A, b'] },
  c: { order: ['A-17', 'A-19'], seats: 17.5, 'is [new], yes': 'true' },
  d: {},
}
const names = new Map<string, string>()
for (const [name, custom_fields] of Object.entries(records)) {
  names.set((await makeTicket(api, { custom_fields })).id, name)
  names.set((await makeContact(api, { custom_fields })).id, name)
  await makeTicket(outsider, { custom_fields })
}

async function found(path: string, ...pairs: [string, string][]): Promise<string> {
  const query = new URLSearchParams([
    ...pairs.map(([key, value]): [string, string] => [`custom_fields[${key}]`, value]),
    ['sort', 'created_at'],
  ])
  const { status, text, body, headers } = await api.get(`${path}?${query}`)
  assert.equal(status, 200, text)
  assert.equal(headers.get('x-ignored-parameters'), null)
  assert.equal(body.total, body.items.length)
  return body.items.map(({ id }: { id: string }) => names.get(id) ?? '?').join('')
}

const cases: [string, ...[string, string][]][] = [
  ['ac', ['order', 'A-17']],
  ['c', ['order', 'A-19']],
  ['', ['order', 'a-17']],
  ['', ['order', 'A']],
  ['ab', ['seats', '17']],
  ['c', ['seats', '17.5']],
  ['ac', ['is [new], yes', 'true']],
  ['b', ['tags', 'A, b']],
  ['a', ['order', 'A-17'], ['seats', '17']],
  ['', ['order', 'A-18'], ['seats', '1']],
  ['', ['__proto__', 'x']],
  ['', ["'; drop table tickets", '"}\\']],
]
for (const path of ['/tickets', '/contacts'])
  for (const [expected, ...pairs] of cases)
    test(`GET ${path} by custom fields ${pairs.join(' and ')} shows ${expected || 'nothing'}`, async () =>
      assert.equal(await found(path, ...pairs), expected))

test('a cursor for one custom field is refused with another, and the Link header keeps the filter', async () => {
  const first = await api.get('/tickets?custom_fields[seats]=17&page_size=1')
  const { next_cursor } = first.body
  const next = /^<\/api\/v1([^>]+)>/.exec(first.headers.get('link')!)![1]!
  assert.equal((await api.get(next)).body.items.length, 1)
  assertProblems(await api.get(`/tickets?custom_fields[order]=17&cursor=${next_cursor}`), 'query.cursor')
})

test('an invalid filter by custom fields is a schema mismatch', async () => {
  assertProblems(await api.get('/tickets?custom_fields=A-17'), 'query.custom_fields')
  assertProblems(await api.get('/tickets?custom_fields[a]=%00'), 'query.custom_fields')
  assertProblems(await api.get('/tickets?custom_fields[%00]=a'), 'query.custom_fields')
  const eleven = Array.from({ length: 11 }, (_, at) => `custom_fields[k${at}]=1`).join('&')
  assertProblems(await api.get(`/tickets?${eleven}`), 'query.custom_fields:too_long')
  assert.equal((await api.get('/tickets?fields[a]=b')).headers.get('x-ignored-parameters'), 'fields%5Ba%5D')
})
