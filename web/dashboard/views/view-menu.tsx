import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { queryClient, useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { type View, viewsQuery } from './queries.ts'

const address = '/projects/{project_id}/views/{view_id}'

function useDeeds({ id: view_id }: View) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, view_id } }
  const refresh = [viewsQuery(project_id).queryKey]
  const share = useChange({
    send: (is_shared: boolean) => take(api.PATCH(address, { params, body: { is_shared } })),
    refresh,
  })
  const remove = useChange({ send: () => take(api.DELETE(address, { params })), refresh })
  return { share, remove }
}

/** For one's own views. Shared ones can be changed by admins only. */
export function ViewMenu({ view }: { view: View }) {
  const { role } = useProject()
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null)
  const { share, remove } = useDeeds(view)
  const isAdmin = mayDo(role, 'admin')
  if (view.is_shared && !isAdmin) return null
  const close = () => setOpen(null)
  const name = view.name ?? ''
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={pageText.savedViews.actions(name)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('rename')}>{pageText.savedViews.rename}</Menu.Item>
          {isAdmin && (
            <Menu.Item onClick={() => share.mutate(!view.is_shared)}>
              {view.is_shared ? pageText.savedViews.unshare : pageText.savedViews.share}
            </Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {pageText.savedViews.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'rename'} onClose={close} title={pageText.savedViews.renameTitle(name)}>
        <Rename view={view} onDone={close} />
      </Modal>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={pageText.savedViews.removeTitle(name)}
        about={view.is_shared ? pageText.savedViews.removeShared : pageText.savedViews.removeAbout}
        action={pageText.savedViews.remove}
        run={() => remove.mutate()}
      />
    </>
  )
}

function Rename({ view, onDone }: { view: View; onDone(): void }) {
  const { id: project_id } = useProject()
  const sending = useSending({
    initialValues: { name: view.name ?? '' },
    validate: { name: value => (value.trim() ? null : pageText.savedViews.nameNeeded) },
    send: body => take(api.PATCH(address, { params: { path: { project_id, view_id: view.id } }, body })),
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: viewsQuery(project_id).queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      <TextInput label={pageText.savedViews.name} data-autofocus {...sending.form.getInputProps('name')} />
    </Form>
  )
}
