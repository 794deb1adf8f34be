/** A Zendesk account with 200 tickets of two comments each. Every tenth ticket has a file. */

const ticketCount = 200
const pageSize = 100

const agent = { id: 1, name: 'Omar', email: 'omar@acme.example', role: 'agent' }

const customerOf = (ticket: number) => ({
  id: 100 + (ticket % 40),
  name: `Customer ${ticket % 40}`,
  email: `customer${ticket % 40}@example.com`,
  role: 'end-user',
})

const timeOf = (ticket: number, minutes: number): string =>
  new Date(Date.UTC(2025, 2, 3, 0, ticket * 10 + minutes)).toISOString()

const makeTicket = (at: number) => ({
  ...{ id: 1000 + at, subject: `Question ${at}`, status: at % 3 ? 'open' : 'solved', comment_count: 2 },
  ...{ requester_id: customerOf(at).id, assignee_id: agent.id, via: { channel: 'email' } },
  ...{ created_at: timeOf(at, 0), updated_at: timeOf(at, 5) },
})

function makeComments(url: string, at: number) {
  const shared = { type: 'Comment', public: true }
  const file = { id: at, file_name: `file${at}.txt`, content_type: 'text/plain', size: 5, inline: false }
  const attachments = at % 10 ? [] : [{ ...file, content_url: `${url}/attachments/token/${at}` }]
  const question = {
    id: 10_000 + at,
    author_id: customerOf(at).id,
    plain_body: `Question ${at}`,
    attachments,
  }
  const reply = { id: 20_000 + at, author_id: agent.id, plain_body: `Reply ${at}`, attachments: [] }
  return {
    comments: [
      { ...shared, ...question, created_at: timeOf(at, 0) },
      { ...shared, ...reply, created_at: timeOf(at, 5) },
    ],
    users: [customerOf(at), agent],
    meta: { has_more: false, after_cursor: null },
  }
}

export function makeZendeskAccount(url: string) {
  const all = Array.from({ length: ticketCount }, (_, at) => at)
  const users = [agent, ...all.slice(0, 40).map(customerOf)]
  const meta = { has_more: false, after_cursor: null }
  const pages: Record<string, object> = {
    '/api/v2/groups.json': { groups: [], meta },
    '/api/v2/ticket_fields.json': { ticket_fields: [], meta },
    '/api/v2/incremental/users/cursor.json': { users, after_cursor: 'end', end_of_stream: true },
  }
  for (let from = 0; from < ticketCount; from += pageSize) {
    const tickets = all.slice(from, from + pageSize).map(makeTicket)
    const isLast = from + pageSize >= ticketCount
    const page = { tickets, users, after_cursor: `t${from + pageSize}`, end_of_stream: isLast }
    pages[`/api/v2/incremental/tickets/cursor.json${from ? `#t${from}` : ''}`] = page
  }
  for (const at of all) pages[`/api/v2/tickets/${1000 + at}/comments.json`] = makeComments(url, at)
  const files = all.filter(at => at % 10 === 0).map(at => [`/attachments/token/${at}`, Buffer.from('hello')])
  return { pages, files: Object.fromEntries(files) }
}
