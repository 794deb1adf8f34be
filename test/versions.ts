import assert from 'node:assert/strict'
import type { Db } from '../src/core/db.ts'

/** Programs follow records by `updated_at`: a change that raises a version and not the time is one that they miss. */

/** Notes, at the end of each transaction, records whose version rose in it while their `updated_at` did not. */
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
      -- The clock of a process counts in milliseconds and behind.
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

/** `updated_at` rose whenever a version did. */
export async function assertStamped(db: Db): Promise<void> {
  assert.deepEqual([...(await db`select distinct kind, statement from unstamped limit 5`)], [])
}
