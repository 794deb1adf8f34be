import { Alert, Anchor, Button, Group, Loader, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChannelState, wordFault } from '../channels/channel-state.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { ProbeResult } from './probe-section.tsx'
import { arrivedMailQuery, type Mailbox, mailboxQuery, sendsToItself } from './queries.ts'
import { senderChecks } from './sender-domain.tsx'

/** Shows whether the mailbox can send an email to itself, and waits for a first email of somebody else. */
export function ArrivalStep({ mailbox }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const path = { project_id, mailbox_id: mailbox.id }
  const { data: current = mailbox } = useQuery(mailboxQuery(path))
  const { data: mail } = useQuery(arrivedMailQuery(path))
  const { added, openTicket, openLog, toMailbox } = pageText.mailboxes
  const target = mail?.ticket_id ? `inbox/open/${mail.ticket_id}` : 'settings/mail-log'
  const settings = `/p/${project_id}/settings/mailboxes/${mailbox.id}`
  return (
    <>
      <Group mb="sm">
        <Text fw={550}>{added(mailbox.address)}</Text>
        <ChannelState channel={current} words={pageText.mailboxes} />
      </Group>
      {current.last_error && (
        <Alert color="red" mb="md">
          {wordFault(pageText.mailboxes, current.last_error)}
        </Alert>
      )}
      {sendsToItself(current) && (
        <section aria-labelledby="test-email">
          <Title order={3} id="test-email">
            {pageText.mailboxTest.title}
          </Title>
          <ProbeResult mailbox={current} />
        </section>
      )}
      <FirstMail mail={mail} address={mailbox.address} />
      <Group>
        {mail && (
          <Button renderRoot={props => <Link to={`/p/${project_id}/${target}`} {...props} />}>
            {mail.ticket_id ? openTicket : openLog}
          </Button>
        )}
        <Anchor renderRoot={props => <Link to={settings} {...props} />}>{toMailbox}</Anchor>
        {current.sending !== 'none' && (
          <Anchor renderRoot={props => <Link to={settings} hash={senderChecks} {...props} />}>
            {pageText.senderDomain.check}
          </Anchor>
        )}
      </Group>
    </>
  )
}

interface FirstMailProps {
  /** Undefined until it is known whether there is one. */
  mail: { subject: string | null; sender: string | null } | null | undefined
  address: string
}

/** The first email of somebody else, or a request to send one. */
function FirstMail({ mail, address }: FirstMailProps) {
  const { sendTest, waiting, slow, arrived, arrivedAs } = pageText.mailboxes
  return (
    <>
      {!mail && <Text mt="md">{sendTest(address)}</Text>}
      <div aria-live="polite">
        {mail ? (
          <Alert color="gray" title={arrived} my="md">
            {arrivedAs(mail.subject ?? '', mail.sender ?? '')}
          </Alert>
        ) : (
          <Group my="md">
            <Loader size="sm" aria-hidden />
            <Text>{waiting}</Text>
          </Group>
        )}
      </div>
      {!mail && (
        <Text size="sm" c="dimmed" mb="md">
          {slow}
        </Text>
      )}
    </>
  )
}
