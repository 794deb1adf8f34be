import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChannelState } from '../channels/channel-state.tsx'
import { useShownVersion } from '../channels/shown-version.ts'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { AutomaticSection } from './automatic-form.tsx'
import { ConnectionForm } from './connection-form.tsx'
import { DkimSection } from './dkim-section.tsx'
import { MailboxDeletion } from './mailbox-deletion.tsx'
import { MailboxForm } from './mailbox-form.tsx'
import { MailboxStatus } from './mailbox-status.tsx'
import { ProbeSection } from './probe-section.tsx'
import { type Mailbox, mailboxKeysOf, mailboxQuery, sendsToItself } from './queries.ts'
import { SenderDomain } from './sender-domain.tsx'
import { SendingSection } from './sending-form.tsx'
import { SignInSection } from './sign-in-form.tsx'

export default function MailboxPage() {
  const { id: project_id } = useProject()
  const { mailboxId: mailbox_id = '' } = useParams({ strict: false }) as { mailboxId?: string }
  const { data: mailbox } = useQuery(mailboxQuery({ project_id, mailbox_id }))
  if (!mailbox) return <Loading />
  return <Settings key={mailbox.id} mailbox={mailbox} />
}

function Settings({ mailbox }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const back = `/p/${project_id}/settings/mailboxes`
  const version = useShownVersion(mailbox, mailboxKeysOf({ project_id, mailbox_id: mailbox.id }))
  return (
    <Page
      title={mailbox.address}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{pageText.mailboxes.back}</Anchor>}
      actions={<ChannelState channel={mailbox} words={pageText.mailboxes} />}
    >
      <MailboxStatus mailbox={mailbox} version={version} />
      <MailboxForm mailbox={mailbox} version={version} />
      {mailbox.imap && <ConnectionForm mailbox={mailbox} imap={mailbox.imap} version={version} />}
      {mailbox.imap && <SignInSection mailbox={mailbox} imap={mailbox.imap} />}
      <SendingSection mailbox={mailbox} version={version} />
      <AutomaticSection mailbox={mailbox} version={version} />
      {sendsToItself(mailbox) && <ProbeSection mailbox={mailbox} />}
      {mailbox.sending !== 'none' && <SenderDomain mailbox={mailbox} />}
      {mailbox.sending !== 'none' && <DkimSection mailbox={mailbox} />}
      <MailboxDeletion mailbox={mailbox} back={back} />
    </Page>
  )
}
