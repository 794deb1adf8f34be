import { unique } from '../cast.ts'
import type { Answer, Client } from '../client.ts'

/** Random changes of every kind to one project. */

export interface Changes {
  /** Makes one random change. */
  make(): Promise<void>
  count: number
}

const random = (bound: number): number => Math.floor(Math.random() * bound)
const pick = <T>(all: T[]): T => all[random(all.length)]!

const tags = () => [pick(['vip', 'refund', 'late']), pick(['bug', 'praise'])]
const email = () => `${unique()}@example.com`

/** The ids of the records created so far. */
const known = { contacts: [] as string[], tickets: [] as string[], messages: [] as string[] }
const ticket = () => `/tickets/${pick(known.tickets)}`
const contact = () => `/contacts/${pick(known.contacts)}`
const message = () => `/messages/${pick(known.messages)}`

async function makeTicket(api: Client): Promise<Answer> {
  const answer = await api.post('/tickets', {
    contact: { email: email() },
    content: unique(),
    tags: tags(),
  })
  known.tickets.push(answer.body.id)
  known.contacts.push(answer.body.contact_id)
  return answer
}

async function makeContact(api: Client): Promise<Answer> {
  const answer = await api.post('/contacts', { email: email(), full_name: unique() })
  known.contacts.push(answer.body.id)
  return answer
}

async function post(api: Client): Promise<Answer> {
  const answer = await api.post(`${ticket()}/messages`, {
    content: unique(),
    is_internal: random(2) === 0,
    external_id: random(2) ? unique() : null,
  })
  known.messages.push(answer.body.id)
  return answer
}

async function schedule(api: Client): Promise<Answer> {
  const answer = await api.post(`${ticket()}/messages`, { content: unique(), send_at: '2999-01-01' })
  known.messages.push(answer.body.id)
  return answer
}

/** Some of these are rejected, such as closing a closed ticket. That is intended. */
const acts: ((api: Client) => Promise<Answer>)[] = [
  makeTicket,
  makeContact,
  post,
  api => api.patch(ticket(), { subject: unique() }),
  api => api.patch(ticket(), { priority: pick(['low', 'normal', 'high', 'urgent']) }),
  api => api.patch(ticket(), { status: pick(['open', 'pending', 'on_hold', 'closed']) }),
  api => api.patch(ticket(), { tags: tags() }),
  api => api.patch(ticket(), { is_spam: random(2) === 0 }),
  api => api.post(`${ticket()}/close`, { comment: unique() }),
  api => api.post(`${ticket()}/reopen`, {}),
  api => api.post(`${ticket()}/rate`, { rating: 1 + random(5), comment: unique() }),
  api => api.post(`${ticket()}/merge`, { into_ticket_id: pick(known.tickets), force: true }),
  api => api.patch(message(), { content: unique() }),
  schedule,
  api => api.delete(message()),
  api => api.post(`${message()}/reschedule`, { send_at: null }),
  api => api.patch(contact(), { full_name: unique(), tags: tags() }),
  api => api.post('/contacts', { email: email(), phone: '+15550100', tags: tags() }),
  api => api.post(`${contact()}/merge`, { into_contact_id: pick(known.contacts) }),
]

/** Creates the first records, so that there is something to change. */
export async function startChanges(api: Client): Promise<Changes> {
  for (let n = 0; n < 5; n++) await makeTicket(api)
  for (let n = 0; n < 5; n++) await post(api)
  const changes = {
    count: 0,
    async make() {
      // The call fails while the server is down. The mirror must find out whether it took effect.
      const answer = await pick(acts)(api).catch(() => null)
      if (answer && answer.status < 300) changes.count++
      // While the server starts, it may answer 503, too.
      if (answer && answer.status >= 500 && answer.status !== 503) throw new Error(answer.text)
    },
  }
  return changes
}
