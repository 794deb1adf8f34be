import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import type { ImportedSource } from './queries.ts'
import { importKeys } from './query-keys.ts'

export function RemoveImport({ imported: { source, tickets } }: { imported: ImportedSource }) {
  const { id: project_id } = useProject()
  const [isAsking, setAsking] = useState(false)
  const [force, setForce] = useState(false)
  const words = pageText.imports
  const remove = useChange({
    send: () =>
      take(
        api.DELETE('/projects/{project_id}/imports/{source}', {
          params: { path: { project_id, source }, query: { force } },
        }),
      ),
    refresh: [importKeys.list(project_id)],
    onDone: () => showNotice(words.begun),
  })
  return (
    <>
      <Button variant="default" loading={remove.isPending} onClick={() => setAsking(true)}>
        {words.remove}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={words.removeTitle(source)}
        about={words.removeAbout(tickets)}
        action={words.remove}
        run={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        <Switch
          label={words.force}
          checked={force}
          onChange={event => setForce(event.currentTarget.checked)}
        />
      </Confirm>
    </>
  )
}
