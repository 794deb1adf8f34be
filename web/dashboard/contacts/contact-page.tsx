import { ChevronLeftIcon, UserIcon } from '@heroicons/react/20/solid'
import { Button, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { Link, useNavigate, useParams } from '@tanstack/react-router'

import { Empty } from '../core/empty.tsx'
import { asFailure } from '../core/failure.ts'
import { usePageTitle } from '../core/page.tsx'
import { Broken, Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { contactNameOf } from '../tickets/names.ts'
import { ContactActions } from './contact-actions.tsx'
import { ContactTimeline } from './contact-timeline.tsx'
import classes from './contacts.module.css'
import { PersonalData } from './personal-data.tsx'
import { Profile } from './profile.tsx'
import { type Contact, contactQuery, contactTicketsQuery, fieldsQuery } from './queries.ts'
import { TicketLinks } from './ticket-links.tsx'

/** The contact whose id is in the URL. */
export default function ContactPage() {
  const { id } = useProject()
  const { contactId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(contactQuery(id, contactId))
  if (data) return <Shown contact={data} />
  if (!error) return <Loading />
  return asFailure(error).status === 404 ? (
    <Empty icon={UserIcon} title={text.contacts.gone} about={text.contacts.goneAbout} />
  ) : (
    <Broken error={error} reset={refetch} />
  )
}

function Shown({ contact }: { contact: Contact }) {
  const { workspace_id: projectId } = contact
  usePageTitle(contactNameOf(contact))
  const { data: tickets } = useQuery(contactTicketsQuery(projectId, contact.id))
  const { data: fields = [] } = useQuery(fieldsQuery(projectId))
  const open = useOpenContact(projectId)
  return (
    <div className={classes.columns}>
      <section>
        <Button
          className={classes.back}
          variant="subtle"
          size="xs"
          mb="sm"
          leftSection={<ChevronLeftIcon width={16} aria-hidden />}
          renderRoot={props => <Link to="/p/$projectId/contacts" params={{ projectId }} {...props} />}
        >
          {text.contacts.title}
        </Button>
        <Title order={1} className="hidden">
          {contactNameOf(contact)}
        </Title>
        <Profile
          key={contact.id}
          contact={contact}
          fields={fields.filter(({ record }) => record === 'contact')}
          actions={!contact.is_blocked && <ContactActions contact={contact} />}
          open={open}
        />
      </section>
      <section>
        <Title order={2} mb="xs">
          {text.contacts.tickets}
        </Title>
        {tickets ? (
          <TicketLinks projectId={projectId} tickets={tickets} empty={text.inbox.none} />
        ) : (
          <Loading />
        )}
        <ContactTimeline contact={contact} />
        <PersonalData contact={contact} />
      </section>
    </div>
  )
}

function useOpenContact(projectId: string) {
  const navigate = useNavigate()
  return (contactId: string) =>
    void navigate({ to: '/p/$projectId/contacts/$contactId', params: { projectId, contactId } })
}
