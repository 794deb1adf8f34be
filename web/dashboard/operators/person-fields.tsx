import { MultiSelect, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { pageText } from '../core/page-text.ts'
import { mayDo, type Role, useProject } from '../projects/project.ts'
import { departmentsQuery } from './queries.ts'

const roles: Role[] = ['operator', 'admin', 'owner']

interface Place extends Record<string, unknown> {
  role: Role
  department_ids: string[]
}

/** The role and departments of a person, for an invitation and for editing. */
export function PersonFields<V extends Place>({ form }: { form: UseFormReturnType<V> }) {
  const { id, role: own } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const role = form.getValues().role
  const given = roles.filter(one => mayDo(own, one))
  return (
    <>
      <Select
        label={pageText.people.role}
        description={pageText.people.rolesAbout[role]}
        data={given.map(value => ({ value, label: pageText.people.roles[value] }))}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      {departments.length > 0 && (
        <MultiSelect
          label={pageText.people.departments}
          data={departments.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('department_ids')}
        />
      )}
    </>
  )
}
