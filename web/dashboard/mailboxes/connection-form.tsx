import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { MailboxConflict } from './mailbox-conflict.tsx'
import { changeMailbox, type Mailbox, type MailboxImap, type ShownVersion } from './queries.ts'
import { HostFields, LoginFields, type ServerValues, UserField } from './server-fields.tsx'

interface Props {
  mailbox: Mailbox
  imap: MailboxImap
  version: ShownVersion
}

const valuesOf = ({ host, port, security, user }: MailboxImap): ServerValues => ({
  imap: { host, port, security, user, password: '' },
})

function useConnectionSending({ mailbox, imap, version }: Props) {
  const { id: project_id } = useProject()
  return useSending<ServerValues, Mailbox>({
    initialValues: valuesOf(imap),
    send: ({ imap: { password, ...server } }) =>
      changeMailbox({ project_id, mailbox_id: mailbox.id }, version, {
        imap: { ...server, ...(password && { password }) },
      }),
    onDone: (saved, form) => {
      version.save(saved)
      form.setFieldValue('imap.password', '')
      showNotice(text.shell.saved)
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
      <Form sending={sending} action={text.shell.save}>
        <MailboxConflict
          sending={sending}
          version={version}
          labels={{ imap: connection }}
          read={current => valuesOf(current.imap ?? imap)}
          describe={describe}
        />
        <HostFields form={form} />
        {imap.auth === 'password' ? (
          <LoginFields form={form} passwordAbout={passwordKept} />
        ) : (
          <UserField form={form} />
        )}
      </Form>
    </Section>
  )
}

const describe = ({ imap: { host, port, security, user } }: ServerValues) =>
  ({
    imap: `${user}, ${host}:${port}, ${pageText.mailboxes.securities[security]}`,
  }) as unknown as ServerValues
