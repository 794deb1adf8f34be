import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { makeDepartment, makeOperator, nobody } from '../../test/cast.ts'
import { dates, options, type Seeded, seedTickets, tagNames, words } from '../../test/conditions/tickets.ts'
import { untilCounted } from '../../test/counted.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { priorities, ticketStatuses } from '../tickets/schema.ts'
import { evaluateCondition, readConditionContext } from './conditions.ts'
import { conditionLimits } from './limits.ts'
import type { Condition, ConditionField, ConditionValue } from './schema.ts'

const server = await startServer({ delivers: false })
const { db, acme } = server
let olga: Person
let omar: Person
let rita: Person
let seeded: Seeded
let fields: ConditionField[]

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
  await olga.api.patch('/settings', { timezone: 'Europe/Berlin' })
  const departments = [await makeDepartment(db, acme, 'Sales'), await makeDepartment(db, acme, 'Support')]
  const operators = [omar, await makeOperator(db, acme, 'Bo')]
  const ids = { departments: departments.map(({ id }) => id), operators: operators.map(({ id }) => id) }
  seeded = await seedTickets(server, omar, olga, ids, 42)
  fields = (await omar.api.get('/conditions/fields')).body.items
})
after(() => server.close())

async function listIn(who: Person, condition: Condition): Promise<string[]> {
  const query = new URLSearchParams({ conditions: JSON.stringify(condition), page_size: '100' })
  const body = await untilCounted(async () => {
    const { status, text, body } = await who.api.get(`/tickets?${query}`)
    assert.equal(status, 200, `${JSON.stringify(condition)}: ${text}`)
    return body
  })
  assert.equal(body.total, body.items.length)
  return body.items.map(({ id }: { id: string }) => id).sort()
}

const namesSpam = (condition: Condition): boolean => JSON.stringify(condition).includes('"is_spam"')

/** The tickets for which the evaluator says yes. Lists leave out spam unless a condition names it. */
async function listExpected(condition: Condition): Promise<string[]> {
  const context = await readConditionContext(db, acme.id, [condition], omar.id)
  return [...seeded.facts]
    .filter(([, facts]) => namesSpam(condition) || !facts.is_spam)
    .filter(([, facts]) => evaluateCondition(condition, facts, context))
    .map(([id]) => id)
    .sort()
}

const times = fc.constantFrom('2026-11-01', '2025-12-31', '2026-11-20T10:30:00+02:00', ...dates)
const durations = fc.constantFrom('PT12H', 'P2D', 'P1W', 'P1M', 'P1Y2M3DT4H')
const numbers = fc.constantFrom(-2, 0, 1, 2, 3, 4, 17.5)
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 })
const pairs = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one).map(pair => [...pair])

/** Ids of records that a field names, some of which do not exist. */
const idsOf = (field: string): (string | null)[] => {
  const { departments, operators, contacts, organizations } = seeded
  const ids = { department_id: departments, operator_id: [...operators, 'me'], contact_id: contacts }[field]
  return [...(ids ?? organizations), ...(field === 'contact_id' ? [nobody] : [null])]
}

function valuesOf(
  { field, kind, values }: ConditionField,
  op: string,
): fc.Arbitrary<ConditionValue | undefined> {
  if (op.endsWith('empty')) return fc.constant(undefined)
  if (kind === 'id') return some(fc.constantFrom(...idsOf(field)))
  if (kind === 'tags') return some(fc.constantFrom('VIP', ...tagNames))
  if (kind === 'option') return some(fc.constantFrom(null, ...options))
  if (kind === 'choice') return some(fc.constantFrom(...(values ?? ['api', 'phone', 'walk_in'])))
  if (kind === 'flag') return fc.boolean()
  if (kind === 'number') return op === 'between' ? pairs(numbers) : op === 'any_of' ? some(numbers) : numbers
  if (kind === 'time' || kind === 'date')
    return op === 'between' ? pairs(times) : op === 'before' || op === 'after' ? times : durations
  const texts = fc.constantFrom(
    ...words,
    'spate',
    'strasse',
    'STRASSE',
    'acme.com',
    'mail',
    'E mail',
    '京',
    'fund',
  )
  return op === 'is' || op === 'starts_with' ? texts : some(texts)
}

const leafOf = (field: ConditionField, op: ConditionField['operators'][number]): fc.Arbitrary<Condition> =>
  valuesOf(field, op).map(value => ({ field: field.field, op, ...(value !== undefined && { value }) }))

const pairsOfAll = () => fields.flatMap(field => field.operators.map(op => ({ field, op })))

const anyLeaf = (): fc.Arbitrary<Condition> =>
  fc.constantFrom(...pairsOfAll()).chain(({ field, op }) => leafOf(field, op))

const groupOf = (member: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc
    .tuple(fc.constantFrom('all', 'any', 'none'), fc.array(member, { maxLength: 4 }))
    .map(([name, members]) => ({ [name]: members }))

const countParts = ({ all = [], any = [], none = [] }: Condition): number =>
  [...all, ...any, ...none].reduce((count, one) => count + countParts(one), 1)

const anyTree = (): fc.Arbitrary<Condition> => {
  const inner = fc.oneof(anyLeaf(), groupOf(anyLeaf()))
  return fc
    .oneof(groupOf(anyLeaf()), groupOf(inner), groupOf(groupOf(groupOf(inner))))
    .filter(tree => countParts(tree) <= conditionLimits.leaves)
}

async function assertAgrees(condition: Condition): Promise<number> {
  const found = await listIn(omar, condition)
  assert.deepEqual(found, await listExpected(condition), JSON.stringify(condition))
  return found.length
}

test('each operator of each field finds the same tickets in SQL as the evaluator', async () => {
  const counts = new Map<string, number>()
  // Enough that both values of a flag are among them.
  for (const { field, op } of pairsOfAll())
    for (const leaf of fc.sample(leafOf(field, op), { numRuns: field.kind === 'flag' ? 8 : 3, seed: 7 })) {
      const name = `${field.field} ${op}`
      counts.set(name, (counts.get(name) ?? 0) + (await assertAgrees(leaf)))
    }
  const never = [...counts].filter(([, count]) => count === 0).map(([name]) => name)
  // A condition that matches no ticket proves little, so most must match some.
  assert.ok(never.length < counts.size / 4, `found nothing: ${never}`)
})

test('random groups of conditions find the same tickets in SQL as the evaluator', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree(), async condition => {
      await assertAgrees(condition)
    }),
    { numRuns: 80 },
  )
})

test('no message has a text without words, such as a sign', async () => {
  const count = (op: 'contains_any' | 'contains_all', ...value: string[]) =>
    assertAgrees({ field: 'message', op, value })
  const [word] = words
  assert.deepEqual([await count('contains_any', '€'), await count('contains_all', word!, '€')], [0, 0])
  assert.equal(await count('contains_any', word!, '€'), await count('contains_any', word!))
})

test('the statuses and priorities are those of tickets', () => {
  const valuesIn = (name: string) => fields.find(({ field }) => field === name)?.values
  assert.deepEqual([valuesIn('status'), valuesIn('priority')], [[...ticketStatuses], [...priorities]])
})

test('conditions of another project see nothing of ours', async () => {
  assert.deepEqual(await listIn(rita, { none: [] }), [])
  const { departments } = seeded
  assert.deepEqual(await listIn(rita, { field: 'department_id', op: 'any_of', value: departments }), [])
})
