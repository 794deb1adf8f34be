import { anyId, type Sql } from '../core/db/db.ts'
import type { OfContact } from './schema.ts'

/** What lists of tickets show about the contacts. */
export const listOfContacts = (sql: Sql, projectId: string, ids: string[]) => sql<
  (OfContact & { contact_id: string })[]
>`
  select c.id as contact_id, c.custom_fields as contact_custom_fields,
    case when o.id is not null then jsonb_build_object('id', o.id, 'name', o.name) end as organization
  from contacts c left join organizations o on o.project_id = ${projectId} and o.id = c.organization_id
  where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)}`
