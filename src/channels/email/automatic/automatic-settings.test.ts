import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope, assertProblems } from '../../../../test/client.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'

/** The settings for automatic emails, through the dashboard API. */

let server: TestServer
let olga: Person
let omar: Person
let rita: Person
let one: string

before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
  const { body } = await olga.api.post('/mailboxes', { address: 'a@acme.example', incoming: 'listen' })
  one = `/mailboxes/${body.id}`
})
after(() => server.close())

test('automatic emails are off by default, and admins can turn them on and write texts for each language', async () => {
  const before = (await olga.api.get(one)).body
  assert.partialDeepStrictEqual(before, { sends_acknowledgement: false, sends_away: false, texts: {} })
  const change = {
    sends_acknowledgement: true,
    sends_away: true,
    texts: { 'pt-br': { acknowledgement: 'Recebemos.' }, de: { away: 'Wir schlafen.' } },
  }
  const changed = await olga.api.patch(one, change)
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body.texts, {
    'pt-BR': { acknowledgement: 'Recebemos.' },
    de: { away: 'Wir schlafen.' },
  })
  const [entry] = (await olga.api.get('/audit?action=mailbox.changed')).body.items
  assert.deepEqual(entry.detail.after.sends_acknowledgement, true)
})

test('an unknown language and a text of an unknown kind are refused', async () => {
  const answer = await olga.api.patch(one, { texts: { not_a_language: { away: 'x' } } })
  assertEnvelope(answer, 422, 'VALIDATION_ERROR', { field: 'texts', reason: 'not_a_language_tag' })
  assertProblems(await olga.api.patch(one, { texts: { en: { away: 7 } } }), 'body.texts.en.away')
})

test("only admins can read Deskbell's own texts, the project's language, and whether it has office hours", async () => {
  const { body } = await olga.api.get('/mailboxes/automatic-texts')
  assert.deepEqual([body.language, body.has_hours, body.items.length], ['en', false, 17])
  assert.match(body.items.find((item: { language: string }) => item.language === 'de').away, /^Guten Tag,/)
  const hours = { timezone: 'UTC', days: [{ day: 1, from: '09:00', to: '17:00' }] }
  assert.equal((await olga.api.patch('/widget', { hours })).status, 200)
  assert.equal((await olga.api.get('/mailboxes/automatic-texts')).body.has_hours, true)
  assert.equal((await rita.api.get('/mailboxes/automatic-texts')).body.has_hours, false)
  assert.equal((await omar.api.get('/mailboxes/automatic-texts')).status, 403)
  assert.equal((await omar.api.patch(one, { sends_away: true })).status, 403)
  assertEnvelope(await rita.api.patch(one, { sends_away: true }), 404, 'MAILBOX_NOT_FOUND')
})
