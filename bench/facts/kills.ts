import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../src/core/db/db.ts'
import { transact } from '../../src/events/transaction.ts'
import { addressOf } from '../../test/database.ts'
import { openDataDir } from '../data.ts'
import { tell } from '../mail/stage.ts'
import { type Server, startServer } from '../server.ts'
import { makeTickets } from '../tickets.ts'

/** Makes facts slow, and counts how often each is committed. */
const slowDown = (db: Db) =>
  db.begin(async sql => {
    await sql`create table committed_facts (source_id uuid, kind text)`
    await sql.unsafe(`create function slow_fact() returns trigger language plpgsql as $$ begin
      perform pg_sleep(0.002);
      insert into committed_facts values (new.source_id, new.kind);
      return new;
    end $$`)
    await sql`create trigger slow_fact before insert on report_facts for each row execute function slow_fact()`
  })

async function writeEvents(
  db: Db,
  tickets: { id: string; projectId: string }[],
  count: number,
  until: () => boolean,
) {
  let written = 0
  while (written < count || !until()) {
    const { id, projectId } = tickets[written % tickets.length]!
    await transact(db, projectId, async tx =>
      tx.emit(
        ...Array.from(
          { length: 20 },
          () => ({ type: 'ticket.rated', data: { ticket_id: id, rating: 5 } }) as const,
        ),
      ),
    )
    written += 20
    await sleep(written < count ? 50 : 1_000)
  }
}

async function kill(readers: Server[], place: number, settings: Record<string, string>): Promise<void> {
  const { child } = readers[place]!
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  readers[place] = await startServer(settings)
}

async function untilRead(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db<{ behind: boolean }[]>`
      select coalesce(bool_or((newest_event(c.project_id)).seq > coalesce(l.seq, 0)), false) as behind
      from project_counters c left join log_cursors l on l.project_id = c.project_id and l.reader = 'facts'`
    if (!row!.behind) return
    await sleep(200)
  }
}

const compare = (db: Db) => db<{ events: number; lost: number; twice: number; set_aside: number }[]>`
  select (select count(*)::int from events) as events, (select count(*)::int from log_failures) as set_aside,
    (select count(*)::int from events e where e.type in ('ticket.rated', 'ticket.created')
      and not exists (select from report_facts f where f.project_id = e.project_id and f.source_id = e.id)) as lost,
    (select count(*)::int from (
      select from committed_facts group by source_id, kind having count(*) > 1
    ) repeated) as twice`

export async function killReaders(events: number, kills: number): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskbell-bench-'))
  const { db, target, close } = await openDataDir(dataDir, 4)
  const shared = { DATABASE_URL: addressOf(target), DATA_DIR: mkdtempSync(join(tmpdir(), 'deskbell-bench-')) }
  const settings = { ...shared, ROLES: 'jobs' }
  const http = await startServer({ ...shared, ROLES: 'http' })
  const { tickets, close: closeMaker } = await makeTickets(dataDir, http.url, 1, 100)
  await closeMaker()
  await slowDown(db)
  const readers = [await startServer(settings), await startServer(settings)]
  let killed = 0
  try {
    const writing = writeEvents(db, tickets, events, () => killed >= kills)
    for (; killed < kills; killed++) {
      await sleep(Math.random() * 2_000)
      await kill(readers, killed % 2, settings)
    }
    await writing
    await untilRead(db)
    const [found] = await compare(db)
    const { lost, twice, set_aside } = found!
    return tell('L1', `${killed} kills: ${JSON.stringify(found)}`, lost + twice + set_aside === 0)
  } finally {
    for (const one of [http, ...readers]) await one.stop()
    await close()
    for (const folder of [dataDir, shared.DATA_DIR]) rmSync(folder, { recursive: true, force: true })
  }
}
