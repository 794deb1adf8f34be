import type { Sql } from '../../../core/db/db.ts'
import { foldEmail, isEmail } from '../../../core/email.ts'
import { refuse } from '../../../core/errors.ts'

/** The senders whose remote images are always loaded. */

export const listImageSenders = async (sql: Sql, projectId: string): Promise<string[]> =>
  (
    await sql<{ address: string }[]>`
      select address from image_senders where project_id = ${projectId} order by address`
  ).map(({ address }) => address)

export async function insertImageSender(sql: Sql, projectId: string, given: string): Promise<void> {
  if (!isEmail(given)) throw refuse('address', 'not_an_email')
  await sql`
    insert into image_senders (project_id, address) values (${projectId}, ${foldEmail(given)}) on conflict do nothing`
}

export const deleteImageSender = async (sql: Sql, projectId: string, given: string): Promise<void> => {
  await sql`delete from image_senders where project_id = ${projectId} and address = ${foldEmail(given)}`
}
