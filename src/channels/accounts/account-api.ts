import type { Static, TSchema } from 'typebox'
import type { Db } from '../../core/db/db.ts'
import { type Call, type Endpoint, endpoint } from '../../core/endpoint.ts'
import type { Brief, Code } from '../../core/errors.ts'
import type { AccountCaller } from './account-rules.ts'

/** The dashboard's operations that mailboxes, bots and custom channels have in common. They require an admin. */

interface Words {
  summary: string
  description?: string
}

interface Work {
  /** Whether it waits for another server. */
  isWaiting?: boolean
  /** Errors in addition to those of every account. */
  errors?: (Code | Brief)[]
}

type SetState<Shown> = (db: Db, caller: AccountCaller, id: string) => Promise<Shown>

interface AccountOperations<Shown> {
  tag: string
  /** Such as `/mailboxes/{mailbox_id}`. */
  path: string
  /** With its article, such as `a mailbox`. */
  noun: string
  notFound: Code
  shape: TSchema
  /** Completes an account for the response. */
  show: (call: Call, account: Shown) => unknown
}

type Caller = Pick<Call, 'params'>

const parse = ({ path }: AccountOperations<never>) => {
  const parameter = path.slice(path.lastIndexOf('{') + 1, -1)
  return {
    collection: path.slice(0, path.lastIndexOf('/')),
    idOf: ({ params }: Caller): string => params[parameter]!,
  }
}

/** What the operations have in common. */
const fieldsOf = ({ tag, path, shape, notFound }: AccountOperations<never>) => ({
  ...{ tag, path, minRole: 'admin' as const, responses: { 200: shape }, errors: [notFound] },
})

function createReading<Shown>(operations: AccountOperations<Shown>) {
  const { collection, idOf } = parse(operations)
  const common = fieldsOf(operations)
  return {
    list: (words: Words, list: TSchema, run: (call: Call) => Promise<object[]>): Endpoint =>
      endpoint({
        ...{ ...common, method: 'GET', path: collection, ...words, responses: { 200: list }, errors: [] },
        run: async call => ({ items: await run(call) }),
      }),
    get: (words: Words, run: (db: Db, projectId: string, id: string) => Promise<Shown>): Endpoint =>
      endpoint({
        ...{ ...common, method: 'GET', ...words },
        run: async call => operations.show(call, await run(call.db, call.project.id, idOf(call))),
      }),
  }
}

function createChanging<Shown>(operations: AccountOperations<Shown>) {
  const { shape, noun, path, show } = operations
  const { collection, idOf } = parse(operations)
  const common = fieldsOf(operations)
  return {
    create: <New extends TSchema>(
      { errors = [], ...words }: Words & Work & { body: New },
      run: (call: Call<object, Static<New>>) => Promise<Shown>,
    ): Endpoint =>
      endpoint({
        ...{ ...common, ...words, method: 'POST', path: collection, responses: { 201: shape } },
        errors: [...errors, 'VALIDATION_ERROR'],
        run: async (call: Call<object, Static<New>>) => show(call, await run(call)),
      }),
    change: <Changed extends TSchema>(
      { errors = [], ...words }: { description: string } & Work & { body: Changed },
      run: (call: Call<object, Static<Changed>>, id: string) => Promise<Shown>,
    ): Endpoint =>
      endpoint({
        ...{ ...common, ...words, method: 'PATCH', summary: `Change ${noun}`, isConditional: true },
        errors: [...common.errors, ...errors, 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
        run: async (call: Call<object, Static<Changed>>) => show(call, await run(call, idOf(call))),
      }),
    setState: (action: 'pause' | 'resume', words: { description: string }, run: SetState<Shown>): Endpoint =>
      endpoint({
        ...{ ...common, method: 'POST', path: `${path}/${action}`, ...words },
        summary: `${action === 'pause' ? 'Pause' : 'Resume'} ${noun}`,
        run: async call => show(call, await run(call.db, call, idOf(call))),
      }),
    delete: (
      words: Words & Pick<Work, 'isWaiting'>,
      run: (call: Call, id: string) => Promise<void>,
    ): Endpoint =>
      endpoint({
        ...{ ...common, ...words, method: 'DELETE', responses: { 204: null } },
        run: call => run(call, idOf(call)),
      }),
  }
}

/** Returns functions that create the operations of one kind of account. */
export const createAccountOperations = <Shown>(operations: AccountOperations<Shown>) => ({
  ...createReading(operations),
  ...createChanging(operations),
})
