import type { Db } from '../core/db/db.ts'
import { refuse } from '../core/errors.ts'
import {
  findUser,
  hasPassword,
  removePicture,
  type SignedInSession,
  setPicture,
  updateUser,
} from '../users/users.ts'
import { listMemberships, updateNames } from './people-queries.ts'
import type { Me } from './schema.ts'

/** The signed-in person and their projects. */

type Own = SignedInSession['user']

export async function showMe(db: Db, { id: userId, hasSecondFactor }: Own): Promise<Me> {
  const { id, name, email, image, settings, two_factor_enabled } = (await findUser(db, userId))!
  const memberships = await listMemberships(db, userId)
  return {
    user: {
      id,
      name,
      email,
      image,
      settings,
      has_password: await hasPassword(db, userId),
      has_second_factor: two_factor_enabled,
      meets_second_factor: hasSecondFactor,
    },
    memberships: memberships.map(({ project_id, project_name, color, logo_url, id, role, ...rest }) => ({
      project: { id: project_id, name: project_name, color, logo_url },
      operator_id: id,
      role,
      is_suspended: rest.is_suspended,
      requires_second_factor: rest.requires_second_factor,
      has_first_steps: rest.has_first_steps,
    })),
  }
}

interface Change {
  name?: string
  settings?: Record<string, unknown>
}

/** A new name applies in every project. Settings that are not sent do not change. */
export async function changeMe(db: Db, own: Own, change: Change): Promise<Me> {
  await db.begin(async tx => {
    if (!(await updateUser(tx, own.id, change))) throw refuse('settings', 'too_many')
    if (change.name) await updateNames(tx, own.id, change.name)
  })
  return showMe(db, own)
}

/** The picture applies in every project; null deletes it. */
export async function changePicture(db: Db, own: Own, bytes: Buffer | null): Promise<Me> {
  await db.begin(async tx => {
    const url = bytes && (await setPicture(tx, own.id, bytes))
    if (!url) await removePicture(tx, own.id)
    await tx`update operators set avatar_url = ${url} where user_id = ${own.id} and removed_at is null`
  })
  return showMe(db, own)
}
