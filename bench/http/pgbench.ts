import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../src/core/db/db.ts'
import { withHooks } from '../../src/events/log.ts'
import { writeMessage } from '../../src/messages/write.ts'
import { createDispatcher } from '../../src/webhooks/dispatch.ts'
import { draftOf, type Writing, type Written } from '../machine/writing.ts'

/** Runs the statement of a posted message in pgbench, without a driver or JavaScript. */

interface Ran {
  statement: { string: string }
  /** As text, as they were sent. */
  parameters: (string | null)[]
}

/** Writes one message and returns the statement that the driver sent. */
async function capture(db: Db, order: Writing) {
  const queries: unknown[] = []
  const recording = new Proxy(withHooks(db, { fanOut: createDispatcher().fanOut }), {
    apply(target, self, args) {
      const query = Reflect.apply(target as never, self, args)
      queries.push(query)
      return query
    },
  })
  const ticket = order.tickets[0]!
  const draft = draftOf(ticket, order.content)
  await writeMessage(recording, ticket.projectId, draft)
  return { draft, ...(queries.at(-1) as Ran) }
}

/** Escapes colons, because pgbench replaces any `:word`, even inside quotes, with a variable. */
const quote = (text: string): string =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
const madeId = "lpad(to_hex(:id::bigint), 32, '0')::uuid"

/** Uses new ids and different tickets in each run of the script. Everything else is what the driver sent. */
async function printScript(db: Db, order: Writing): Promise<string> {
  const { draft, statement, parameters } = await capture(db, order)
  const one = (ids: string[]) => `(${quote(`{${ids.join(',')}}`)}::uuid[])[:ticket]`
  const literals = parameters.map(value => {
    if (value === null) return 'null'
    if (value === draft.id) return madeId
    if (value === draft.ticket_id) return one(order.tickets.map(({ id }) => id))
    if (value === draft.sender_id) return one(order.tickets.map(({ projectId }) => projectId))
    return quote(value)
  })
  const text = statement.string
    .replaceAll(/unnest\(\$\d+::uuid\[\]/g, `unnest(array[${madeId}]`)
    .replaceAll(/\$(\d+)/g, (_, place) => literals[Number(place) - 1]!)
    .replaceAll(/\s+/g, ' ')
  return `\\set id random(1, 9000000000000000000)\n\\set ticket random(1, ${order.tickets.length})\n${text};\n`
}

export const hasPgbench = (): boolean => spawnSync('pgbench', ['--version']).status === 0

export interface Script {
  run(connections: number, seconds: number): Written
  close(): void
}

export async function openScript(db: Db, order: Writing): Promise<Script> {
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const file = join(folder, 'post.sql')
  writeFileSync(file, await printScript(db, order))
  const { host, user, database, port = 5432 } = order.target
  const place = ['-h', host!, '-p', String(port), '-U', user!, database!]
  return {
    run(connections, seconds) {
      const args = [
        '-n',
        '-M',
        'prepared',
        '-f',
        file,
        '-c',
        String(connections),
        '-T',
        String(seconds),
        ...place,
      ]
      const { stdout, stderr, status } = spawnSync('pgbench', args, { encoding: 'utf8' })
      const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
      if (status !== 0 || !rate) throw new Error(`pgbench: ${stderr}`)
      return { count: Math.round(rate * seconds), perSecond: rate }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
