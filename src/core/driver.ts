import { registerHooks } from 'node:module'

/**
 * The `postgres` driver, mended where a connection that is lost in the middle of a transaction would end the process:
 * its own `rollback` is then written to a socket that is gone (3.4.9, connection.js). Each mend must find its place, so
 * that a new version of the driver is looked at before it is taken.
 */

const mends: [string, string][] = [
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
  // Nobody waits for this look-up; whoever waits for the connection is told by it.
  ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
]

function mend(source: string): string {
  return mends.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2)
      throw new Error(`The postgres driver has changed; look at src/core/driver.ts: ${from}`)
    return text.replace(from, () => to)
  }, source)
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith('/postgres/src/connection.js')) return loaded
    return { ...loaded, source: mend(String(loaded.source)) }
  },
})

export const { default: postgres } = await import('postgres')
