import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, nobody } from '../../../../test/cast.ts'
import { assertEnvelope } from '../../../../test/client.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'

/** The rules for mailboxes, tested through the dashboard's API. */

let server: TestServer
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  server = await startServer({ delivers: false, config: { publicUrl: 'https://desk.example.com' } })
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const imap = { host: 'imap.example.com', password: 'secret-password', user: 'ann' }
const make = (fields: object, person = olga) =>
  person.api.post('/mailboxes', { incoming: 'imap', imap, ...fields })

test('encrypts passwords in the database and never shows them in responses, exports or the audit log', async () => {
  const made = await make({ address: 'Support@Example.com' })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    [made.body.address, made.body.state, made.body.imap.port, made.body.imap.security],
    ['support@example.com', 'active', 993, 'tls'],
  )
  const one = `/mailboxes/${made.body.id}`
  const texts = await Promise.all([
    olga.api.get('/mailboxes'),
    olga.api.get(one),
    olga.api.get('/audit'),
    server.api.get('/mailboxes'),
    olga.api.patch(one, { imap: { password: 'another-password' } }),
  ])
  const rows = await server.db`select t::text as row from mailboxes t`
  for (const text of [made.text, ...texts.map(answer => answer.text), ...rows.map(({ row }) => row)])
    assert.doesNotMatch(text, /(?:secret|another)-password/)
  assert.doesNotMatch(texts[3]!.text, /imap.example.com/)
})

test('an address or alias belongs to only one project of the installation until its mailbox is deleted', async () => {
  const made = await make({ address: 'one@example.com', aliases: ['two@example.com'] })
  for (const address of ['one@example.com', 'TWO@example.com']) {
    assertEnvelope(await make({ address }), 409, 'MAILBOX_EXISTS')
    assertEnvelope(await make({ address }, rita), 409, 'MAILBOX_EXISTS')
    assertEnvelope(
      await make({ address: 'three@example.com', aliases: [address] }, rita),
      409,
      'MAILBOX_EXISTS',
    )
  }
  assert.equal((await olga.api.delete(`/mailboxes/${made.body.id}`)).status, 204)
  assert.equal((await make({ address: 'two@example.com' }, rita)).status, 201)
})

test('an alias removed from a mailbox is available to other projects, and its address is not', async () => {
  const made = await make({ address: 'kept@example.com', aliases: ['given-up@example.com'] })
  const changed = await olga.api.patch(`/mailboxes/${made.body.id}`, { aliases: ['new@example.com'] })
  assert.deepEqual([changed.status, changed.body.aliases], [200, ['new@example.com']])
  for (const address of ['kept@example.com', 'new@example.com'])
    assertEnvelope(await make({ address }, rita), 409, 'MAILBOX_EXISTS')
  assert.equal((await make({ address: 'given-up@example.com' }, rita)).status, 201)
})

test('only admins see and change mailboxes, and Rival cannot access them', async () => {
  const { body } = await make({ address: 'guarded@example.com' })
  for (const path of ['/mailboxes', `/mailboxes/${body.id}`])
    assertEnvelope(await omar.api.get(path), 403, 'ROLE_REQUIRED')
  assertEnvelope(await make({ address: 'omar@example.com' }, omar), 403, 'ROLE_REQUIRED')
  assertEnvelope(await rita.api.get(`/mailboxes/${body.id}`), 404, 'MAILBOX_NOT_FOUND')
  assertEnvelope(await rita.api.post(`/mailboxes/${body.id}/pause`), 404, 'MAILBOX_NOT_FOUND')
  assert.equal(
    (await server.outsider.get('/mailboxes')).body.items.some(({ id }: { id: string }) => id === body.id),
    false,
  )
})

test('rejects a mail server in a private network on a public installation', async () => {
  const refused = await make({ address: 'inside@example.com', imap: { ...imap, host: '127.0.0.1' } })
  assertEnvelope(refused, 422, 'VALIDATION_ERROR')
  assert.deepEqual([refused.body.detail.field, refused.body.detail.reason], ['imap.host', 'blocked_address'])
  // Host names are resolved only when connecting.
  const named = await make({ address: 'named@example.com', imap: { ...imap, host: 'localhost' } })
  const trial = await olga.api.post(`/mailboxes/${named.body.id}/test`)
  assert.deepEqual([trial.body.ok, trial.body.code], [false, 'eblocked'])
})

test('requires the password again when the server changes', async () => {
  const { body } = await make({ address: 'moving@example.com' })
  const one = `/mailboxes/${body.id}`
  const moved = await olga.api.patch(one, { imap: { host: 'evil.example.com' } })
  assert.deepEqual([moved.status, moved.body.detail.field], [422, 'imap.password'])
  const given = await olga.api.patch(one, { imap: { host: 'new.example.com', password: 'p' } })
  assert.equal(given.body.imap.host, 'new.example.com')
})

test('rejects inconsistent settings', async () => {
  const reasonOf = async (fields: object) => {
    const { body, status } = await make({ address: 'wrong@example.com', ...fields })
    assert.equal(status, 422)
    return `${body.detail.field} ${body.detail.reason}`
  }
  assert.equal(await reasonOf({ imap: undefined }), 'imap required')
  assert.equal(await reasonOf({ start_from: 'days' }), 'start_days required')
  assert.equal(await reasonOf({ after_fetch: 'move' }), 'after_fetch_folder required')
  assert.equal(
    await reasonOf({ after_fetch: 'move', after_fetch_folder: 'INBOX', folders: ['INBOX'] }),
    'after_fetch_folder is_fetched',
  )
  assert.equal(await reasonOf({ department_id: nobody }), 'department_id not_found')
  const theirs = await makeDepartment(server.db, server.rival)
  assert.equal(await reasonOf({ department_id: theirs.id }), 'department_id not_found')
})

test('applies a change only to the version that was read, and records its author in the audit log', async () => {
  const { body } = await make({ address: 'versions@example.com' })
  const one = `/mailboxes/${body.id}`
  const headers = { 'if-match': '"7"' }
  assertEnvelope(await olga.api.patch(one, { name: 'Acme' }, { headers }), 412, 'SETTINGS_CHANGED')
  const changed = await olga.api.patch(
    one,
    { name: 'Acme' },
    { headers: { 'if-match': `"${body.version}"` } },
  )
  assert.deepEqual([changed.body.name, changed.body.version], ['Acme', body.version + 1])
  const paused = await olga.api.post(`${one}/pause`)
  assert.equal(paused.body.state, 'paused')
  assert.equal((await olga.api.post(`${one}/resume`)).body.state, 'active')
  const { items } = (await olga.api.get(`/audit?target_id=${body.id}`)).body
  assert.deepEqual(
    items.map(({ action }: { action: string }) => action),
    ['mailbox.resumed', 'mailbox.paused', 'mailbox.changed', 'mailbox.created'],
  )
})

test('shows a problem that an earlier build stored without values', async () => {
  const { body } = await make({ address: 'earlier@example.com' })
  await server.db`
    update mailboxes set state = 'broken', last_error = ${{ code: 'login_refused', at: body.created_at } as never}
    where project_id = ${server.acme.id} and id = ${body.id}`
  const { status, body: shown } = await olga.api.get(`/mailboxes/${body.id}`)
  assert.deepEqual([status, shown.last_error.values], [200, {}])
  assert.ok(shown.last_error.text.length > 20)
})
