import assert from 'node:assert/strict'
import type { Db } from '../src/core/db/db.ts'

/** Integrations follow records by `updated_at`. If a change raises only the version, they miss it. */

/** Records, at the end of each transaction, rows whose version rose without their `updated_at`. */
export async function watchVersions(db: Db): Promise<void> {
  await db`create table unstamped (kind text, id uuid, statement text)`
  await db`
    create function watch_version() returns trigger language plpgsql as $$
    declare
      changed timestamptz;
    begin
      changed := case tg_table_name
        when 'tickets' then (select updated_at from ticket_activity where project_id = new.project_id and ticket_id = new.id)
        when 'contacts' then (select updated_at from contacts where project_id = new.project_id and id = new.id)
        when 'messages' then (select updated_at from messages where project_id = new.project_id and id = new.id)
      end;
      -- The clock of a process has milliseconds and may be slightly behind.
      if changed < now() - interval '2 milliseconds' then
        insert into unstamped values (tg_table_name, new.id, current_query());
      end if;
      return null;
    end $$`
  for (const table of ['tickets', 'contacts', 'messages'])
    await db`
      create constraint trigger watch_version after update on ${db(table)} deferrable initially deferred
      for each row when (old.version <> new.version) execute function watch_version()`
}

/** Checks that `updated_at` rose with every version. */
export async function assertStamped(db: Db): Promise<void> {
  assert.deepEqual([...(await db`select distinct kind, statement from unstamped limit 5`)], [])
}
