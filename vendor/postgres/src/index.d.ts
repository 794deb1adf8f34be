import type { Readable, Writable } from 'node:stream'

/**
 * What Deskbell uses of the driver. The published types refuse values that the driver writes correctly, such as an interface as
 * JSON, and options that it accepts, and give a transaction another type than the pool.
 */

type Scalar = string | number | boolean | null

/** An object that is written as JSON, or a list. It is not a promise, which somebody has forgotten to await. */
type JsonObject = { [name: string]: unknown; then?: never } | (object & { then?: never })

/** Made by `sql(…)` and `sql.json(…)`. */
declare class Helper {
  private helper: true
}

/** A value of a statement, a list of values, or a part of the statement itself. */
export type SqlValue = Scalar | JsonObject | Helper | Fragment

/** The columns of a row. A statement usually says which: sql<{ id: string }[]>. */
export interface Row {
  [column: string]: any
}

/** Anything that runs a statement: the pool or an open transaction. */
export interface Sql {
  <T extends object[] = Row[]>(template: TemplateStringsArray, ...values: readonly SqlValue[]): Query<T>
  /** Names, or values for `in`. */
  (names: string | readonly string[] | readonly number[]): Helper
  /** The columns and values of rows, for `insert` and `update … set`. */
  <T extends object>(rows: T, ...columns: readonly (keyof T & string)[]): Helper
  unsafe<T extends object[] = Row[]>(
    query: string,
    values?: SqlValue[],
    options?: { prepare?: boolean },
  ): Query<T>
  json(value: JsonObject | Scalar): Helper
}

/** The pool. Functions that write take a `Tx`, so the pool cannot be passed to them. */
export interface Db extends Sql {
  readonly options: { max: number; connection: Record<string, string | number>; debug?: unknown }
  /** Not for work that returns a list of promises: the driver awaits each. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (sql: Sql) => Promise<T>): Promise<T>
  reserve(): Promise<Sql & { release(): void }>
  listen(
    channel: string,
    onNotify: (value: string) => void,
    onListen?: () => void,
  ): Promise<{ unlisten(): Promise<void> }>
  end(options?: { timeout?: number }): Promise<void>
  load(): PoolLoad
}

/** How many connections a pool has open, how many are in use, and how many statements wait for one. */
export interface PoolLoad {
  open: number
  inUse: number
  waiting: number
}

/** Rows, and the number of rows that the statement returned or changed. */
export type Rows<T extends object[]> = T & { count: number; command: string }

/** A statement, which is sent when it is awaited, or a part of another statement. */
export interface Query<T extends object[]> extends Promise<Rows<T>> {
  readonly options: { prepare?: boolean }
  execute(): this
  cancel(): void
  simple(): this
  readable(): Promise<Readable>
  writable(): Promise<Writable>
  describe(): Promise<{ types: number[]; columns: { name: string; type: number }[] }>
  values(): Promise<unknown[][]>
  cursor(rows: number): AsyncIterable<T[number][]>
}

export type Fragment = Query<object[]>

declare class PostgresError extends Error {
  code: string
  detail?: string
  constraint_name?: string
  table_name?: string
}

interface Driver {
  (settings: object): Db
  (url: string, settings: object): Db
  PostgresError: typeof PostgresError
}

declare const postgres: Driver
export default postgres
