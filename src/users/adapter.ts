import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import type { Db, Fragment, Sql, SqlValue } from '../core/db/db.ts'
import { foldEmail } from '../core/email.ts'
import { asRecord, isOneOf, keysOf } from '../core/objects.ts'
import { isoOf } from '../core/time.ts'
import { hashTokens } from './hashed-tokens.ts'
import { storedEmail } from './queries.ts'

/** The adapter between better-auth and our tables. It uses our own pool, which recovers from lost connections. */

type Row = Record<string, unknown>
type NameOf = (names: { model: string; field: string }) => string

function toColumn(name: string, value: unknown): SqlValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return name === 'email' ? foldEmail(value) : value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'object') return value
  throw new Error(`${name} cannot be a ${typeof value}`)
}

const isTime = (column: string): boolean => /_(at|until)$/.test(column)

/** better-auth expects a `Date` where the rest of the code has text. */
const fromRow = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      isTime(column) && typeof value === 'string' ? new Date(isoOf(value)) : value,
    ]),
  )

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function compare(sql: Sql, name: string, { operator, value, mode }: CleanedWhere): Fragment {
  const column = sql(name)
  if (operator === 'in' && Array.isArray(value)) return sql`${column} in ${sql(value)}`
  if (mode === 'insensitive' || !isOneOf(operator, keysOf(comparisons)))
    throw new Error(`No such search of users: ${operator}`)
  if (value === null) return sql`${column} is ${operator === 'eq' ? sql`null` : sql`not null`}`
  if (name === 'email' && operator === 'eq') return sql`${column} = ${storedEmail(sql, String(value))}`
  const sign = sql.unsafe(comparisons[operator])
  return sql`${column} ${sign} ${toColumn(name, value)}`
}

const join = (sql: Sql, word: 'and' | 'or' | ',', parts: Fragment[]): Fragment =>
  parts.reduce((all, part) => sql`${all} ${sql.unsafe(word)} ${part}`)

function conditionOf(sql: Sql, nameOf: NameOf, model: string, where: CleanedWhere[] = []): Fragment {
  const pick = (connector: string) =>
    where
      .filter(one => one.connector === connector)
      .map(one => compare(sql, nameOf({ model, field: one.field }), one))
  const [all, any] = [pick('AND'), pick('OR')]
  const groups = [...all, ...(any.length ? [sql`(${join(sql, 'or', any)})`] : [])]
  return groups.length ? join(sql, 'and', groups) : sql`true`
}

function assign(sql: Sql, values: Row, increments: Record<string, number> = {}): Fragment {
  return join(sql, ',', [
    ...Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => sql`${sql(name)} = ${toColumn(name, value)}`),
    ...Object.entries(increments).map(([name, by]) => sql`${sql(name)} = ${sql(name)} + ${by}::int`),
  ])
}

async function first<T>(query: PromiseLike<readonly Row[]>): Promise<T | null> {
  const [row] = await query
  return row ? (fromRow(row) as T) : null
}

const insert = (sql: Sql, model: string, data: Row) => {
  const given = Object.entries(data).filter(([, value]) => value !== undefined)
  const row = Object.fromEntries(given.map(([name, value]) => [name, toColumn(name, value)]))
  return sql<Row[]>`insert into ${sql(model)} ${sql(row)} returning *`
}

function createAdapter(sql: Sql, getFieldName: NameOf): CustomAdapter {
  const at = ({ model, modelKey = model, where }: Target): Fragment =>
    conditionOf(sql, getFieldName, modelKey, where)
  /** Selects one row, even if several match, and for only one of several concurrent requests. */
  const one = (target: Target): Fragment => {
    if (!target.where?.length) throw new Error(`Say which row of ${target.model}`)
    return sql`id = (select id from ${sql(target.model)} where ${at(target)} limit 1) and ${at(target)}`
  }
  const deleteAll = (target: Target) => sql`delete from ${sql(target.model)} where ${at(target)}`
  return {
    create: async ({ model, data }) => (await first(insert(sql, model, data)))!,
    findOne: target => first(sql<Row[]>`select * from ${sql(target.model)} where ${at(target)} limit 1`),
    async findMany({ limit, offset = 0, sortBy, ...target }) {
      const { model, modelKey = model } = target
      const column = getFieldName({ model: modelKey, field: sortBy?.field ?? 'id' })
      const direction = sql.unsafe(sortBy?.direction === 'desc' ? 'desc' : 'asc')
      const rows = await sql<Row[]>`select * from ${sql(model)} where ${at(target)}
        order by ${sql(column)} ${direction} limit ${limit} offset ${offset}`
      return rows.map(fromRow) as never[]
    },
    async count(target) {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from ${sql(target.model)} where ${at(target)}`
      return row!.count
    },
    update: ({ update, ...target }) =>
      first(sql<Row[]>`update ${sql(target.model)} set ${assign(sql, asRecord(update))}
        where ${one(target)} returning *`),
    updateMany: async ({ update, ...target }) =>
      (await sql`update ${sql(target.model)} set ${assign(sql, update)} where ${at(target)}`).count,
    delete: async target => void (await deleteAll(target)),
    deleteMany: async target => (await deleteAll(target)).count,
    consumeOne: target =>
      first(sql<Row[]>`delete from ${sql(target.model)} where ${one(target)} returning *`),
    incrementOne: ({ increment, set = {}, ...target }) =>
      first(sql<Row[]>`update ${sql(target.model)} set ${assign(sql, set, increment)}
        where ${one(target)} returning *`),
  }
}

interface Target {
  model: string
  modelKey?: string
  where?: CleanedWhere[]
}

type Options = Parameters<ReturnType<typeof createAdapterFactory>>[0]

const config = { adapterId: 'deskbell', supportsUUIDs: true, supportsDates: true, supportsBooleans: true }

export const tablesIn =
  (db: Db) =>
  (options: Options): ReturnType<ReturnType<typeof createAdapterFactory>> =>
    createAdapterFactory({
      config: {
        ...config,
        transaction: act =>
          db.begin(async tx => {
            const inside = createAdapterFactory({
              config: { ...config, transaction: false },
              adapter: ({ getFieldName }) => hashTokens(createAdapter(tx, getFieldName)),
            })
            return act(inside(options))
          }),
      },
      adapter: ({ getFieldName }) => hashTokens(createAdapter(db, getFieldName)),
    })(options)
