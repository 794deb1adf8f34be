import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { changeMailbox, type Mailbox, type MailboxImap, type MailboxVersion } from './queries.ts'
import { HostFields, LoginFields, type ServerValues, UserField } from './server-fields.tsx'

interface Props {
  mailbox: Mailbox
  imap: MailboxImap
  version: MailboxVersion
}

const valuesOf = ({ host, port, security, user }: MailboxImap): ServerValues => ({
  imap: { host, port, security, user, password: '' },
})

function useConnectionSending({ mailbox, imap, version }: Props) {
  const { id: project_id } = useProject()
  return useChangeForm<ServerValues, Mailbox>({
    version,
    initialValues: valuesOf(imap),
    send: ({ imap: { password, ...server } }) =>
      changeMailbox({ project_id, mailbox_id: mailbox.id }, version, {
        imap: { ...server, ...(password && { password }) },
      }),
    onSaved: form => {
      form.setFieldValue('imap.password', '')
    },
  })
}

/** The server of a mailbox. An empty password keeps the stored one. */
export function ConnectionForm(props: Props) {
  const { imap, version } = props
  const sending = useConnectionSending(props)
  const { form } = sending
  const { connection, connectionAbout, passwordKept } = pageText.mailboxes
  return (
    <Section title={connection} about={connectionAbout}>
      <ChangeForm
        sending={sending}
        version={version}
        labels={{ imap: connection }}
        read={current => valuesOf(current.imap ?? imap)}
        describe={describe}
      >
        <HostFields form={form} />
        {imap.auth === 'password' ? (
          <LoginFields form={form} passwordAbout={passwordKept} />
        ) : (
          <UserField form={form} />
        )}
      </ChangeForm>
    </Section>
  )
}

const describe = ({ imap: { host, port, security, user } }: ServerValues) => ({
  imap: `${user}, ${host}:${port}, ${pageText.mailboxes.securities[security]}`,
})
