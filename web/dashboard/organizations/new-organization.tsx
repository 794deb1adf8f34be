import { Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { refreshOrganizations } from './change.ts'

/** A dialog that creates an organization and opens its page. */
export function NewOrganization({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={pageText.organizations.create}>
      <Fields onClose={onClose} />
    </Modal>
  )
}

function Fields({ onClose }: { onClose(): void }) {
  const { id: project_id } = useProject()
  const navigate = useNavigate()
  const { name, nameNeeded, firstDomain, firstDomainAbout, createAction } = pageText.organizations
  const sending = useSending({
    initialValues: { name: '', domains: '' },
    validate: { name: value => (value.trim() ? null : nameNeeded) },
    send({ name, domains }) {
      const body = { name, domains: domains.trim() ? [domains.trim()] : [] }
      return take(
        api.POST('/projects/{project_id}/organizations', { params: { path: { project_id } }, body }),
      )
    },
    onDone({ id }) {
      onClose()
      void refreshOrganizations(project_id)
      void navigate({
        to: '/p/$projectId/organizations/$organizationId',
        params: { projectId: project_id, organizationId: id },
      })
    },
  })
  const errorOfDomain = sending.form.errors['domains.0'] ?? sending.form.errors.domains
  return (
    <Form sending={sending} action={createAction}>
      <TextInput label={name} maxLength={255} data-autofocus {...sending.form.getInputProps('name')} />
      <TextInput
        label={firstDomain}
        description={firstDomainAbout}
        placeholder={pageText.organizations.domainExample}
        maxLength={255}
        {...sending.form.getInputProps('domains')}
        error={errorOfDomain}
      />
    </Form>
  )
}
