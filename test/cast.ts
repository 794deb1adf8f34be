import type { Db } from '../src/core/db.ts'
import { createKey, type NewKey } from '../src/keys/keys.ts'
import { createProject } from '../src/projects/projects.ts'

/** A project with a key that works. */
export interface Member {
  id: string
  name: string
  key: NewKey
}

async function join(db: Db, name: string): Promise<Member> {
  const { id } = await createProject(db, { name })
  return { id, name, key: await createKey(db, id, `${name}'s key`) }
}

/** Acme is ours; Rival must never see anything of it. */
export const makeCast = async (db: Db): Promise<{ acme: Member; rival: Member }> => ({
  acme: await join(db, 'Acme'),
  rival: await join(db, 'Rival'),
})
