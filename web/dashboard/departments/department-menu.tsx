import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { type Department, departmentsQuery, peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { viewKeys } from '../views/query-keys.ts'
import { DepartmentForm } from './department-form.tsx'

const address = '/projects/{project_id}/departments/{department_id}'

function useDeeds({ id }: Department) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, department_id: id } }
  const refresh = [
    departmentsQuery(project_id).queryKey,
    peopleQuery(project_id).queryKey,
    viewKeys.list(project_id),
  ]
  const makeDefault = useChange({
    send: () => take(api.PATCH(address, { params, body: { is_default: true } })),
    refresh,
  })
  const remove = useChange({
    send: (tickets_to: string | undefined) =>
      take(api.DELETE(address, { params: { ...params, query: { tickets_to } } })),
    refresh,
  })
  return { makeDefault, remove }
}

interface RemovalProps {
  department: Department
  isOpen: boolean
  onClose(): void
  run(ticketsTo: string | undefined): void
}

/** Asks where to move the tickets; the default department is preselected. */
function Removal({ department: { id, name }, isOpen, onClose, run }: RemovalProps) {
  const { data = [] } = useQuery(departmentsQuery(useProject().id))
  const others = data.filter(one => one.id !== id)
  const [chosen, setChosen] = useState<string | null>(null)
  const heir = others.find(one => one.id === chosen) ?? others.find(one => one.is_default)
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={pageText.departments.removeTitle(name)}
      about={pageText.departments.removeAbout}
      action={pageText.departments.remove}
      run={() => run(heir?.id)}
    >
      <Select
        label={pageText.departments.heir}
        allowDeselect={false}
        data={others.map(one => ({ value: one.id, label: one.name }))}
        value={heir?.id ?? null}
        onChange={setChosen}
      />
    </Confirm>
  )
}

export function DepartmentMenu({ department }: { department: Department }) {
  const { name, is_default: isDefault } = department
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const { makeDefault, remove } = useDeeds(department)
  const close = () => setOpen(null)
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon aria-label={pageText.departments.actions(name)}>
            <EllipsisHorizontalIcon width={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('change')}>{pageText.departments.change}</Menu.Item>
          {!isDefault && (
            <Menu.Item onClick={() => makeDefault.mutate()}>{pageText.departments.makeDefault}</Menu.Item>
          )}
          {isDefault ? (
            <Menu.Label>{pageText.departments.lastAbout}</Menu.Label>
          ) : (
            <Menu.Item color="red" onClick={() => setOpen('remove')}>
              {pageText.departments.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={open === 'change'} onClose={close} title={pageText.departments.changeTitle(name)}>
        <DepartmentForm department={department} onDone={close} />
      </Modal>
      <Removal department={department} isOpen={open === 'remove'} onClose={close} run={remove.mutate} />
    </>
  )
}
