import { registerHooks } from 'node:module'
import { hostPatches } from './driver-hosts.ts'

/**
 * The `postgres` driver, mended where a connection that is lost in the middle of a transaction would end the process
 * (its own `rollback` is then written to a socket that is gone), and where one that is lost without a word would be
 * waited for without end (3.4.9, connection.js). Each mend must find its place, so that a new version of the driver is
 * looked at before it is taken.
 */

export type DriverPatch = [from: string, to: string]

/** Of those that wait the one that was used last is used next: the others may then be idle for so long that they close. */
const ofPool: DriverPatch[] = [
  ['return go(open.shift(), query)', 'return go(open.pop(), query)'],
  // A transaction whose connection was lost is over: what it says later would go over the connection that came after it,
  // and be committed alone, or end the transaction of somebody else.
  ['let savepoints = 0\n      , connection', 'let savepoints = 0\n      , lost = null\n      , connection'],
  ['connection.onclose = reject)', 'connection.onclose = error => reject(lost = error))'],
  [
    'q.catch(e => uncaughtError || (uncaughtError = e))',
    'q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)',
  ],
  // A connection that is free takes its share of those that wait, not up to 100 of them.
  ['Math.ceil(queries.length / (connecting.length + 1))', 'Math.ceil(queries.length / options.max)'],
  // It says how busy it is.
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
  // Bytes that were never sent do not go before the greeting of the next connection.
  [
    'clearImmediate(nextWriteTimer)\n    socket.removeListener',
    'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
  ],
  // What waits for an answer fails, also when the socket ended with an error.
  ['!hadError && (query || sent.length) && error', ';(query || sent.length) && error'],
  // Nor does the pool wait at its end for what was asked of a connection that was lost.
  [
    'closedTime = performance.now()\n    hadError',
    'query = results = errorResponse = null\n    ended && (ended(), ending = ended = null)\n    closedTime = performance.now()\n    hadError',
  ],
  // A connection on which nothing came although its statement must have ended is gone: without this a network that
  // swallows everything fills the pool for good. 3 s are for the way.
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
  // Behind a statement that runs stand two at most, so that the database need not wait for them, and few wait for a slow
  // one. Nothing stands behind a statement that is not kept: PgBouncer (1.18), before which none is, then answers no more.
  // A `begin` that finds the line full is told all the same which connection it has.
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
  // A statement that is not to be kept goes out with its values, unless these have to be written as their columns say:
  // asked for its types first it holds a connection twice as long.
  [
    '(parameters.length && !q.prepared)',
    "(parameters.length && !q.prepared && (q.prepare || parameters.some(x => x !== null && typeof x === 'object')))",
  ],
  // What waits behind the statement that runs, for the metrics.
  ['count: 0,\n    id\n', 'count: 0,\n    id,\n    get waiting() { return sent.length }\n'],
  // A reader that was slower than the connection had it paused; without this the end of a COPY leaves it paused for good
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
  // An error in the middle of a COPY is one of the statement: the connection stays, and is read on if it was paused.
  // An error after the last row of a COPY FROM rejects the writer, which waits for the end (porsager/postgres #1173).
  [
    'stream && (stream.destroy(err), stream = null)',
    `const copy = stream
    stream = null
    copy && (copy.destroy(err), socket && socket.resume())
    final && (final(err), final = null)`,
  ],
  // Nobody waits for this look-up; whoever waits for the connection is told by it.
  ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
]

const files: Record<string, DriverPatch[]> = {
  index: ofPool,
  queue: ofQueue,
  connection: [...ofConnection, ...hostPatches],
}

function mend(source: string, mends: DriverPatch[]): string {
  return mends.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2)
      throw new Error(`The postgres driver has changed; look at src/core/driver.ts: ${from}`)
    return text.replace(from, () => to)
  }, source)
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const mends = files[/\/postgres\/src\/(\w+)\.js$/.exec(url)?.[1] ?? '']
    return mends ? { ...loaded, source: mend(String(loaded.source), mends) } : loaded
  },
})

export const { default: postgres } = await import('postgres')
