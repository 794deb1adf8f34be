import type { Client } from './client.ts'
import { joinProject } from './operator.ts'
import type { TestServer } from './server.ts'

/** Signed-in people of Acme in each role, and the owner of Rival. */
export interface Desk {
  owner: Client
  otherOwner: Client
  admin: Client
  operator: Client
  stranger: Client
  /** Downloads a file in the owner's browser. */
  download(path: string): Promise<Response>
}

export async function openDesk(server: TestServer): Promise<Desk> {
  const { acme, rival, url } = server
  const join = (role: 'owner' | 'admin' | 'operator', project = acme) =>
    joinProject(server, project, { role, name: role })
  const [owner, otherOwner, admin, operator, stranger] = await Promise.all([
    join('owner'),
    join('owner'),
    join('admin'),
    join('operator'),
    join('owner', rival),
  ])
  const base = `${new URL(url).origin}/api/dashboard/projects/${acme.id}`
  return {
    owner: owner.api,
    otherOwner: otherOwner.api,
    admin: admin.api,
    operator: operator.api,
    stranger: stranger.api,
    download(path) {
      const cookie = [...owner.cookies].map(pair => pair.join('=')).join('; ')
      return fetch(base + path, { headers: { cookie } })
    },
  }
}
