import { XMarkIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Group, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Organization } from '../contacts/organization-queries.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { asFailure } from '../core/failure.ts'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { changeOrganization } from './change.ts'

interface Props {
  projectId: string
  organization: Organization
}

/** The domains of an organization. Contacts with an address at one of them join the organization. */
export function Domains({ projectId, organization }: Props) {
  const { domains, domainsAbout } = pageText.organizations
  return (
    <section aria-label={domains}>
      <Title order={2} size="h3">
        {domains}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {domainsAbout}
      </Text>
      {organization.domains.length > 0 && (
        <Rows label={domains}>
          {organization.domains.map(domain => (
            <Domain key={domain} projectId={projectId} organization={organization} domain={domain} />
          ))}
        </Rows>
      )}
      <AddDomain projectId={projectId} organization={organization} />
    </section>
  )
}

function Domain({ projectId, organization, domain }: Props & { domain: string }) {
  const [isAsking, setAsking] = useState(false)
  const { removeDomain, removeDomainAbout, removeDomainAction } = pageText.organizations
  const domains = organization.domains.filter(one => one !== domain)
  const aside = (
    <ActionIcon aria-label={removeDomain(domain)} onClick={() => setAsking(true)}>
      <XMarkIcon width={18} aria-hidden />
    </ActionIcon>
  )
  return (
    <Row aside={aside}>
      <Text dir="ltr" style={{ overflowWrap: 'anywhere', textAlign: 'start' }}>
        {domain}
      </Text>
      <Confirm
        isOpen={isAsking}
        title={`${removeDomain(domain)}?`}
        about={removeDomainAbout}
        action={removeDomainAction}
        run={() => changeOrganization(projectId, organization, { domains })}
        onClose={() => setAsking(false)}
      />
    </Row>
  )
}

type Preview = Shape<'DomainPreview'>

/** What adding the typed domain would do; an error message if it cannot be added. */
async function preview(project_id: string, domain: string): Promise<Preview | string> {
  try {
    const params = { path: { project_id, domain } }
    const found = await take(api.GET('/projects/{project_id}/organization-domains/{domain}', { params }))
    return found.organization ? pageText.organizations.domainTaken(found.organization.name) : found
  } catch (failure) {
    return asFailure(failure).message
  }
}

function AddDomain({ projectId, organization }: Props) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Preview | string | null>(null)
  const { addDomain, domain, addTitle, addAbout } = pageText.organizations
  const ready = typeof found === 'object' ? found : null
  async function ask(event: FormEvent) {
    event.preventDefault()
    if (typed.trim()) setFound(await preview(projectId, typed.trim()))
  }
  async function add({ domain }: Preview) {
    const domains = [...organization.domains, domain]
    if (await changeOrganization(projectId, organization, { domains })) setTyped('')
  }
  return (
    <form onSubmit={ask} noValidate>
      <Group gap="xs" align="flex-end" mt="xs">
        <TextInput
          size="sm"
          label={domain}
          placeholder={pageText.organizations.domainExample}
          dir="ltr"
          maxLength={255}
          value={typed}
          error={typeof found === 'string' && found}
          onChange={event => {
            setTyped(event.currentTarget.value)
            setFound(null)
          }}
          style={{ flex: 1 }}
        />
        <Button type="submit" size="sm" variant="default">
          {addDomain}
        </Button>
      </Group>
      <Confirm
        isOpen={ready !== null}
        title={addTitle(ready?.domain ?? '')}
        about={addAbout(ready?.contacts_count ?? 0)}
        action={addDomain}
        color="accent"
        run={() => ready && void add(ready)}
        onClose={() => setFound(null)}
      />
    </form>
  )
}
