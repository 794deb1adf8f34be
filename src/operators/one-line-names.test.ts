import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'

let server: TestServer
let olga: Person
before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga } = await joinCast(server))
})
after(() => server.close())

test('refuses line breaks and other control characters in names of projects, departments, people, keys and tags', async () => {
  for (const name of ['Acme\r\nBcc: all@example.com', 'Acme\u0000', '\u001bAcme', 'Acme\u0085', ' ']) {
    const answers = await Promise.all([
      olga.of(server.acme).patch('/settings', { name }),
      olga.of(server.acme).post('/departments', { name }),
      olga.own.patch('/me', { name }),
      olga.of(server.acme).post('/keys', { name }),
      olga.of(server.acme).post('/tags', { name }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 422),
      JSON.stringify(name),
    )
  }
})

test('accepts names in any script', async () => {
  for (const name of ['Łódź & Söhne', '日本語 サポート', 'دعم', '👩‍💻 Desk'])
    assert.equal((await olga.of(server.acme).post('/departments', { name })).status, 201, name)
})
