import type { TicketFacts } from '../../src/conditions/evaluate.ts'
import { plainText } from '../../src/messages/messages.ts'
import { makeContact, makeMessage, makeTicket, unique } from '../cast.ts'
import type { Person } from '../operator.ts'
import type { TestServer } from '../server.ts'

/** Tickets with many combinations of values, and their facts as the database has them. */

export const words = [
  'Refund',
  'späte',
  'GROSSE',
  'Straße',
  'e-mail',
  'money back',
  '東京都',
  'Ångström',
  'x',
  'σας',
  'İstanbul',
  '50%_x',
]
export const options = ['Express', 'Post']
export const tagNames = ['vip', 'Late', 'Köln']
const [hour, day] = [3_600_000, 86_400_000]

/** Ends of the ranges that conditions compare with are hours away from these. */
export const agesInMs = [0, 2 * hour, 30 * hour, 3 * day, 10 * day, 45 * day, 400 * day]

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!

const fields = [
  { record: 'ticket', key: 'note', type: 'text' },
  { record: 'ticket', key: 'seats', type: 'number' },
  { record: 'ticket', key: 'due', type: 'date' },
  { record: 'ticket', key: 'way', type: 'select', options },
  { record: 'ticket', key: 'paid', type: 'checkbox' },
  { record: 'contact', key: 'plan', type: 'text' },
  { record: 'contact', key: 'size', type: 'number' },
  { record: 'contact', key: 'since', type: 'date' },
  { record: 'contact', key: 'tier', type: 'select', options },
  { record: 'contact', key: 'is_partner', type: 'checkbox' },
]

export const dates = ['2025-01-31', '2026-03-29', '2026-10-25']

/** Some values are missing, empty, or of another type than the field has. */
const customOf = (n: number) => ({
  ...(n % 4 && { note: pick([...words, ''], n), plan: pick(words, n + 5) }),
  ...(n % 3 && { seats: pick([0, 3, 17.5, '17'], n), size: pick([1, 3, -2], n) }),
  ...(n % 5 && { due: pick([...dates, 'soon'], n), since: pick(dates, n + 1) }),
  ...(n % 2 && { way: pick(options, n), tier: pick([...options, ''], n) }),
  ...(n % 6 && { paid: n % 4 === 0, is_partner: pick([true, false, 'yes'], n) }),
})

export interface Seeded {
  facts: Map<string, TicketFacts>
  departments: string[]
  operators: string[]
  contacts: string[]
  organizations: string[]
}

interface Places extends Omit<Seeded, 'facts'> {
  server: TestServer
}

async function addTicket({ server, departments, operators, contacts }: Places, n: number): Promise<string> {
  const { api, db, acme } = server
  const { id } = await makeTicket(api, {
    contact: { id: pick(contacts, n) },
    subject: n % 7 ? `${pick(words, n)}, ${pick(words, n * 3 + 1)}` : '',
    priority: pick(['low', 'normal', 'high', 'urgent'], n),
    channel: pick(['api', 'phone', 'walk_in'], n >> 1),
    tags: tagNames.filter((_, at) => (n >> at) % 2),
    ...(n % 3 && { content: `We got ${pick(words, n + 2)} and ${pick(words, n + 6)}.` }),
    ...(n % 4 && { department_id: pick(departments, n) }),
  })
  if (n % 5 === 1) await makeMessage(api, id, { content: `Then ${pick(words, n + 3)}!` })
  const ago = (shift: number) => new Date(Date.now() - pick(agesInMs, n + shift) - hour / 2).toISOString()
  const set = {
    operator_id: n % 3 ? pick(operators, n) : null,
    status: pick(['new', 'open', 'pending', 'on_hold', 'closed'], n),
    is_spam: n % 9 === 4,
    rating: n % 4 ? (n % 5) + 1 : null,
    rated_at: n % 4 ? ago(1) : null,
    closed_at: n % 5 === 4 ? ago(2) : null,
    snoozed_until: n % 6 === 3 ? ago(3) : null,
    created_at: ago(0),
    custom_fields: customOf(n),
  }
  await db`update tickets set ${db(set)} where project_id = ${acme.id} and id = ${id}`
  await db`update ticket_activity set waiting_since = ${n % 3 ? ago(4) : null}, last_message_at = ${n % 3 ? ago(5) : null}
    where project_id = ${acme.id} and ticket_id = ${id}`
  return id
}

interface Row extends Omit<TicketFacts, 'messages'> {
  id: string
  texts: { content: string; content_format: 'text' | 'markdown' | 'html' }[]
}

async function listFacts({ db, acme }: TestServer, viewer: Person): Promise<Map<string, TicketFacts>> {
  const rows = await db<Row[]>`
    select t.*, a.last_message_at, a.waiting_since, a.messages_count, c.organization_id,
      t.merged_into_id is not null as is_merged,
      exists (select from media f join messages m on m.project_id = f.project_id and m.id = f.message_id
        where m.project_id = t.project_id and m.ticket_id = t.id) as has_files,
      coalesce(a.last_message_at > coalesce(r.last_read_message_at, o.created_at), false) as is_unread,
      (select coalesce(jsonb_agg(jsonb_build_object('content', m.content, 'content_format', m.content_format)), '[]')
        from messages m where m.project_id = t.project_id and m.ticket_id = t.id and m.sender_type <> 'system'
        and m.deleted_at is null) as texts,
      jsonb_build_object('name', c.full_name, 'email', c.email, 'custom_fields', c.custom_fields) as contact
    from tickets t join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id
    join contacts c on c.project_id = t.project_id and c.id = t.contact_id
    join operators o on o.project_id = t.project_id and o.id = ${viewer.id}
    left join ticket_reads r on r.project_id = t.project_id and r.ticket_id = t.id and r.operator_id = o.id
    where t.project_id = ${acme.id}`
  return new Map(
    rows.map(({ id, texts, ...row }) => {
      const messages = texts.map(({ content, content_format }) => [plainText(content, content_format)])
      return [id, { ...row, messages }]
    }),
  )
}

async function addFile({ db, acme }: TestServer, ticketId: string): Promise<void> {
  await db`insert into media (project_id, id, filename, content_type, kind, size, sha256, created_at, message_id)
    select ${acme.id}, gen_random_uuid(), 'a.png', 'image/png', 'image', 5120, 'none', now(), m.id
    from messages m where m.project_id = ${acme.id} and m.ticket_id = ${ticketId} limit 1`
}

/** Creates the tickets, as the viewer sees them. */
export async function seedTickets(
  server: TestServer,
  viewer: Person,
  admin: Person,
  people: Pick<Seeded, 'departments' | 'operators'>,
  count: number,
): Promise<Seeded> {
  for (const field of fields) await admin.api.post('/custom-fields', { label: field.key, ...field })
  const organizations = [(await admin.api.post('/organizations', { name: unique() })).body.id]
  const contacts: string[] = []
  for (let n = 0; n < 7; n++) {
    const name = n % 3 ? { full_name: `${pick(words, n)} ${pick(words, n + 4)}` } : {}
    const from =
      n % 4
        ? { email: `${unique()}@${pick(['acme.com', 'mail.acme.com', 'other.org'], n)}` }
        : { external_id: unique() }
    const of = n % 2 ? { organization_id: organizations[0] } : {}
    const { id } = await makeContact(server.api, { ...name, ...from, ...of })
    const custom_fields = customOf(n)
    await server.db`update contacts set custom_fields = ${custom_fields} where project_id = ${server.acme.id} and id = ${id}`
    contacts.push(id)
  }
  const places = { server, ...people, contacts, organizations }
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await addTicket(places, n))
  for (const id of ids.filter((_, n) => n % 6 === 1)) await addFile(server, id)
  const read = ids.filter((_, n) => n % 4 === 2)
  await viewer.api.post('/tickets/bulk', { ticket_ids: read, action: 'read' })
  return { facts: await listFacts(server, viewer), ...people, contacts, organizations }
}
