import type { Caller } from '../core/endpoint.ts'
import { refuse } from '../core/errors.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { changeSettings } from '../projects/projects.ts'
import type { ProjectSettings } from '../projects/schema.ts'
import type { NewMedia } from './queries.ts'
import { keepUpload } from './upload.ts'

/** The logo of a project. It is a file of the project without a message, and everybody may see it. */

const maxLogoBytes = 1024 * 1024

const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

function checkLogo({ content_type, size }: NewMedia): void {
  if (!pictures.includes(content_type)) throw refuse('file', 'not_a_picture', { content_type })
  if (size > maxLogoBytes) throw refuse('file', 'picture_too_large', { max_bytes: maxLogoBytes })
}

/** Lets the cleanup delete a logo that is no longer used. */
const releaseLogo = (tx: Tx) => tx`
  update media m set expires_at = now() from projects p
  where p.id = ${tx.projectId} and m.project_id = p.id and m.id = p.logo_id and m.message_id is null`

export const setLogo = (store: DbOrTx, caller: Caller, file: NewMedia): Promise<ProjectSettings> => {
  checkLogo(file)
  return transact(store, caller.project.id, async tx => {
    await releaseLogo(tx)
    const { id } = await keepUpload(tx, tx.projectId, file)
    await tx`update media set expires_at = null where project_id = ${tx.projectId} and id = ${id}`
    return changeSettings(tx, caller, { logo_url: `/api/media/${id}`, logo_id: id }, null)
  })
}

export const removeLogo = (store: DbOrTx, caller: Caller): Promise<ProjectSettings> =>
  transact(store, caller.project.id, async tx => {
    await releaseLogo(tx)
    return changeSettings(tx, caller, { logo_url: null, logo_id: null }, null)
  })
