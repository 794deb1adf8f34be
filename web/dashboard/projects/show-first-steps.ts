import { api, take } from '../core/api.ts'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { firstStepKeys } from '../first-steps/query-keys.ts'
import { meQuery } from '../users/me.ts'
import { settingsQuery } from './settings.ts'

/** Hides the list of first steps for everybody in the project, or shows it again. */
export function useShowFirstSteps(project_id: string) {
  return useChange({
    send: (has_first_steps: boolean) =>
      take(
        api.PATCH('/projects/{project_id}/settings', {
          params: { path: { project_id } },
          body: { has_first_steps },
        }),
      ),
    refresh: [meQuery.queryKey, firstStepKeys.list(project_id), settingsQuery(project_id).queryKey],
    onDone: (_, isShown) => isShown || showNotice(pageText.firstSteps.hidden),
  })
}
