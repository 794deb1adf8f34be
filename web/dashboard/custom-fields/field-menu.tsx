import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import { type Field, fieldsQuery } from '../contacts/queries.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { useProject } from '../projects/project.ts'
import { FieldForm } from './field-form.tsx'

export function FieldMenu({ field }: { field: Field }) {
  const { id: project_id } = useProject()
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const params = { path: { project_id, field_id: field.id } }
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/custom-fields/{field_id}', { params })),
    refresh: [fieldsQuery(project_id).queryKey],
  })
  const close = () => setOpen(null)
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label={pageText.customFields.actions(field.label)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('change')}>{pageText.customFields.change}</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            {pageText.customFields.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={open === 'change'}
        onClose={close}
        title={pageText.customFields.changeTitle(field.label)}
      >
        <FieldForm field={field} onDone={close} />
      </Modal>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={pageText.customFields.removeTitle(field.label)}
        about={pageText.customFields.removeAbout}
        action={pageText.customFields.remove}
        run={() => remove.mutate()}
      />
    </>
  )
}
