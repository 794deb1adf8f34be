/**
 * Changes rows of several projects with one statement for each project, because projects can be on different machines. Returns the
 * number of rows that were changed.
 */
export async function changeByProject<R extends { project_id: string }>(
  rows: readonly R[],
  change: (projectId: string, rows: R[]) => PromiseLike<{ count: number }>,
): Promise<number> {
  let changed = 0
  for (const [projectId, own] of Map.groupBy(rows, row => row.project_id))
    changed += (await change(projectId, own)).count
  return changed
}

/** The same for rows with an id. */
export const changeIdsByProject = (
  rows: readonly { project_id: string; id: string }[],
  change: (projectId: string, ids: string[]) => PromiseLike<{ count: number }>,
): Promise<number> =>
  changeByProject(rows, (projectId, own) =>
    change(
      projectId,
      own.map(({ id }) => id),
    ),
  )
