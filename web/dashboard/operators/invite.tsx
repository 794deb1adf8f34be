import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { type Role, useProject } from '../projects/project.ts'
import { LinkToShare } from './link-to-share.tsx'
import { PersonFields } from './person-fields.tsx'
import { peopleQuery } from './queries.ts'

/** Asks for the person's details, and then shows the invitation link. */
export function Invite({ onDone }: { onDone(): void }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const sending = useSending({
    initialValues: { email: '', name: '', role: 'operator' as Role, department_ids: [] as string[] },
    validate: {
      email: value => (value.trim() ? null : pageText.people.emailNeeded),
      name: value => (value.trim() ? null : pageText.people.nameNeeded),
    },
    send: ({ email, ...rest }) =>
      take(
        api.POST('/projects/{project_id}/operators', {
          params: { path: { project_id } },
          body: { ...rest, email: email.trim() },
        }),
      ),
    onDone: () => client.invalidateQueries({ queryKey: peopleQuery(project_id).queryKey }),
  })
  if (sending.answer) {
    const { link, operator } = sending.answer
    const words = link.is_mailed ? pageText.people.invitedMailed : pageText.people.invitedLink
    return <LinkToShare link={link} about={words(operator.email)} onDone={onDone} />
  }
  return (
    <Form sending={sending} action={pageText.people.inviteSend}>
      <TextInput
        label={pageText.people.email}
        type="email"
        autoComplete="off"
        data-autofocus
        {...sending.form.getInputProps('email')}
      />
      <TextInput label={pageText.people.name} autoComplete="off" {...sending.form.getInputProps('name')} />
      <PersonFields form={sending.form} />
    </Form>
  )
}
