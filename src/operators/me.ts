import type { Db } from '../core/db.ts'
import { refuse } from '../core/errors.ts'
import { findUser, hasPassword, removePicture, setPicture, updateUser } from '../users/users.ts'
import { listMemberships, updateNames } from './people-queries.ts'
import type { Me } from './schema.ts'

/** A person, and the projects that the person is in. */

export async function showMe(db: Db, userId: string): Promise<Me> {
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
    },
    memberships: memberships.map(({ project_id, project_name, color, logo_url, id, role, ...rest }) => ({
      project: { id: project_id, name: project_name, color, logo_url },
      operator_id: id,
      role,
      is_suspended: rest.is_suspended,
      requires_second_factor: rest.requires_second_factor,
    })),
  }
}

interface Change {
  name?: string
  settings?: Record<string, unknown>
}

/** A new name shows in every project; settings that are not named stay. */
export async function changeMe(db: Db, userId: string, change: Change): Promise<Me> {
  await db.begin(async tx => {
    if (!(await updateUser(tx, userId, change))) throw refuse('settings', 'too_many')
    if (change.name) await updateNames(tx, userId, change.name)
  })
  return showMe(db, userId)
}

/** It shows in every project; null takes it away. */
export async function changePicture(db: Db, userId: string, bytes: Buffer | null): Promise<Me> {
  await db.begin(async tx => {
    const url = bytes && (await setPicture(tx, userId, bytes))
    if (!url) await removePicture(tx, userId)
    await tx`update operators set avatar_url = ${url} where user_id = ${userId} and removed_at is null`
  })
  return showMe(db, userId)
}
