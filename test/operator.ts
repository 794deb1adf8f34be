import assert from 'node:assert/strict'
import { createOperator } from '../src/operators/operators.ts'
// Loaded before a transaction of the same process starts: on a busy machine, loading takes longer than the
// idle timeout of a transaction.
import '../src/users/auth.ts'
import { createLink } from '../src/users/users.ts'
import { type Member, unique } from './cast.ts'
import { type Answer, type Client, createClient, type Options } from './client.ts'
import type { TestServer } from './server.ts'

/** A person's browser, which keeps cookies and sends the origin of its page. */
export interface Browser {
  /** Under /api/dashboard. */
  own: Client
  /** Under /api/auth. */
  auth: Client
  /** Under /api/dashboard/projects/{id}. */
  of(project: Member): Client
  cookies: Map<string, string>
}

/** A signed-in person of a project. */
export interface Person extends Browser {
  id: string
  name: string
  email: string
  password: string
  /** Under the project of the person. */
  api: Client
}

function keep(cookies: Map<string, string>, answer: Answer): Answer {
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
  return answer
}

function withCookies(base: string, origin: string, cookies: Map<string, string>): Client {
  const client = createClient(base)
  const request = async (method: string, path: string, body?: unknown, options: Options = {}) => {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const headers = { origin, ...(cookie && { cookie }), ...options.headers }
    return keep(cookies, await client.request(method, path, body, { ...options, headers }))
  }
  return {
    request,
    get: (path, options) => request('GET', path, undefined, options),
    post: (path, body, options) => request('POST', path, body, options),
    put: (path, body, options) => request('PUT', path, body, options),
    patch: (path, body, options) => request('PATCH', path, body, options),
    delete: (path, body, options) => request('DELETE', path, body, options),
  }
}

/** The browser's page is at PUBLIC_URL if that is an https address. */
export function openBrowser({ url, config }: Pick<TestServer, 'url'> & Partial<TestServer>): Browser {
  const { origin } = new URL(url)
  const page = config?.publicUrl.startsWith('https:') ? config.publicUrl : origin
  const cookies = new Map<string, string>()
  const at = (path: string) => withCookies(`${origin}${path}`, page, cookies)
  return {
    own: at('/api/dashboard'),
    auth: at('/api/auth'),
    of: project => at(`/api/dashboard/projects/${project.id}`),
    cookies,
  }
}

export const password = 'correct horse battery'

interface Choice {
  name?: string
  role?: 'owner' | 'admin' | 'operator'
  email?: string
}

/** Creates an operator who accepts the invitation. */
export async function joinProject(
  server: Pick<TestServer, 'db' | 'url'>,
  member: Member,
  choice: Choice = {},
): Promise<Person> {
  const { name = 'Omar', role = 'operator', email = `${unique()}@example.com` } = choice
  const { id } = await createOperator(server.db, member.id, { name, email, role })
  const link = { purpose: 'invite' as const, project_id: member.id, operator_id: id, email }
  const { token } = await createLink(server.db, link)
  const browser = openBrowser(server)
  const answer = await browser.own.post(`/links/${token}`, { name, password })
  assert.deepEqual([answer.status, answer.body.is_signed_in], [200, true], answer.text)
  return { ...browser, id, name, email, password, api: browser.of(member) }
}

/** Olga owns Acme, Omar is an operator there, and Rita owns Rival. */
export async function joinCast(server: TestServer): Promise<Record<'olga' | 'omar' | 'rita', Person>> {
  const [olga, omar, rita] = await Promise.all([
    joinProject(server, server.acme, { name: 'Olga', role: 'owner' }),
    joinProject(server, server.acme, { name: 'Omar' }),
    joinProject(server, server.rival, { name: 'Rita', role: 'owner' }),
  ])
  return { olga, omar, rita }
}
