import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeMessage, makeTicket, unique } from '../../../test/cast.ts'
import type { Answer } from '../../../test/client.ts'
import { joinCast, type Person } from '../../../test/operator.ts'
import { startServer } from '../../../test/server.ts'

/** Of many concurrent additions, only as many succeed as the quota allows. */

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let olga: Person
before(async () => {
  ;({ olga } = await joinCast(server))
})
after(() => server.close())

const freePlaces = 3

async function assertLetIn(answers: Answer[], made: number, max: number): Promise<void> {
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter(status => status === made).length, freePlaces, statuses.join(' '))
  const refused = answers.find(({ status }) => status === 422)!
  assert.partialDeepStrictEqual(refused.body, {
    error_code: 'VALIDATION_ERROR',
    detail: { reason: 'too_many', max },
  })
}

const together = (add: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 10 }, (_, n) => add(n)))

for (const scope of ['personal', 'shared']) {
  test(`a project or person cannot have more than 500 canned answers that are ${scope}`, async () => {
    const owner = scope === 'personal' ? olga.id : null
    await db`
      insert into canned_answers (project_id, id, owner_id, shortcut, title, content)
      select ${acme.id}, uuid_v7(), ${owner}, ${scope} || n, 'Title', 'Text' from generate_series(1, ${500 - freePlaces}::int) n`
    const add = () =>
      olga.api.post('/canned-answers', { scope, shortcut: `s${unique()}`, title: 'Title', content: 'Text' })
    await assertLetIn(await together(add), 201, 500)
  })
}

test('a person cannot have more than 100 saved views', async () => {
  await db`
    insert into saved_views (project_id, id, owner_id, name, filters)
    select ${acme.id}, uuid_v7(), ${olga.id}, 'View', '{}' from generate_series(1, ${100 - freePlaces}::int)`
  const add = (n: number) => olga.api.post('/views', { name: unique(), filters: {}, is_shared: n % 2 === 0 })
  await assertLetIn(await together(add), 201, 100)
})

test('a record cannot have more than 100 custom fields', async () => {
  await db`
    insert into custom_fields (project_id, id, record, key, label, type, options, is_required, position)
    select ${acme.id}, uuid_v7(), 'ticket', 'k' || n, 'Label', 'text', '{}', false, n
    from generate_series(1, ${100 - freePlaces}::int) n`
  const add = () =>
    olga.api.post('/custom-fields', { record: 'ticket', key: `k${unique()}`, label: 'Order', type: 'text' })
  await assertLetIn(await together(add), 201, 100)
})

test('a person cannot put more than 20 reactions on a message', async () => {
  const { id } = await makeMessage(api, (await makeTicket(api)).id)
  const react = (emoji: string) => olga.api.put(`/messages/${id}/reactions/${encodeURIComponent(emoji)}`)
  const emojis = [...'😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓😔😕😖😗😘😙😚']
  for (const emoji of emojis.slice(0, 20 - freePlaces)) assert.equal((await react(emoji)).status, 200)
  await assertLetIn(await together(n => react(emojis[20 - freePlaces + n]!)), 200, 20)
})
