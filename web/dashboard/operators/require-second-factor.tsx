import { Switch } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { type Me, meQuery } from '../users/me.ts'

/** For everybody of the project; whoever asks it of others has one. */
export function RequireSecondFactor() {
  const { id: project_id, requiresSecondFactor } = useProject()
  const change = useChange({
    send: (requires_second_factor: boolean) =>
      take(
        api.PATCH('/projects/{project_id}/security', {
          params: { path: { project_id } },
          body: { requires_second_factor },
        }),
      ),
    expect: [
      {
        key: meQuery.queryKey,
        next: (me: Me, requires_second_factor: boolean) => ({
          ...me,
          memberships: me.memberships.map(one =>
            one.project.id === project_id ? { ...one, requires_second_factor } : one,
          ),
        }),
      },
    ],
    refresh: [meQuery.queryKey],
  })
  return (
    <Section
      title={text.people.require}
      about={text.people.requireAbout}
      actions={
        <Switch
          aria-label={text.people.require}
          checked={requiresSecondFactor}
          onChange={event => change.mutate(event.currentTarget.checked)}
        />
      }
    />
  )
}
