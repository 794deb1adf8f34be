import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Caller, Role } from '../src/core/endpoint.ts'
import { createServer } from '../src/core/http.ts'
import { mount } from '../src/core/mount.ts'
import { dashboardApi } from '../src/dashboard.ts'
import { createStorages } from '../src/media/media.ts'
import { openSender } from '../src/webhooks/deliver.ts'
import { type Member, makeOperator } from './cast.ts'
import { type Client, createClient } from './client.ts'
import type { TestServer } from './server.ts'

/** The dashboard's operations for people of each role, with no sign-in before them. */
export interface Desk {
  url: string
  owner: Client
  otherOwner: Client
  admin: Client
  operator: Client
  /** Rival's owner. */
  stranger: Client
  close(): Promise<void>
}

async function makePerson(server: TestServer, member: Member, role: Role): Promise<Caller> {
  const { id } = await makeOperator(server.db, member, role)
  await server.db`update operators set role = ${role} where project_id = ${member.id} and id = ${id}`
  const actor = { type: 'operator' as const, id, name: role, avatar_url: null, role }
  return { project: { id: member.id, name: member.name }, actor }
}

export async function openDesk(server: TestServer): Promise<Desk> {
  const { config, db, log, vault } = server
  const sender = openSender(config)
  const uploading = { storages: createStorages(server), log, underWay: new Set<Promise<unknown>>() }
  const deps = { ...uploading, config, sender, vault, publicUrl: config.publicUrl, mayReach: () => true }
  const people: Record<string, Caller> = {
    owner: await makePerson(server, server.acme, 'owner'),
    otherOwner: await makePerson(server, server.acme, 'owner'),
    admin: await makePerson(server, server.acme, 'admin'),
    operator: await makePerson(server, server.acme, 'operator'),
    stranger: await makePerson(server, server.rival, 'owner'),
  }
  const app = createServer({ log, trustProxy: [] })
  const caller = ({ headers }: FastifyRequest) =>
    people[String(headers.authorization).slice('Bearer '.length)]
  mount(app, dashboardApi(deps), { db, caller, around: (call, _, run) => run(call) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const [owner, otherOwner, admin, operator, stranger] = Object.keys(people).map(name =>
    createClient(url, name),
  )
  return {
    url,
    owner: owner!,
    otherOwner: otherOwner!,
    admin: admin!,
    operator: operator!,
    stranger: stranger!,
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await Promise.allSettled(uploading.underWay)
      await sender.close()
    },
  }
}
