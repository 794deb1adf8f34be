import type { Client } from './client.ts'
import { joinProject } from './operator.ts'
import type { TestServer } from './server.ts'

/** People of Acme of each role who are signed in, and Rival's owner. */
export interface Desk {
  owner: Client
  otherOwner: Client
  admin: Client
  operator: Client
  stranger: Client
  /** As the owner's browser fetches a file. */
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
