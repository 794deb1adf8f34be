import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { widgetSecretLabel } from '../src/channels/widget/choices.ts'
import { newId } from '../src/core/ids.ts'
import type { Member } from './cast.ts'
import { type Client, createClient } from './client.ts'
import { listenTo, type Tab, untilFrame } from './live.ts'
import { joinProject, type Person } from './operator.ts'
import { startServer, type TestServer } from './server.ts'

/** The chat of a project as the widget in a browser uses it: HTTP and a token. */

export const secret = 'ws_a-secret-of-the-tests'

/** Starts a server without a limit of new visitors. */
export const startChat = (): Promise<TestServer> =>
  startServer({ delivers: false, config: { visitorsPerIp: 1e6 } })

/** Starts a server with an active widget and an operator. */
export async function startDesk(settings: object = {}): Promise<{ server: TestServer; omar: Person }> {
  const server = await startChat()
  await switchOn(server, server.acme, settings)
  return { server, omar: await joinProject(server, server.acme, { name: 'Omar' }) }
}

export async function reply({ api }: Person, ticketId: string, content: string, fields: object = {}) {
  const answer = await api.post(`/tickets/${ticketId}/messages`, { content, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Turns on the widget with a known secret. */
export async function switchOn(
  { db, vault }: TestServer,
  { id }: Member,
  settings: object = {},
): Promise<void> {
  const all = { is_on: true, ...settings }
  await db`
    insert into widgets (project_id, settings, secret, secret_made_at)
    values (${id}, ${all as never}, ${vault.seal(secret, widgetSecretLabel(id))}, now())
    on conflict (project_id) do update set settings = excluded.settings, secret = excluded.secret`
}

export const originOf = ({ url }: Pick<TestServer, 'url'>): string => new URL(url).origin

export const atWidget = (server: Pick<TestServer, 'url'>, { id }: Member, token?: string): Client =>
  createClient(`${originOf(server)}/api/widget/projects/${id}`, token)

/** A browser with a visitor token. */
export interface Guest {
  id: string
  token: string
  api: Client
  /** The response of the identification. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  response: any
}

export async function begin(server: TestServer, member = server.acme, place: object = {}): Promise<Guest> {
  const answer = await atWidget(server, member).post('/visitors', place)
  assert.equal(answer.status, 201, answer.text)
  const { token, visitor } = answer.body
  return { id: visitor.id, token, api: atWidget(server, member, token), response: answer.body }
}

/** The site's signature of its user: of the id, or of the email address if there is no id. */
export const sign = ({ id, email }: { id?: string; email?: string }, key = secret): string =>
  createHmac('sha256', key)
    .update(id ? `id:${id}` : `email:${email}`)
    .digest('hex')

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const inAnHour = (): number => Math.floor(Date.now() / 1_000) + 3_600

export function makeJwt(
  claims: object,
  { key = secret, head = {} }: { key?: string; head?: object } = {},
): string {
  const body = `${part({ alg: 'HS256', typ: 'JWT', ...head })}.${part({ exp: inAnHour(), ...claims })}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}

/** Identifies a user with a valid signature. With a guest, it sends the guest's token. */
export async function signIn(
  server: TestServer,
  user: { id?: string; email?: string; name?: string },
  { guest, member = server.acme }: { guest?: Guest; member?: Member } = {},
): Promise<Guest> {
  const body = { user, signature: sign(user) }
  const answer = await atWidget(server, member, guest?.token).post('/identify', body)
  assert.equal(answer.status, 200, answer.text)
  const { token, visitor } = answer.body
  return { id: visitor.id, token, api: atWidget(server, member, token), response: answer.body }
}

/** Starts a ticket as the guest. */
export async function ask({ api }: Pick<Guest, 'api'>, fields: object = {}) {
  const answer = await api.post('/tickets', { content: 'Where is my order?', ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Opens the guest's stream, and waits until it is ready. */
export async function open(server: TestServer, guest: Guest, query = ''): Promise<Tab> {
  const tab = await listen(server, guest, query)
  assert.equal(tab.status, 200)
  await untilFrame(tab, 'ready')
  return tab
}

export const listen = (server: TestServer, { token }: Guest, query = '', tab = newId()): Promise<Tab> =>
  listenTo(tab, `${originOf(server)}/api/widget/projects/${server.acme.id}/stream?tab=${tab}${query}`, {
    authorization: `Bearer ${token}`,
  })
