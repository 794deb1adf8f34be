import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../projects/project.ts'
import { departmentsQuery } from './queries.ts'

interface Props<V extends Record<string, unknown> & { department_id: string | null }> {
  form: UseFormReturnType<V>
  words: { department: string; anyDepartment: string }
}

/** The department that new tickets are assigned to. */
export function DepartmentField<V extends Record<string, unknown> & { department_id: string | null }>({
  form,
  words,
}: Props<V>) {
  const { data: departments = [] } = useQuery(departmentsQuery(useProject().id))
  return (
    <Select
      label={words.department}
      placeholder={words.anyDepartment}
      clearable
      maw={420}
      data={departments.map(one => ({ value: one.id, label: one.name }))}
      {...form.getInputProps('department_id')}
    />
  )
}
