import { List, ScrollArea, Switch } from '@mantine/core'
import { useState } from 'react'
import type { AnswerOf } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { type Me, meQuery } from '../users/me.ts'

type Without = AnswerOf<'/projects/{project_id}/security', 'get'>['without_second_step']

/** The requirement for everybody in the project. Only somebody with a second factor can turn it on. */
export function RequireSecondFactor() {
  const { id: project_id, requiresSecondFactor } = useProject()
  const params = { path: { project_id } }
  const [without, setWithout] = useState<Without>([])
  const [isAsking, setAsking] = useState(false)
  const change = useRequirement(project_id)
  const begin = useChange({
    send: () => take(api.GET('/projects/{project_id}/security', { params })),
    onDone: ({ without_second_step: found }) => {
      if (found.length === 0) return change.mutate(true)
      setWithout(found)
      setAsking(true)
    },
  })
  return (
    <Section
      title={pageText.people.require}
      about={pageText.people.requireAbout}
      actions={
        <Switch
          aria-label={pageText.people.require}
          checked={requiresSecondFactor}
          disabled={begin.isPending}
          onChange={event => (event.currentTarget.checked ? begin.mutate() : change.mutate(false))}
        />
      }
    >
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={pageText.people.requireTitle}
        about={pageText.people.requireWithout(without.length)}
        action={pageText.people.requireDo}
        run={() => change.mutate(true)}
      >
        <ScrollArea.Autosize mah={240}>
          <List>
            {without.map(({ id, name, email }) => (
              <List.Item key={id}>{`${name} (${email})`}</List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      </Confirm>
    </Section>
  )
}

const useRequirement = (project_id: string) =>
  useChange({
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
