import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../../test/database.ts'
import { startForwarder } from '../../../test/forwarder.ts'
import { freePort } from '../../../test/free-port.ts'
import { connect } from '../db/db.ts'
import { readConfig } from './config.ts'
import { readDatabaseUrl } from './database-url.ts'

/** Each DATABASE_URL with its hosts and ports. */
const addresses: Record<string, string[]> = {
  'postgres://db/desk': ['db 5432'],
  'postgresql://u:p@db:6432/desk': ['db 6432'],
  'postgres://a,b/desk': ['a 5432', 'b 5432'],
  'postgres://u:p%40@a:1,b:2,c/desk?ssl=require': ['a 1', 'b 2', 'c 5432'],
  'postgres://u@a,b/desk?port=6432': ['a 6432', 'b 6432'],
  'postgres://[::1]/desk': ['::1 5432'],
  'postgres://u@[fd00::1]:6432,10.0.0.2,[fd00::2]/desk': ['fd00::1 6432', '10.0.0.2 5432', 'fd00::2 5432'],
  'postgres://u@/desk?host=/run/postgresql&port=5433': ['/run/postgresql 5433'],
  'postgres:///desk?host=/run/postgresql': ['/run/postgresql 5432'],
  'postgres://u@%2Frun%2Fpostgresql/desk': ['/run/postgresql 5432'],
  'postgres:///desk?host=a,::1&port=1,2': ['a 1', '::1 2'],
}

test('DATABASE_URL accepts one or several hosts, each with its own port, by name, IPv6 address or socket', () => {
  for (const [text, expected] of Object.entries(addresses)) {
    const { hosts, ports, url } = readDatabaseUrl(text)
    assert.deepEqual(
      hosts.map((host, at) => `${host} ${ports[at]}`),
      expected,
      text,
    )
    assert.equal(new URL(url).pathname, '/desk')
    assert.equal(readConfig({ DATABASE_URL: text }).databaseUrl, text)
  }
})

test('uses the primary unless target_session_attrs says otherwise', () => {
  const kindOf = (query: string) => readDatabaseUrl(`postgres://a,b/desk${query}`).sessions
  assert.equal(kindOf(''), 'primary')
  assert.equal(kindOf('?target_session_attrs=any'), null)
  assert.equal(kindOf('?ssl=require&target_session_attrs=read-write'), 'read-write')
})

test('refuses a DATABASE_URL with an invalid host, port or target_session_attrs, without showing the password', () => {
  for (const rest of [
    'a,,b/d',
    'a,/d',
    'a:0/d',
    'a:x/d',
    '::1/d',
    '[::1/d',
    'a,b/d?port=1,2,3',
    'a,b/d?host=/x,/y',
    'a/d?target_session_attrs=best',
  ])
    assert.throws(
      () => readConfig({ DATABASE_URL: `postgres://u:hunter2@${rest}` }),
      (error: Error) => error.message.startsWith('DATABASE_URL: ') && !error.message.includes('hunter2'),
      rest,
    )
})

test('tries the next host when one refuses, and reports an error when all refuse', async t => {
  const { target, drop } = await createDatabase()
  const [dead, gone] = [await freePort(), await freePort()]
  const forwarder = await startForwarder({ path: `${target.host}/.s.PGSQL.${target.port}` })
  const urlOf = (...ports: number[]) =>
    `postgres://${target.user}@${ports.map(port => `127.0.0.1:${port}`).join()}/${target.database}`
  const db = connect({ url: urlOf(dead, forwarder.port, gone) }, { max: 2 })
  t.after(async () => {
    await db.end({ timeout: 1 })
    forwarder.close()
    await drop()
  })
  await db`select 1`
  forwarder.close()
  await assert.rejects(
    db`select 1`.then(() => db`select 1`),
    { code: /ECONNREFUSED|CONNECTION_CLOSED/ },
  )
  await assert.rejects(db`select 1`, { code: 'ECONNREFUSED' })
})
