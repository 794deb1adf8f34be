import { NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { departmentsQuery } from '../operators/queries.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { type View, viewsQuery } from './queries.ts'

export interface ViewValues extends Record<string, unknown> {
  name: string
  visibility: View['visibility']
  department_id: string | null
}

/** A view is for a department only if one is chosen. */
export const toBody = ({ name, visibility, department_id }: ViewValues) => ({
  name: name.trim(),
  visibility,
  department_id: visibility === 'department' ? department_id : null,
})

export const validateView = {
  name: (value: string) => (value.trim() ? null : pageText.savedViews.nameNeeded),
  department_id: (value: string | null, { visibility }: ViewValues) =>
    visibility === 'department' && !value ? pageText.savedViews.departmentNeeded : null,
}

const visibilities: View['visibility'][] = ['private', 'department', 'everyone']

/** The name of a view, and who sees it. */
export function ViewFields({ form }: { form: UseFormReturnType<ViewValues> }) {
  const { id, role } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const { name, sharing, sharings, department, chooseDepartment } = pageText.savedViews
  const { visibility } = form.getValues()
  return (
    <>
      <TextInput data-autofocus label={name} maxLength={100} {...form.getInputProps('name')} />
      {mayDo(role, 'admin') && (
        <NativeSelect
          label={sharing}
          data={visibilities.map(value => ({ value, label: sharings[value] }))}
          {...form.getInputProps('visibility')}
        />
      )}
      {visibility === 'department' && (
        <NativeSelect
          label={department}
          data={[
            { value: '', label: chooseDepartment },
            ...departments.map(one => ({ value: one.id, label: one.name })),
          ]}
          {...form.getInputProps('department_id')}
          value={form.getValues().department_id ?? ''}
        />
      )}
    </>
  )
}

/** Changes the name of a view, and who sees it. */
export function EditView({ view, onDone }: { view: View; onDone(): void }) {
  const { id: project_id } = useProject()
  const initialValues: ViewValues = {
    name: view.name ?? '',
    visibility: view.visibility,
    department_id: view.department_id,
  }
  const sending = useSending({
    initialValues,
    validate: validateView,
    send: values => {
      const params = { path: { project_id, view_id: view.id } }
      return take(api.PATCH('/projects/{project_id}/views/{view_id}', { params, body: toBody(values) }))
    },
    onDone: () => {
      void queryClient.invalidateQueries({ queryKey: viewsQuery(project_id).queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      <ViewFields form={sending.form} />
    </Form>
  )
}
