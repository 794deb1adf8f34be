import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { type Department, departmentsQuery, peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { DepartmentForm } from './department-form.tsx'

const address = '/projects/{project_id}/departments/{department_id}'

function useDeeds({ id }: Department) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, department_id: id } }
  const refresh = [
    departmentsQuery(project_id).queryKey,
    peopleQuery(project_id).queryKey,
    ['views', project_id],
  ]
  const makeDefault = useChange({
    send: () => take(api.PATCH(address, { params, body: { is_default: true } })),
    refresh,
  })
  const remove = useChange({ send: () => take(api.DELETE(address, { params })), refresh })
  return { makeDefault, remove }
}

interface Props {
  department: Department
  /** Where tickets go when this one is deleted. */
  fallback: string
}

export function DepartmentMenu({ department, fallback }: Props) {
  const { name, is_default: isDefault } = department
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const { makeDefault, remove } = useDeeds(department)
  const close = () => setOpen(null)
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={text.departments.actions(name)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('change')}>{text.departments.change}</Menu.Item>
          {!isDefault && (
            <Menu.Item onClick={() => makeDefault.mutate()}>{text.departments.makeDefault}</Menu.Item>
          )}
          {isDefault ? (
            <Menu.Label>{text.departments.lastAbout}</Menu.Label>
          ) : (
            <Menu.Item color="red" onClick={() => setOpen('remove')}>
              {text.departments.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'change'} onClose={close} title={text.departments.changeTitle(name)}>
        <DepartmentForm department={department} onDone={close} />
      </Modal>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={text.departments.removeTitle(name)}
        about={text.departments.removeAbout(fallback)}
        action={text.departments.remove}
        run={() => remove.mutate()}
      />
    </>
  )
}
