import { EnvelopeIcon } from '@heroicons/react/20/solid'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChannelState, wordFault } from '../channels/channel-state.tsx'
import { ChannelsPage } from '../channels/channels-page.tsx'
import { Empty } from '../core/empty.tsx'
import { pageText } from '../core/page-text.ts'
import { Row } from '../core/rows.tsx'
import { departmentsQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import { LastFetched } from './last-fetched.tsx'
import { type Mailbox, mailboxesQuery } from './queries.ts'

export default function MailboxesPage() {
  const { id } = useProject()
  const { data: mailboxes } = useQuery(mailboxesQuery(id))
  const { none, noneAbout } = pageText.mailboxes
  return (
    <ChannelsPage
      words={pageText.mailboxes}
      icon={EnvelopeIcon}
      adding={`/p/${id}/settings/mailboxes/add`}
      commandId="add mailbox"
      rows={mailboxes}
      showRow={mailbox => <MailboxRow key={mailbox.id} mailbox={mailbox} />}
      empty={<Empty icon={EnvelopeIcon} title={none} about={noneAbout} />}
    />
  )
}

function MailboxRow({ mailbox }: { mailbox: Mailbox }) {
  const { id: projectId } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(projectId))
  const { id, address, department_id, state, last_error } = mailbox
  const department = departments.find(one => one.id === department_id)
  return (
    <Row aside={<ChannelState channel={mailbox} words={pageText.mailboxes} />}>
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
      {state === 'broken' && last_error && <Text size="sm">{wordFault(pageText.mailboxes, last_error)}</Text>}
    </Row>
  )
}
