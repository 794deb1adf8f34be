import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { formOf, formType, png, upload } from '../../test/upload.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const pixel = png(1, 1)

const lastEntry = async () => (await desk.admin.get('/audit?page_size=1')).body.items[0]

test('everyone in the project can read the settings, and only admins can change them', async () => {
  const old = (await desk.operator.get('/settings')).body
  const usual = { reopen_days: 14, auto_close_days: null, timezone: 'UTC', logo_url: null }
  assert.partialDeepStrictEqual(old, { name: 'Acme', ...usual })
  const change = {
    name: ' Acme Ltd ',
    color: '#1a73e8',
    reopen_days: 3,
    auto_close_days: 7,
    default_locale: 'pt-br',
    timezone: 'Europe/Berlin',
  }
  assertEnvelope(await desk.operator.patch('/settings', change), 403, 'ROLE_REQUIRED', { role: 'admin' })
  const changed = await desk.admin.patch('/settings', change)
  assert.equal(changed.status, 200, changed.text)
  const shown = { ...change, name: 'Acme Ltd', default_locale: 'pt-BR' }
  assert.deepEqual(changed.body, { ...old, ...shown, version: old.version + 1 })
  assert.equal((await server.api.get('/project')).body.name, 'Acme Ltd')
  assert.partialDeepStrictEqual((await desk.stranger.get('/settings')).body, {
    name: 'Rival',
    color: null,
    timezone: 'UTC',
  })
})

test('a change is in the audit log with the old and new values; saving the same values changes nothing', async () => {
  await desk.admin.patch('/settings', { name: 'Before' })
  const { version } = (await desk.admin.patch('/settings', { name: 'After', reopen_days: 5 })).body
  const entry = await lastEntry()
  assert.partialDeepStrictEqual(entry, {
    action: 'project.changed',
    author_name: 'admin',
    target_type: 'project',
  })
  assert.equal(entry.detail.before.name, 'Before')
  assert.equal(entry.detail.after.name, 'After')
  assert.equal((await desk.admin.patch('/settings', { name: 'After' })).body.version, version)
  assert.equal((await lastEntry()).id, entry.id)
})

test('fields that the operation does not have are ignored', async () => {
  const stolen = { plan: 'trial', requires_second_factor: true, logo_id: nobody, suspended_reason: 'x' }
  const before = await server.db`select * from projects where id = ${server.acme.id}`
  const { status } = await desk.admin.patch('/settings', stolen)
  assert.equal(status, 200)
  assert.deepEqual(await server.db`select * from projects where id = ${server.acme.id}`, before)
})

test('if two people save at once, the second gets 412 with the settings that the first has saved', async () => {
  const { version } = (await desk.admin.get('/settings')).body
  const save = (name: string) =>
    desk.admin.patch('/settings', { name }, { headers: { 'if-match': `"${version}"` } })
  const answers = await Promise.all([save(unique()), save(unique())])
  const [kept, late] = answers.sort((one, other) => one.status - other.status)
  assert.equal(kept!.status, 200)
  assertEnvelope(late!, 412, 'SETTINGS_CHANGED', { current: kept!.body })
})

test('each invalid value is reported with the name of its field', async () => {
  const wrong = { name: '  ', color: 'blue', reopen_days: -1, auto_close_days: 0, slug: 'Not a slug' }
  const answer = await desk.admin.patch('/settings', wrong)
  assertProblems(answer, ...Object.keys(wrong).map(name => `body.${name}`))
  const language = await desk.admin.patch('/settings', { default_locale: 'not a language' })
  assertEnvelope(language, 422, 'VALIDATION_ERROR', { field: 'default_locale', reason: 'not_a_language_tag' })
  const zone = await desk.admin.patch('/settings', { timezone: 'Europe/Atlantis' })
  assertEnvelope(zone, 422, 'VALIDATION_ERROR', { field: 'timezone', reason: 'not_a_timezone' })
  const { slug } = (await desk.stranger.get('/settings')).body
  const taken = await desk.admin.patch('/settings', { slug })
  assertEnvelope(taken, 422, 'VALIDATION_ERROR', { field: 'slug', reason: 'slug_taken' })
})

const sendLogo = (client: Desk['admin'], content: Uint8Array | string) =>
  client.post('/settings/logo', undefined, {
    raw: formOf({ filename: 'logo.png', content }),
    headers: formType,
  })

const fetchLogo = (path: string) => fetch(new URL(path, server.url))

test('only admins upload a logo; it must be a picture, is public, and replaces the previous one', async () => {
  assertEnvelope(await sendLogo(desk.operator, pixel), 403, 'ROLE_REQUIRED')
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  assertEnvelope(await sendLogo(desk.admin, script), 422, 'VALIDATION_ERROR', { reason: 'not_a_picture' })
  const padded = Buffer.concat([pixel, Buffer.alloc(1024 * 1024)])
  assertEnvelope(await sendLogo(desk.admin, padded), 422, 'VALIDATION_ERROR', { reason: 'picture_too_large' })
  const first = (await sendLogo(desk.admin, pixel)).body.logo_url
  assert.equal((await fetchLogo(first)).headers.get('content-type'), 'image/png')
  const second = (await sendLogo(desk.admin, pixel)).body.logo_url
  assert.deepEqual([(await fetchLogo(first)).status, (await fetchLogo(second)).status], [404, 200])
  const kept =
    await server.db`select expires_at is null as stays from media where project_id = ${server.acme.id}`
  assert.deepEqual(kept.filter(file => file.stays).length, 1)
  assert.equal((await desk.admin.delete('/settings/logo')).body.logo_url, null)
  assert.equal((await fetchLogo(second)).status, 404)
})

test('a file without a message is not public, even if another file is the logo', async () => {
  await sendLogo(desk.admin, pixel)
  const { body } = await upload(server.api, { filename: 'a.png', content: pixel })
  assert.equal((await fetchLogo(`/api/media/${body.id}`)).status, 404)
})
