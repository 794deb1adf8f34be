import type { AddressInfo } from 'node:net'
import type { Caller, roles } from '../src/core/endpoint.ts'
import { ApiError } from '../src/core/errors.ts'
import { createServer } from '../src/core/http.ts'
import { mount } from '../src/core/mount.ts'
import { dashboardApi } from '../src/dashboard.ts'
import { createOperator } from '../src/operators/operators.ts'
import { type Member, unique } from './cast.ts'
import { type Client, createClient } from './client.ts'
import type { TestServer } from './server.ts'

/** A person of a project, with the project's API. */
export interface Person {
  id: string
  name: string
  api: Client
  of(project: Member): Client
}

const callers = new Map<string, Caller>()
const bases = new WeakMap<TestServer, Promise<string>>()

async function open(server: TestServer): Promise<string> {
  const app = createServer({ log: server.log, trustProxy: [] })
  const caller = (request: { headers: object; params: unknown }): Caller => {
    const found = callers.get((request.headers as Record<string, string>).authorization!.slice(7))!
    if (found.project.id !== (request.params as { project_id: string }).project_id)
      throw new ApiError('PROJECT_NOT_FOUND')
    return found
  }
  await app.register(
    async api =>
      mount(api, dashboardApi({} as never), { db: server.db, caller, around: (call, _, run) => run(call) }),
    { prefix: '/projects/:project_id' },
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.server.unref()
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/projects/`
}

export async function joinProject(
  server: TestServer,
  member: Member,
  { name = 'Omar', role = 'operator' }: { name?: string; role?: (typeof roles)[number] } = {},
): Promise<Person> {
  if (!bases.has(server)) bases.set(server, open(server))
  const base = await bases.get(server)!
  const { id } = await createOperator(server.db, member.id, { name, email: `${unique()}@example.com`, role })
  const token = unique()
  callers.set(token, { project: member, actor: { type: 'operator', id, name, avatar_url: null, role } })
  const of = (project: Member) => createClient(base + project.id, token)
  return { id, name, api: of(member), of }
}

/** Olga owns Acme, Omar answers there; Rita owns Rival. */
export async function joinCast(server: TestServer): Promise<Record<'olga' | 'omar' | 'rita', Person>> {
  const [olga, omar, rita] = await Promise.all([
    joinProject(server, server.acme, { name: 'Olga', role: 'owner' }),
    joinProject(server, server.acme, { name: 'Omar' }),
    joinProject(server, server.rival, { name: 'Rita', role: 'owner' }),
  ])
  return { olga, omar, rita }
}
