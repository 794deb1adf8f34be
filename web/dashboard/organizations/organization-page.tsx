import { BuildingOffice2Icon, ChevronLeftIcon } from '@heroicons/react/20/solid'
import { Anchor, Button, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import classes from '../contacts/contacts.module.css'
import {
  type Organization,
  organizationQuery,
  organizationTicketsQuery,
} from '../contacts/organization-queries.ts'
import { TicketLinks } from '../contacts/ticket-links.tsx'
import { Empty } from '../core/empty.tsx'
import { asFailure } from '../core/failure.ts'
import { usePageTitle } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Broken, Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { Domains } from './domains.tsx'
import { Members } from './members.tsx'
import { OrganizationDetails } from './organization-details.tsx'

/** The organization whose id is in the URL. */
export default function OrganizationPage() {
  const { id } = useProject()
  const { organizationId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(organizationQuery(id, organizationId))
  if (data) return <Shown key={data.id} projectId={id} organization={data} />
  if (!error) return <Loading />
  return asFailure(error).status === 404 ? (
    <Empty
      icon={BuildingOffice2Icon}
      title={pageText.organizations.gone}
      about={pageText.organizations.goneAbout}
    />
  ) : (
    <Broken error={error} reset={refetch} />
  )
}

interface Props {
  projectId: string
  organization: Organization
}

function Shown({ projectId, organization }: Props) {
  usePageTitle(organization.name)
  return (
    <div className={classes.columns}>
      <Stack component="section" gap="lg">
        <Button
          className={classes.back}
          variant="subtle"
          size="xs"
          leftSection={<ChevronLeftIcon width={16} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          renderRoot={props => <Link to="/p/$projectId/organizations" params={{ projectId }} {...props} />}
        >
          {pageText.organizations.title}
        </Button>
        <Title order={1} size="h2" className={classes.wrap} dir="auto">
          {organization.name}
        </Title>
        <Domains projectId={projectId} organization={organization} />
        <OrganizationDetails projectId={projectId} organization={organization} />
      </Stack>
      <Stack component="section" gap="lg">
        <Members projectId={projectId} organization={organization} />
        <Tickets projectId={projectId} organization={organization} />
      </Stack>
    </div>
  )
}

function Tickets({ projectId, organization: { id } }: Props) {
  const { data: tickets } = useQuery(organizationTicketsQuery(projectId, id))
  const { tickets: heading } = text.contacts
  return (
    <section aria-label={heading}>
      <Title order={2} size="h3" mb="xs">
        {heading}
      </Title>
      {tickets ? (
        <TicketLinks projectId={projectId} tickets={tickets} empty={text.inbox.none} />
      ) : (
        <Loading />
      )}
      {tickets && tickets.length > 0 && (
        <Anchor
          size="sm"
          py={6}
          display="inline-block"
          renderRoot={props => (
            <Link
              to="/p/$projectId/inbox/$view"
              params={{ projectId, view: 'all' }}
              search={{ organization: id }}
              {...props}
            />
          )}
        >
          {pageText.organizations.allTickets}
        </Anchor>
      )}
    </section>
  )
}
