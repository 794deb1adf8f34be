import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { meQuery } from '../users/me.ts'
import { PersonFields } from './person-fields.tsx'
import { departmentsQuery, type Person, peopleQuery } from './queries.ts'

export function ChangePerson({ person, onDone }: { person: Person; onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { name: person.name, role: person.role, department_ids: person.department_ids },
    validate: { name: value => (value.trim() ? null : pageText.people.nameNeeded) },
    send: body =>
      take(
        api.PATCH('/projects/{project_id}/operators/{operator_id}', {
          params: { path: { project_id, operator_id: person.id } },
          body,
        }),
      ),
    onDone: () => {
      for (const { queryKey } of [peopleQuery(project_id), departmentsQuery(project_id), meQuery])
        void client.invalidateQueries({ queryKey })
      showNotice(text.shell.saved)
      onDone()
    },
  })
  return (
    <Form sending={sending} action={text.shell.save}>
      <TextInput label={pageText.people.name} data-autofocus {...sending.form.getInputProps('name')} />
      <PersonFields form={sending.form} />
    </Form>
  )
}
