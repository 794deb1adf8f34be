import type { Sql } from '../core/db/db.ts'
import { type FirstStep, firstSteps } from './step-names.ts'

/** Records that steps are done. The project stops showing the list when all steps are done. */
export async function recordFirstSteps(
  sql: Sql,
  projectId: string,
  done: readonly FirstStep[],
): Promise<void> {
  await sql`
    update projects set first_steps = array(select distinct unnest(first_steps || ${[...done]}::text[]) order by 1),
      has_first_steps = not (first_steps || ${[...done]}::text[] @> ${[...firstSteps]}::text[])
    where id = ${projectId} and has_first_steps`
}
