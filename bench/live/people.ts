import type { Db } from '../../src/core/db/db.ts'
import { newId } from '../../src/core/ids.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createOperator } from '../../src/operators/operators.ts'
import { createProject } from '../../src/projects/projects.ts'
import { createLink } from '../../src/users/users.ts'
import type { Server } from '../server.ts'
import type { Seat } from '../streams/clients.ts'

export interface Team {
  projectId: string
  key: string
  /** One for each person. */
  cookies: string[]
}

/** Accepts an invitation and thereby signs in. Returns the cookie. */
async function join(db: Db, { url }: Server, projectId: string): Promise<string> {
  const email = `${newId()}@example.com`
  const { id } = await createOperator(db, projectId, { name: 'Ann', email })
  const link = { purpose: 'invite' as const, project_id: projectId, operator_id: id, email }
  const { token } = await createLink(db, link)
  const answer = await fetch(`${url}/api/dashboard/links/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ name: 'Ann', password: 'correct horse battery' }),
  })
  if (answer.status !== 200) throw new Error(`A link was not accepted: ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')
}

/** Creates a project with this many people, who are signed in. */
export async function makeTeam(db: Db, server: Server, people: number): Promise<Team> {
  const { id } = await createProject(db, { name: 'Bench' })
  const { key } = await createKey(db, id, 'bench')
  const cookies: string[] = []
  while (cookies.length < people) cookies.push(await join(db, server, id))
  return { projectId: id, key, cookies }
}

/** Returns `each` tabs for every person. */
export const seatsOf = ({ projectId, cookies }: Team, each: number): Seat[] =>
  cookies.flatMap(cookie =>
    Array.from({ length: each }, () => {
      const tab = newId()
      const path = `/api/dashboard/projects/${projectId}`
      return {
        stream: `${path}/live?tab=${tab}`,
        presence: `${path}/presence`,
        beat: { tab, ticket_id: null, is_typing: false },
        person: `cookie: ${cookie}`,
      }
    }),
  )
