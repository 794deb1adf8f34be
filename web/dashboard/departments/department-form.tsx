import { MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { type Department, departmentsQuery, peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'

/** Creates or edits a department. */
export function DepartmentForm({ department, onDone }: { department?: Department; onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const { data: people = [] } = useQuery(peopleQuery(project_id))
  const sending = useSending({
    initialValues: {
      name: department?.name ?? '',
      operator_ids: department?.operator_ids ?? [],
      signature: department?.signature ?? '',
    },
    validate: { name: value => (value.trim() ? null : pageText.departments.nameNeeded) },
    async send(body) {
      const id = department?.id ?? (await create(project_id, body.name)).id
      if (!department && body.operator_ids.length === 0 && !body.signature) return
      const path = { project_id, department_id: id }
      await take(api.PATCH('/projects/{project_id}/departments/{department_id}', { params: { path }, body }))
    },
    onDone: () => {
      for (const { queryKey } of [departmentsQuery(project_id), peopleQuery(project_id)])
        void client.invalidateQueries({ queryKey })
      onDone()
    },
  })
  return (
    <Form sending={sending} action={department ? text.shell.save : pageText.departments.create}>
      <TextInput label={pageText.departments.name} data-autofocus {...sending.form.getInputProps('name')} />
      <MultiSelect
        label={pageText.departments.people}
        searchable
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        {...sending.form.getInputProps('operator_ids')}
      />
      <Textarea
        label={pageText.departments.signature}
        description={pageText.departments.signatureAbout}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={10_000}
        dir="auto"
        {...sending.form.getInputProps('signature')}
      />
    </Form>
  )
}

const create = (project_id: string, name: string) =>
  take(api.POST('/projects/{project_id}/departments', { params: { path: { project_id } }, body: { name } }))
