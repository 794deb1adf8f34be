import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeTicket, nobody, unique } from '../../test/cast.ts'
import { assertEnvelope, assertProblems } from '../../test/client.ts'
import { joinCast, joinProject, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import type { Condition } from '../conditions/schema.ts'
import type { View } from './schema.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let olga: Person
let omar: Person
let rita: Person
let nina: Person
let department: { id: string }

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
  nina = await joinProject(server, acme, { name: 'Nina' })
  department = await makeDepartment(db, acme, unique())
  await db`insert into department_operators values (${acme.id}, ${department.id}, ${nina.id})`
})
after(() => server.close())

const urgent: Condition = { field: 'priority', op: 'any_of', value: ['urgent'] }

async function save(fields: object = {}, who = olga): Promise<View> {
  const { status, text, body } = await who.api.post('/views', { name: unique(), filters: {}, ...fields })
  assert.equal(status, 201, text)
  return body
}

const find = async ({ id }: View, who = olga): Promise<View | undefined> =>
  (await who.api.get('/views')).body.items.find((view: View) => view.id === id)

/** The count of a view. On a busy machine, counting may take longer than its limit of a second. */
const untilCounted = async (view: View): Promise<number | null> =>
  (
    await until(async () => {
      const found = (await find(view))!
      return found.count === null ? null : found
    })
  ).count

const idsIn = async (query: string, who = olga): Promise<string[]> =>
  (await who.api.get(`/tickets?${query}`)).body.items.map(({ id }: { id: string }) => id)

test("a department's view is seen by its members, owners and admins, and by nobody else", async () => {
  const shared = await save({ visibility: 'department', department_id: department.id })
  assert.partialDeepStrictEqual(shared, { visibility: 'department', is_shared: false, problems: [] })
  const own = { visibility: 'department', department_id: department.id }
  const other = await joinProject(server, acme, { name: 'Adam', role: 'admin' })
  for (const who of [olga, nina, other]) assert.partialDeepStrictEqual(await find(shared, who), own)
  for (const who of [omar, rita]) {
    assert.equal(await find(shared, who), undefined)
    assertEnvelope(await who.api.get(`/tickets?view=${shared.id}`), 404, 'VIEW_NOT_FOUND')
    assertEnvelope(await who.api.delete(`/views/${shared.id}`), 404, 'VIEW_NOT_FOUND')
  }
  assertEnvelope(await nina.api.patch(`/views/${shared.id}`, { name: 'Mine' }), 403, 'ROLE_REQUIRED')
  assert.equal(
    (await olga.api.patch(`/views/${shared.id}`, { is_shared: false })).body.visibility,
    'department',
  )
  assert.equal(
    (await olga.api.patch(`/views/${shared.id}`, { visibility: 'private' })).body.department_id,
    null,
  )
  assert.equal(await find(shared, nina), undefined)
})

test('only admins share a view with a department, which must exist in the project', async () => {
  const sharing = { name: 'Ours', filters: {}, visibility: 'department' }
  const own = { ...sharing, department_id: department.id }
  assertEnvelope(await nina.api.post('/views', own), 403, 'ROLE_REQUIRED')
  const missing = { field: 'department_id', reason: 'required' }
  assertEnvelope(await olga.api.post('/views', sharing), 422, 'VALIDATION_ERROR', missing)
  const unknown = { field: 'department_id', reason: 'not_found' }
  for (const department_id of [nobody, 'x'])
    assertEnvelope(
      await olga.api.post('/views', { ...sharing, department_id }),
      422,
      'VALIDATION_ERROR',
      unknown,
    )
  assertEnvelope(await rita.api.post('/views', own), 422, 'VALIDATION_ERROR', unknown)
})

test('a department is refused for a view that is not shared with one', async () => {
  const refused = { field: 'department_id', reason: 'not_for_department' }
  const department_id = department.id
  for (const sharing of [{}, { visibility: 'everyone' }, { visibility: 'private' }, { is_shared: true }]) {
    const body = { name: unique(), filters: {}, ...sharing, department_id }
    assertEnvelope(await olga.api.post('/views', body), 422, 'VALIDATION_ERROR', refused)
  }
  const view = await save({ visibility: 'everyone', department_id: null })
  const path = `/views/${view.id}`
  assertEnvelope(await olga.api.patch(path, { department_id }), 422, 'VALIDATION_ERROR', refused)
  assert.partialDeepStrictEqual(await find(view), { visibility: 'everyone', department_id: null })
})

test('a view cannot be shared with a department that is being deleted', async () => {
  const gone = await makeDepartment(db, acme, unique())
  const body = { name: unique(), filters: {}, visibility: 'department', department_id: gone.id }
  const waiting = await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`delete from departments where project_id = ${acme.id} and id = ${gone.id}`
    const saved = { response: olga.api.post('/views', body) }
    await until(async () => {
      const { count } = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return count > 0
    })
    return saved
  })
  const unknown = { field: 'department_id', reason: 'not_found' }
  assertEnvelope(await waiting.response, 422, 'VALIDATION_ERROR', unknown)
})

test('`is_shared` and `visibility` say the same', async () => {
  const old = await save({ is_shared: true })
  assert.equal(old.visibility, 'everyone')
  const { body } = await olga.api.patch(`/views/${old.id}`, { visibility: 'private' })
  assert.deepEqual([body.is_shared, body.visibility], [false, 'private'])
  assert.equal((await save({ visibility: 'everyone' })).is_shared, true)
})

test('a view keeps its columns, density and layout', async () => {
  const looks = { columns: ['number', 'subject'], density: 'compact', layout: 'table' }
  assert.partialDeepStrictEqual(await save(), { columns: null, density: null, layout: 'list' })
  const view = await save(looks)
  assert.partialDeepStrictEqual(await find(view), looks)
  await olga.api.patch(`/views/${view.id}`, { columns: null, layout: 'list' })
  assert.partialDeepStrictEqual(await find(view), { columns: null, density: 'compact', layout: 'list' })
})

test('the conditions of a view, its other filters and the conditions of the query must all hold', async () => {
  const wanted = await makeTicket(api, { priority: 'urgent', subject: 'Quite late' })
  await makeTicket(api, { priority: 'low', subject: 'Quite early' })
  const view = await save({ filters: { status: ['new'], conditions: { all: [urgent] } } })
  assert.deepEqual(await idsIn(`view=${view.id}`), [wanted.id])
  assert.equal(await untilCounted(view), 1)
  const low = JSON.stringify({ field: 'priority', op: 'any_of', value: ['low'] })
  const early = JSON.stringify({ field: 'subject', op: 'contains_any', value: ['early'] })
  const late = JSON.stringify({ field: 'subject', op: 'contains_any', value: ['late'] })
  const idsWith = (conditions: string) =>
    idsIn(`view=${view.id}&conditions=${encodeURIComponent(conditions)}`)
  assert.deepEqual(await idsWith(late), [wanted.id])
  for (const conditions of [low, early]) assert.deepEqual(await idsWith(conditions), [])
  assert.deepEqual(await idsIn(`view=${view.id}&priority=low`), [])
})

test('a view whose conditions read texts has no count', async () => {
  const key = `k${unique()}`
  const field = { record: 'ticket', key, label: 'K', type: 'text' }
  assert.equal((await olga.api.post('/custom-fields', field)).status, 201)
  const contains = { op: 'contains_any', value: ['late'] }
  for (const name of ['subject', `custom_fields.${key}`]) {
    const view = await save({ filters: { conditions: { field: name, ...contains } } })
    assert.equal((await find(view))!.count, null, name)
  }
})

test('a view whose conditions take too long to count has no count, and all views are listed', async () => {
  const view = await save({ filters: { conditions: { field: 'is_unread', op: 'is', value: true } } })
  assert.equal(await untilCounted(view), 0)
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`lock table ticket_reads in access exclusive mode`
    assert.equal((await find(view))!.count, null)
  })
})

test('a view that names something deleted reports it, and no ticket matches the comparison', async () => {
  const gone = await makeDepartment(db, acme, unique())
  const field = (
    await olga.api.post('/custom-fields', {
      record: 'ticket',
      key: unique().replace(/^/, 'k'),
      label: 'K',
      type: 'text',
    })
  ).body
  const tag = (await olga.api.post('/tags', { name: unique() })).body
  const leaves: Condition[] = [
    { field: 'department_id', op: 'none_of', value: [gone.id] },
    { field: `custom_fields.${field.key}`, op: 'not_empty' },
    { field: 'tags', op: 'has_none', value: [tag.name] },
  ]
  const view = await save({ filters: { operator_id: [nobody], conditions: { any: leaves } } })
  const shared = await save({ visibility: 'department', department_id: gone.id })
  assert.deepEqual(view.problems, [{ loc: ['operator_id'], type: 'operator_deleted' }])
  assert.equal((await olga.api.delete(`/departments/${gone.id}`)).status, 204)
  assert.equal((await olga.api.delete(`/custom-fields/${field.id}`)).status, 204)
  assert.equal((await olga.api.delete(`/tags/${tag.id}`)).status, 204)
  assert.deepEqual((await find(view))!.problems, [
    { loc: ['operator_id'], type: 'operator_deleted' },
    { loc: ['conditions', 'any', 0], type: 'department_deleted' },
    { loc: ['conditions', 'any', 1], type: 'field_deleted' },
    { loc: ['conditions', 'any', 2], type: 'tag_deleted' },
  ])
  const isIn = (condition: Condition) => idsIn(`conditions=${encodeURIComponent(JSON.stringify(condition))}`)
  assert.deepEqual(await isIn(leaves[0]!), [])
  assert.ok((await isIn({ none: [leaves[0]!] })).length > 0)
  assert.ok((await isIn(leaves[2]!)).length > 0)
  assert.partialDeepStrictEqual(await find(shared), { visibility: 'private', department_id: null })
})

test('a custom field that is created again with another type is a problem of the view, and no ticket matches', async () => {
  const key = `k${unique()}`
  const make = (type: string) => olga.api.post('/custom-fields', { record: 'ticket', key, label: 'K', type })
  const { id } = (await make('number')).body
  const view = await save({ filters: { conditions: { field: `custom_fields.${key}`, op: 'is', value: 5 } } })
  assert.equal((await olga.api.delete(`/custom-fields/${id}`)).status, 204)
  assert.equal((await make('text')).status, 201)
  assert.deepEqual((await find(view))!.problems, [{ loc: ['conditions'], type: 'field_changed' }])
  assert.deepEqual(await idsIn(`view=${view.id}`), [])
})

test('a renamed tag is renamed in the conditions of views, which may name it in another spelling', async () => {
  const tag = (await olga.api.post('/tags', { name: `Ä${unique()}` })).body
  const value = ['x', tag.name, ` ${tag.name.toLowerCase().normalize('NFD')}`]
  const view = await save({ filters: { conditions: { none: [{ field: 'tags', op: 'has_any', value }] } } })
  const name = unique()
  assert.equal((await olga.api.patch(`/tags/${tag.id}`, { name })).status, 200)
  const conditions = { none: [{ field: 'tags', op: 'has_any', value: ['x', name] }] }
  assert.deepEqual((await find(view))!.filters!.conditions, conditions)
})

test('each fault of a condition is reported with its place', async () => {
  const ask = (text: string) => olga.api.get(`/tickets?conditions=${encodeURIComponent(text)}`)
  assertProblems(await ask('{'), 'query.conditions:json_invalid')
  assertProblems(await ask('[]'), 'query.conditions:dict_type')
  assertProblems(await ask('{"all":[],"any":[]}'), 'query.conditions:value_error')
  const wrong = {
    all: [
      { field: 'colour', op: 'is', value: 1 },
      {
        any: [
          { field: 'status', op: 'gt', value: 1 },
          { field: 'status', op: 'any_of', value: ['odd'] },
        ],
      },
      { ...urgent, note: 'x' },
      { field: 'created_at', op: 'within_last', value: '7 days' },
      { field: 'subject', op: 'contains_any', value: ['?!'] },
      { field: 'tags', op: 'has_all', value: [null] },
    ],
  }
  const places = ['all.0.field:enum', 'all.1.any.0.op:enum', 'all.1.any.1.value:value_error']
  const more = [
    'all.2.note:extra_forbidden',
    'all.3.value:value_error',
    'all.4.value:value_error',
    'all.5.value:value_error',
  ]
  assertProblems(
    await ask(JSON.stringify(wrong)),
    ...[...places, ...more].map(one => `query.conditions.${one}`),
  )
  const saved = await olga.api.post('/views', {
    name: 'X',
    filters: { conditions: { all: [{ field: 'rating', op: 'is' }] } },
  })
  assertProblems(saved, 'body.filters.conditions.all.0.value:value_error')
  const deep = { all: [{ all: [{ all: [{ all: [{ all: [] }] }] }] }] }
  assertProblems(await ask(JSON.stringify(deep)), 'query.conditions.all.0.all.0.all.0.all.0.all:too_deep')
  const half = { field: 'custom_fields.k', op: 'any_of', value: ['\ud800'] }
  assertProblems(await ask(JSON.stringify(half)), 'query.conditions.value:value_error')
  const large = { field: 'tags', op: 'has_any', value: Array.from({ length: 50 }, () => 'x'.repeat(190)) }
  const refused = await olga.api.post('/views', { name: 'X', filters: { conditions: large } })
  assertProblems(refused, 'body.filters.conditions:too_long')
  const long = { any: Array.from({ length: 51 }, () => urgent) }
  assertProblems(await ask(JSON.stringify(long)), 'query.conditions:too_long')
})
