import type { Readable, Writable } from 'node:stream'
import type driver from 'postgres'

/**
 * What our code uses of the driver. Its own types refuse values that it writes correctly, such as an interface as JSON, and give a
 * transaction another type than the pool.
 */

type Scalar = string | number | boolean | null

/** An object that is written as JSON, or a list. It is not a promise, which somebody has forgotten to await. */
type JsonObject = { [name: string]: unknown; then?: never } | (object & { then?: never })

/** A value of a statement, a list of values, or a part of the statement itself. */
export type SqlValue = Scalar | JsonObject | Helper | driver.Parameter | Fragment

/** Names or values for `insert`, `update … set`, `in` or `select`, depending on the words before it. */
type Helper = driver.Helper<unknown>

export interface Sql {
  <T extends object[] = driver.Row[]>(
    template: TemplateStringsArray,
    ...values: readonly SqlValue[]
  ): Query<T>
  (names: string | readonly string[] | readonly number[]): Helper
  <T extends object>(rows: T, ...columns: readonly (keyof T & string)[]): Helper
  unsafe<T extends object[] = driver.Row[]>(
    query: string,
    values?: SqlValue[],
    options?: { prepare?: boolean },
  ): Query<T>
  json(value: JsonObject | Scalar): driver.Parameter
}

/** The pool. Functions that write take a `Tx`, so the pool cannot be passed to them. */
export interface Db extends Sql {
  readonly options: driver.ParsedOptions
  /** Not for work that returns a list of promises: the driver awaits each. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  begin<T>(options: string, work: (sql: Sql) => Promise<T>): Promise<T>
  reserve(): Promise<Sql & { release(): void }>
  listen(channel: string, onNotify: (value: string) => void, onListen?: () => void): driver.ListenRequest
  end(options?: { timeout?: number }): Promise<void>
  /** How busy the pool is. Added by our patch of the driver. */
  load(): PoolLoad
}

export interface PoolLoad {
  open: number
  inUse: number
  waiting: number
}

/** Rows, and the number of rows that the statement returned or changed. */
export type Rows<T extends object[]> = T & Pick<driver.ResultMeta<number>, 'count' | 'command'>

/** A statement, which is sent when it is awaited, or a part of another statement. */
export interface Query<T extends object[]> extends Promise<Rows<T>> {
  readonly options: { prepare?: boolean }
  execute(): this
  cancel(): void
  simple(): this
  readable(): Promise<Readable>
  writable(): Promise<Writable>
  describe(): Promise<driver.Statement>
  values(): Promise<unknown[][]>
  cursor(rows: number): AsyncIterable<T[number][]>
}

export type Fragment = Query<object[]>
