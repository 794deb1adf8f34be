import { Alert, PasswordInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { ChangeForm, useChangeForm } from '../channels/change-form.tsx'
import { wordFault } from '../channels/channel-state.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { useProject } from '../projects/project.ts'
import { changeMailbox, detectedQuery, type Mailbox, type MailboxVersion } from './queries.ts'
import { ReplyFields, type ReplyValues } from './reply-fields.tsx'
import { SendingFields } from './sending-fields.tsx'
import { type SendingValues, sendingBodyOf, sendingRules, sendingValuesOf } from './sending-values.ts'
import { SignInAgain } from './sign-in-again.tsx'

interface Props {
  mailbox: Mailbox
  version: MailboxVersion
}

interface Values extends SendingValues, ReplyValues {
  imap: { password: string }
}

type Detected = Parameters<typeof sendingValuesOf>[1]

const valuesOf = (mailbox: Mailbox, detected: Detected): Values => ({
  ...sendingValuesOf(mailbox, detected),
  imap: { password: '' },
  signature: mailbox.signature,
  history: mailbox.history,
  saves_sent: mailbox.saves_sent,
  sent_folder: mailbox.sent_folder ?? '',
  send_rate: mailbox.send_rate,
})

/** How a mailbox sends. For one that does not send yet, its server is looked up first. */
export function SendingSection({ mailbox, version }: Props) {
  const { id: project_id } = useProject()
  const { data: detected, isLoading } = useQuery(detectedQuery(project_id, mailbox.address))
  const { title, about } = pageText.mailboxSending
  return (
    <Section title={title} about={about}>
      <SendFault mailbox={mailbox} />
      {isLoading && !mailbox.smtp ? (
        <Loading />
      ) : (
        <SendingForm
          mailbox={mailbox}
          version={version}
          detected={detected ?? { smtp: null }}
          installationSends={detected?.installation_sends ?? false}
        />
      )}
    </Section>
  )
}

function SendFault({ mailbox }: Pick<Props, 'mailbox'>) {
  const { send_error, sending, imap } = mailbox
  if (!send_error || sending === 'none') return null
  const { fails, failsAbout } = pageText.mailboxSending
  const isSignIn = imap?.oauth?.grant === 'refresh_token' && signInCodes.includes(send_error.code)
  return (
    <Alert color="red" mb="md" title={fails}>
      {wordFault(pageText.mailboxes, send_error)} {failsAbout}
      {isSignIn && (
        <div>
          <SignInAgain mailbox={mailbox} />
        </div>
      )}
    </Alert>
  )
}

/** Signing in again fixes these problems. */
const signInCodes = ['send_denied', 'access_revoked', 'app_in_testing']

function useSendingForm({ mailbox, version, detected }: Props & { detected: Detected }) {
  const { id: project_id } = useProject()
  return useChangeForm<Values, Mailbox>({
    version,
    initialValues: valuesOf(mailbox, detected),
    validate: sendingRules as never,
    send: ({ imap, sending, smtp, sent_folder, ...others }) => {
      const isGiven = imap.password && sending === 'smtp' && smtp.auth === 'imap'
      return changeMailbox({ project_id, mailbox_id: mailbox.id }, version, {
        ...others,
        ...sendingBodyOf({ sending, smtp }),
        ...(isGiven && { imap: { password: imap.password } }),
        sent_folder: sent_folder.trim() || null,
      })
    },
    onSaved: form => {
      form.setFieldValue('smtp.password', '')
      form.setFieldValue('imap.password', '')
    },
  })
}

function SendingForm(props: Props & { detected: Detected; installationSends: boolean }) {
  const { mailbox, version, detected, installationSends } = props
  const sending = useSendingForm(props)
  const { form } = sending
  const { title, passwordKept } = pageText.mailboxSending
  return (
    <ChangeForm
      sending={sending}
      version={version}
      labels={{ smtp: title }}
      read={current => valuesOf(current, detected)}
      describe={describe}
    >
      <SendingFields
        form={form}
        installationSends={installationSends}
        logins={mailbox.imap ? ['imap', 'password', 'none'] : ['password', 'none']}
        {...(mailbox.smtp?.auth === 'password' && { passwordAbout: passwordKept })}
      />
      <KnownPassword mailbox={mailbox} form={form} />
      {form.getValues().sending !== 'none' && <ReplyFields form={form} isFetched={mailbox.imap !== null} />}
    </ChangeForm>
  )
}

interface FormProps {
  form: UseFormReturnType<Values>
}

/** Another provider's server gets the password of the mailbox only from someone who knows it. */
function KnownPassword({ mailbox: { imap, smtp: stored }, form }: Pick<Props, 'mailbox'> & FormProps) {
  const { sending, smtp } = form.getValues()
  const isMoved = stored?.auth !== 'imap' || stored.host !== smtp.host || stored.security !== smtp.security
  if (sending !== 'smtp' || smtp.auth !== 'imap' || imap?.auth !== 'password' || !isMoved) return null
  const { imapPassword, imapPasswordAbout } = pageText.mailboxSending
  return (
    <PasswordInput
      label={imapPassword}
      description={imapPasswordAbout}
      maw={420}
      autoComplete="new-password"
      {...form.getInputProps('imap.password')}
    />
  )
}

const describe = ({ sending, smtp: { host, port } }: Values) => ({
  smtp: sending === 'smtp' ? `${host}:${port}` : pageText.mailboxSending.ways[sending],
})
