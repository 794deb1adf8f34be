import { EnvelopeIcon, PlusIcon } from '@heroicons/react/20/solid'
import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import { Empty } from '../core/empty.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Row, Rows } from '../core/rows.tsx'
import { Loading } from '../core/states.tsx'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { wordFault } from './fault-words.ts'
import { LastFetched, MailboxState } from './mailbox-state.tsx'
import { type Mailbox, mailboxesQuery } from './queries.ts'

export default function MailboxesPage() {
  const { id } = useProject()
  const { data: mailboxes } = useQuery(mailboxesQuery(id))
  const navigate = useNavigate()
  const { title, about, none, noneAbout, add } = pageText.mailboxes
  const open = () => void navigate({ to: `/p/${id}/settings/mailboxes/add` })
  useAction({ id: 'add mailbox', name: add, group: title, icon: EnvelopeIcon, run: open })
  const action = (
    <Button leftSection={<PlusIcon width={16} aria-hidden />} onClick={open}>
      {add}
    </Button>
  )
  return (
    <Page title={title} about={about} actions={action}>
      {!mailboxes && <Loading />}
      {mailboxes?.length === 0 && <Empty icon={EnvelopeIcon} title={none} about={noneAbout} />}
      {mailboxes && mailboxes.length > 0 && (
        <Rows label={title}>
          {mailboxes.map(mailbox => (
            <MailboxRow key={mailbox.id} mailbox={mailbox} />
          ))}
        </Rows>
      )}
    </Page>
  )
}

function MailboxRow({ mailbox }: { mailbox: Mailbox }) {
  const { id: projectId } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(projectId))
  const { id, address, department_id, state, last_error } = mailbox
  const department = departments.find(one => one.id === department_id)
  return (
    <Row aside={<MailboxState mailbox={mailbox} />}>
      <Anchor
        fw={550}
        renderRoot={props => <Link to={`/p/${projectId}/settings/mailboxes/${id}`} {...props} />}
      >
        <bdi>{address}</bdi>
      </Anchor>
      <Text size="sm" c="dimmed">
        {department && `${department.name} · `}
        <LastFetched mailbox={mailbox} />
      </Text>
      {state === 'broken' && last_error && <Text size="sm">{wordFault(last_error)}</Text>}
    </Row>
  )
}
