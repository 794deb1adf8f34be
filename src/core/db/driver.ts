import { registerHooks } from 'node:module'
import type { PostgresError } from 'postgres'
import { hostPatches } from './driver-hosts.ts'
import type { Db } from './sql.ts'

/**
 * The `postgres` driver 3.4.9 with patches: decision 9. Without them, a connection that is lost in the middle of a transaction
 * ends the process, because the driver writes its own `rollback` to the closed socket, and the driver waits for ever on a
 * connection that is lost silently. Each patch must match the source, so that a new version of the driver is reviewed before it
 * is used.
 */

export type DriverPatch = [from: string, to: string]

/** Reuses the idle connection that was used last, so that the others can reach their idle timeout and close. */
const ofPool: DriverPatch[] = [
  ['return go(open.shift(), query)', 'return go(open.pop(), query)'],
  // A transaction ends when its connection is lost. Otherwise its later statements would use the next connection, where each
  // would be committed separately or end the transaction of another caller.
  ['let savepoints = 0\n      , connection', 'let savepoints = 0\n      , lost = null\n      , connection'],
  ['connection.onclose = reject)', 'connection.onclose = error => reject(lost = error))'],
  [
    'q.catch(e => uncaughtError || (uncaughtError = e))',
    'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)',
  ],
  // A free connection takes its share of the waiting statements, not up to 100 of them.
  ['Math.ceil(queries.length / (connecting.length + 1))', 'Math.ceil(queries.length / options.max)'],
  // Exposes how busy the pool is.
  [
    'Object.assign(sql, {\n    get parameters()',
    `Object.assign(sql, {
    load: () => ({
      open: connections.length - closed.length - ended.length - connecting.length,
      inUse: busy.length + full.length + reserved.length,
      waiting: connections.reduce((sum, c) => sum + (c.queue === reserved ? 0 : c.waiting), queries.length)
    }),
    get parameters()`,
  ],
]

const ofQueue: DriverPatch[] = [
  [
    'shift: () => {',
    `pop: () => {
      const out = xs.pop()
      if (index === xs.length) {
        index = 0
        xs = []
      }
      return out
    },
    shift: () => {`,
  ],
]

const ofConnection: DriverPatch[] = [
  // A statement for a lost connection fails at once.
  [
    'if (stream)\n      return queryError(q,',
    "if (!socket)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (stream)\n      return queryError(q,",
  ],
  // Unsent bytes of a lost connection must not be sent before the greeting of the next one.
  [
    'clearImmediate(nextWriteTimer)\n    socket.removeListener',
    'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
  ],
  // Statements that wait for a response fail, even if the socket ended with an error.
  ['!hadError && (query || sent.length) && error', ';(query || sent.length) && error'],
  // When the pool ends, it does not wait for statements of a lost connection either.
  [
    'closedTime = performance.now()\n    hadError',
    'query = results = errorResponse = null\n    ended && (ended(), ending = ended = null)\n    closedTime = performance.now()\n    hadError',
  ],
  // A connection that is silent although its statement must have timed out is dead. Without this, a network that drops all
  // packets fills the pool for good. The 3 s allow for network delay.
  [
    'connectTimer = timer(connectTimedOut, options.connect_timeout)',
    `connectTimer = timer(connectTimedOut, options.connect_timeout)
      , statementTimeout = Number(options.connection.statement_timeout)
      , silenceTimer = timer(leave, statementTimeout && statementTimeout / 1000 + 3)`,
  ],
  [
    'function connectTimedOut() {',
    `function leave() {
    query && socket && socket.destroy(Errors.connection('CONNECTION_SILENT', options, socket))
  }

  function connectTimedOut() {`,
  ],
  // At most two statements are queued behind a running one: enough that the database need not wait for them, and few enough that
  // a slow statement delays few. Nothing is queued behind an unprepared statement, because PgBouncer 1.18, through which no
  // statement is prepared, then stops responding. A `begin` that finds the queue full still learns which connection it has.
  [
    `build(q)
      return write(toBuffer(q))
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < max_pipeline
        && (!q.options.onexecute || q.options.onexecute(connection))`,
    `build(q)
      query === q && silenceTimer.start()
      const mayFollow = write(toBuffer(q))
        && q.prepare
        && !q.describeFirst
        && !q.cursorFn
        && sent.length < (connection.reserved ? max_pipeline : 2)
      q.options.onexecute && q.options.onexecute(connection)
      return mayFollow && !q.options.onexecute`,
  ],
  ['function data(x) {', 'function data(x) {\n    query && silenceTimer.start()'],
  [
    'lifeTimer.cancel()\n    connectTimer.cancel()',
    'lifeTimer.cancel()\n    connectTimer.cancel()\n    silenceTimer.cancel()',
  ],
  // An unprepared statement is sent together with its values, unless these have to be written by the types of their columns.
  // Requesting the types first would hold the connection twice as long.
  [
    '(parameters.length && !q.prepared)',
    "(parameters.length && !q.prepared && (q.prepare || parameters.some(x => x !== null && typeof x === 'object')))",
  ],
  // How many statements wait behind the running one, for the metrics.
  ['count: 0,\n    id\n', 'count: 0,\n    id,\n    get waiting() { return sent.length }\n'],
  // A reader that is slower than the connection pauses it. Without this, the connection stays paused after the end of a COPY
  // (porsager/postgres #499).
  [
    'stream && stream.push(null)\n    stream = null',
    'stream && stream.push(null)\n    stream = null\n    socket.resume()',
  ],
  // Ending a COPY before its last row closes the connection, because the remaining rows would keep coming or block it.
  [
    'stream = new Stream.Readable({\n      read() { socket.resume() }\n    })',
    `stream = new Stream.Readable({
      read() { socket && socket.resume() },
      destroy(error, callback) {
        callback(error)
        stream === this && socket && socket.destroy(Errors.connection('CONNECTION_DESTROYED', options, socket))
      }
    })`,
  ],
  // An error in the middle of a COPY belongs to the statement: the connection stays, and is resumed if it was paused.
  // An error after the last row of a COPY FROM rejects the writer, which waits for the end (porsager/postgres #1173).
  [
    'stream && (stream.destroy(err), stream = null)',
    `const copy = stream
    stream = null
    copy && (copy.destroy(err), socket && socket.resume())
    final && (final(err), final = null)`,
  ],
  // Nothing awaits this look-up. If it fails, the connection reports the error to the statements that wait for it.
  ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
]

const files: Record<string, DriverPatch[]> = {
  index: ofPool,
  queue: ofQueue,
  connection: [...ofConnection, ...hostPatches],
}

function applyPatches(source: string, patches: DriverPatch[]): string {
  return patches.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2)
      throw new Error(`The postgres driver has changed; review src/core/db/driver.ts: ${from}`)
    return text.replace(from, () => to)
  }, source)
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const patches = files[/\/postgres\/src\/(\w+)\.js$/.exec(url)?.[1] ?? '']
    return patches ? { ...loaded, source: applyPatches(String(loaded.source), patches) } : loaded
  },
})

/** The driver's types know neither our patches nor all options, and are stricter about values: see `Sql`. */
interface Connect {
  (settings: object): Db
  (url: string, settings: object): Db
  PostgresError: typeof PostgresError
}

const driver = await import('postgres')

export const postgres = driver.default as unknown as Connect
