import { TrashIcon } from '@heroicons/react/16/solid'
import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import contactClasses from '../contacts/contacts.module.css'
import { FieldInputs } from '../contacts/field-inputs.tsx'
import type { Organization } from '../contacts/organization-queries.ts'
import { fieldsQuery } from '../contacts/queries.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { asFailure } from '../core/failure.ts'
import { InlineField } from '../core/inline-field.tsx'
import { showFailure } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { changeOrganization, refreshOrganizations } from './change.ts'

interface Props {
  projectId: string
  organization: Organization
}

/** The organization's name, external id, custom fields and note. */
export function OrganizationDetails({ projectId, organization }: Props) {
  const { role } = useProject()
  const { data: fields = [] } = useQuery(fieldsQuery(projectId))
  const save = (field: 'name' | 'external_id' | 'note') => async (value: string) =>
    (field === 'name' && !value) || changeOrganization(projectId, organization, { [field]: value || null })
  return (
    <Stack gap="sm">
      <InlineField
        label={pageText.organizations.name}
        value={organization.name}
        maxLength={255}
        onSave={save('name')}
      />
      <InlineField
        label={text.contacts.identities.external}
        value={organization.external_id ?? ''}
        maxLength={255}
        onSave={save('external_id')}
      />
      <FieldInputs
        fields={fields.filter(({ record }) => record === 'organization')}
        values={organization.custom_fields}
        onSave={custom_fields => changeOrganization(projectId, organization, { custom_fields })}
      />
      <InlineField
        isLong
        label={text.contacts.note}
        placeholder={text.contacts.notePlaceholder}
        value={organization.note ?? ''}
        maxLength={65_536}
        onSave={save('note')}
      />
      {mayDo(role, 'admin') && <Delete projectId={projectId} organization={organization} />}
    </Stack>
  )
}

function Delete({ projectId: project_id, organization: { id, name } }: Props) {
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const { remove, removeTitle, removeAbout } = pageText.organizations
  async function run() {
    const params = { path: { project_id, organization_id: id } }
    try {
      await take(api.DELETE('/projects/{project_id}/organizations/{organization_id}', { params }))
      await navigate({ to: '/p/$projectId/organizations', params: { projectId: project_id } })
    } catch (failure) {
      showFailure(asFailure(failure))
    }
    await refreshOrganizations(project_id)
  }
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        color="red"
        className={contactClasses.block}
        leftSection={<TrashIcon width={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {remove}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={removeTitle(name)}
        about={removeAbout}
        action={remove}
        run={run}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
