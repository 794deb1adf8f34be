import { Anchor } from '@mantine/core'
import { Go } from '../core/go.tsx'
import classes from '../core/kept-field.module.css'
import { text } from '../core/text.ts'
import { changeContact } from './change.ts'
import { OrganizationSelect } from './organization-select.tsx'
import type { Contact } from './queries.ts'

/** The organization of a contact, which can be changed, and a link to it. */
export function OrganizationField({ contact }: { contact: Contact }) {
  const { workspace_id: projectId, organization_id: id } = contact
  return (
    <div className={classes.field}>
      <OrganizationSelect
        projectId={projectId}
        value={id}
        onChange={organization_id => changeContact(contact, { organization_id })}
      />
      {id && (
        <Anchor
          size="xs"
          py={4}
          display="inline-block"
          renderRoot={props => <Go to={`/p/${projectId}/organizations/${id}`} {...props} />}
        >
          {text.contacts.openOrganization}
        </Anchor>
      )}
    </div>
  )
}
