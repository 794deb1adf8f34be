import type { Db } from '../../src/core/db/db.ts'
import type { Caller } from '../../src/core/endpoint.ts'
import { newId } from '../../src/core/ids.ts'

/** Filters of every kind for saved views. */
const saved = {
  Urgent: { priority: ['urgent'], status: ['open'] },
  'To read': { operator_id: ['me'], unread: true },
  Tagged: { tag: ['tag-3'], status: ['open', 'new'] },
  'In no department': { department_id: ['none'], status: ['new', 'open'] },
  'Moved lately': { updated_after: '2026-01-01', status: ['pending'] },
}

/** The maximum number of views per person, by repeating the filters with other names. */
const mostViews = 100
export const isAgain = (name: string | null): boolean => /^Again /.test(name ?? '')

const everyView = Array.from({ length: mostViews }, (_, n) => {
  const [name, filters] = Object.entries(saved)[n % Object.keys(saved).length]!
  return { name: n < Object.keys(saved).length ? name : `Again ${n}`, filters }
})

/** Creates the data of a person who has worked here for years: all departments, mentions, read marks, views. */
async function settle(db: Db, project: string, operator: string): Promise<void> {
  await db`update operators set created_at = '2000-01-01' where project_id = ${project} and id = ${operator}`
  await db`
    insert into department_operators (project_id, department_id, operator_id)
    select project_id, id, ${operator} from departments where project_id = ${project} on conflict do nothing`
  await db`
    insert into ticket_reads (project_id, ticket_id, operator_id, last_read_message_at)
    select project_id, id, ${operator}, now() from tickets where project_id = ${project} and number % 3 = 0
    on conflict do nothing`
  await db`
    insert into mentions (project_id, message_id, operator_id)
    select project_id, id, ${operator} from messages where project_id = ${project} limit 3000 on conflict do nothing`
  await db`delete from saved_views where project_id = ${project} and owner_id = ${operator}`
  for (const [position, { name, filters }] of everyView.entries())
    await db`
      insert into saved_views (project_id, id, owner_id, name, filters, position)
      values (${project}, ${newId()}, ${operator}, ${name}, ${filters as never}, ${position})`
  for (const table of ['tickets', 'ticket_activity', 'messages', 'mentions', 'ticket_reads'])
    await db`vacuum analyze ${db(table)}`
}

/** Prepares the operator with the most tickets. */
export async function preparePerson(db: Db): Promise<Caller> {
  const [busiest] = await db<{ project_id: string; id: string; name: string }[]>`
    select o.project_id, o.id, o.name from operators o
    join tickets t on t.project_id = o.project_id and t.operator_id = o.id
    group by o.project_id, o.id order by count(*) desc limit 1`
  const { project_id, id, name } = busiest!
  await settle(db, project_id, id)
  return {
    project: { id: project_id, name: 'Bench' },
    actor: { type: 'operator', id, name, avatar_url: null, role: 'owner' },
  }
}
