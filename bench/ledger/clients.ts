import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, openCaller } from '../calls.ts'
import { makeRandom } from '../seed/words.ts'
import { forbidden } from './receiver.ts'

/** The events that an acknowledged operation must have left in the log: a number of one type about one record. */
export interface Entry {
  projectId: string
  type: string
  /** The id of the message or the ticket. */
  about: string
  /** The time of the response, in milliseconds since 1970. */
  at: number
}

export interface Ledger {
  acknowledged: Entry[]
  refused: number
  /** Operations without a response. Both outcomes are correct if log and deliveries agree. */
  unanswered: number
  /** Unexpected responses. */
  odd: string[]
  isOver: boolean
}

export const openLedger = (): Ledger => ({
  acknowledged: [],
  refused: 0,
  unanswered: 0,
  odd: [],
  isOver: false,
})

interface Ticket {
  id: string
  isClosed: boolean
}

interface Client {
  caller: Caller
  projectId: string
  ledger: Ledger
  random: () => number
  tickets: Ticket[]
}

/** Whether a response with a status of 500 or more is documented. */
export function isDocumented(status: number, text: string): boolean {
  try {
    const { error_code, detail } = JSON.parse(text)
    if (status === 503) return error_code === 'MAINTENANCE_MODE' || typeof detail === 'string'
    return error_code === { 500: 'INTERNAL_ERROR', 502: 'MEDIA_UPLOAD_FAILED' }[status]
  } catch {
    return false
  }
}

/** One response; null if the server or its database was killed before, or is not running again yet. */
async function ask(
  { caller, ledger }: Client,
  method: string,
  path: string,
  body: unknown,
  wanted: number[],
) {
  try {
    const { status, text } = await caller.call(method, path, body)
    const isOdd = status >= 500 ? !isDocumented(status, text) : !wanted.includes(status)
    if (isOdd) ledger.odd.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`)
    if (status >= 500) return await pause(ledger)
    return { status, record: JSON.parse(text) }
  } catch {
    return await pause(ledger)
  }
}

async function pause(ledger: Ledger): Promise<null> {
  ledger.unanswered++
  await sleep(50)
  return null
}

const acknowledge = ({ ledger, projectId }: Client, type: string, about: string): void =>
  void ledger.acknowledged.push({ projectId, type, about, at: Date.now() })

async function create(client: Client): Promise<void> {
  const contact = { email: `user-${Math.floor(client.random() * 500)}@mail.example` }
  const answer = await ask(
    client,
    'POST',
    '/tickets',
    { contact, subject: 'Ledger', content: 'Hello' },
    [201],
  )
  if (answer?.status !== 201) return
  const { id, last_message } = answer.record
  acknowledge(client, 'ticket.created', id)
  acknowledge(client, 'message.created', last_message.id)
  client.tickets.push({ id, isClosed: false })
  if (client.tickets.length > 200) client.tickets.shift()
}

async function post(client: Client, ticket: Ticket): Promise<void> {
  const answer = await ask(client, 'POST', `/tickets/${ticket.id}/messages`, { content: 'A message' }, [201])
  if (answer?.status === 201) acknowledge(client, 'message.created', answer.record.id)
}

async function rate(client: Client, ticket: Ticket): Promise<void> {
  const answer = await ask(client, 'POST', `/tickets/${ticket.id}/rate`, { rating: 5 }, [200])
  if (answer?.status === 200) acknowledge(client, 'ticket.rated', ticket.id)
}

/** After an operation without a response, the ticket's state is unknown, so it is not used again. */
async function turn(client: Client, ticket: Ticket): Promise<void> {
  const verb = ticket.isClosed ? 'reopen' : 'close'
  const answer = await ask(client, 'POST', `/tickets/${ticket.id}/${verb}`, {}, [200])
  if (answer?.status !== 200) return void client.tickets.splice(client.tickets.indexOf(ticket), 1)
  ticket.isClosed = !ticket.isClosed
  acknowledge(client, ticket.isClosed ? 'ticket.closed' : 'ticket.reopened', ticket.id)
}

const absent = '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'

/** An operation that must get a 4xx and change nothing. */
async function offend(client: Client, ticket: Ticket): Promise<void> {
  const attempts: [string, unknown, number][] = [
    [`/tickets/${absent}/messages`, { content: forbidden }, 404],
    [`/tickets/${ticket.id}/messages`, { content: forbidden, media_ids: [absent] }, 422],
    [`/tickets/${ticket.id}/rate`, { rating: 9, comment: forbidden }, 422],
    ['/tickets', { contact: {}, subject: forbidden, content: forbidden }, 400],
  ]
  const [path, body, wanted] = attempts[Math.floor(client.random() * attempts.length)]!
  const answer = await ask(client, 'POST', path, body, [wanted])
  if (answer) client.ledger.refused++
}

async function act(client: Client): Promise<void> {
  const { random, tickets } = client
  const kind = random()
  const ticket = tickets[Math.floor(random() * tickets.length)]
  if (!ticket || kind < 0.1) await create(client)
  else if (kind < 0.8) await post(client, ticket)
  else if (kind < 0.88) await rate(client, ticket)
  else if (kind < 0.95) await turn(client, ticket)
  else await offend(client, ticket)
}

export interface Worker {
  url: string
  key: string
  projectId: string
  ledger: Ledger
  seed: number
  /** The pause between two operations in milliseconds. */
  rest?: number
}

/** One worker with one key, which runs operations until the ledger is closed. */
export async function work({ url, key, projectId, ledger, seed, rest = 0 }: Worker): Promise<void> {
  const caller = openCaller(url, key)
  const client: Client = { caller, projectId, ledger, random: makeRandom(seed), tickets: [] }
  while (!ledger.isOver) {
    await act(client)
    if (rest) await sleep(rest * 2 * client.random())
  }
  caller.close()
}
