import type { Db } from '../../src/core/db/db.ts'
import { createKey } from '../../src/keys/keys.ts'
import { createProject } from '../../src/projects/projects.ts'
import { openCaller } from '../calls.ts'
import type { Subscribed } from './compare.ts'

export interface Project extends Subscribed {
  keys: string[]
}

async function subscribe(url: string, key: string, targets: string[]): Promise<void> {
  const caller = openCaller(url, key)
  for (const target of targets) {
    const { status } = await caller.call('POST', '/webhooks', { url: target })
    if (status >= 300) throw new Error(`POST /webhooks: ${status}`)
  }
  caller.close()
}

/** Creates projects with two subscriptions and two keys each. */
export async function makeProjects(db: Db, url: string, receiver: number, count: number): Promise<Project[]> {
  const projects: Project[] = []
  for (let n = 0; n < count; n++) {
    const { id } = await createProject(db, { name: `Project ${n}` })
    const made = [await createKey(db, id, 'one'), await createKey(db, id, 'two')]
    const keys = made.map(({ key }) => key)
    const targets = [`${n}-a`, `${n}-b`]
    await subscribe(
      url,
      keys[0]!,
      targets.map(target => `http://127.0.0.1:${receiver}/${target}`),
    )
    projects.push({ projectId: id, keys, targets })
  }
  return projects
}
