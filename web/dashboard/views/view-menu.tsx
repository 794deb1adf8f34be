import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { mayChange, type View, viewsQuery } from './queries.ts'
import { EditView } from './view-fields.tsx'

/** For views that the reader may change. */
export function ViewMenu({ view }: { view: View }) {
  const { role, operatorId } = useProject()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  if (!mayChange(view, role, operatorId)) return null
  const close = () => setOpen(null)
  const name = view.name ?? ''
  const { actions, edit, editTitle, remove } = pageText.savedViews
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={actions(name)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('edit')}>{edit}</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'edit'} onClose={close} title={editTitle(name)}>
        <EditView view={view} onDone={close} />
      </Modal>
      <RemoveView view={view} isOpen={open === 'remove'} onClose={close} />
    </>
  )
}

interface RemoveProps {
  view: View
  isOpen: boolean
  onClose(): void
  onDone?(): void
}

/** Asks before a view is deleted. */
export function RemoveView({ view, isOpen, onClose, onDone }: RemoveProps) {
  const { id: project_id } = useProject()
  const { remove, removeTitle, removeAbout, removeShared } = pageText.savedViews
  const removing = useChange({
    send: () => {
      const params = { path: { project_id, view_id: view.id } }
      return take(api.DELETE('/projects/{project_id}/views/{view_id}', { params }))
    },
    refresh: [viewsQuery(project_id).queryKey],
    onDone,
  })
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={removeTitle(view.name ?? '')}
      about={view.visibility === 'private' ? removeAbout : removeShared}
      action={remove}
      run={() => removing.mutate()}
    />
  )
}
