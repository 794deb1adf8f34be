import { TrashIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Badge, Code, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Row } from '../core/rows.tsx'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import { type ApiKey, keysQuery } from './queries.ts'

function useDeeds(key: ApiKey) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, key_id: key.id } }
  const queryKey = keysQuery(project_id).queryKey
  const turn = useChange({
    send: (is_active: boolean) =>
      take(api.PATCH('/projects/{project_id}/keys/{key_id}', { params, body: { is_active } })),
    refresh: [queryKey],
  })
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/keys/{key_id}', { params })),
    refresh: [queryKey],
  })
  return { turn, remove }
}

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { turn, remove } = useDeeds(apiKey)
  const [isRemoving, setRemoving] = useState(false)
  const { name, prefix, is_active, last_used_at } = apiKey
  return (
    <Row
      aside={
        <Group gap="sm" wrap="nowrap">
          <Switch
            aria-label={pageText.keys.isOn(name)}
            checked={turn.isPending ? turn.variables : is_active}
            onChange={event => turn.mutate(event.currentTarget.checked)}
          />
          <ActionIcon aria-label={pageText.keys.remove(name)} onClick={() => setRemoving(true)}>
            <TrashIcon width={18} />
          </ActionIcon>
          <Confirm
            isOpen={isRemoving}
            onClose={() => setRemoving(false)}
            title={pageText.keys.removeTitle(name)}
            about={pageText.keys.removeAbout}
            action={pageText.keys.removeDo}
            run={() => remove.mutate()}
          />
        </Group>
      }
    >
      <Group gap={8}>
        <Text fw={550}>{name}</Text>
        {!is_active && <Badge variant="default">{pageText.keys.off}</Badge>}
      </Group>
      <Text size="sm" c="dimmed" component="div">
        <Code>{pageText.keys.begins(prefix)}</Code>{' '}
        {last_used_at ? (
          <>
            {pageText.keys.used} <When time={last_used_at} />
          </>
        ) : (
          pageText.keys.neverUsed
        )}
      </Text>
    </Row>
  )
}
