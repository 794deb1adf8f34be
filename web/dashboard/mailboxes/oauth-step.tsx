import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { type BegunSignIn, beginSignIn } from './queries.ts'
import { SendingFields } from './sending-fields.tsx'
import { newSendingRules, newSendingValues, type SendingValues, sendingBodyOf } from './sending-values.ts'
import { HostFields, UserField } from './server-fields.tsx'
import type { ServerStepProps } from './server-step.tsx'
import { keepDraft, takeDraft } from './sign-in-draft.ts'
import { SignInFields } from './sign-in-fields.tsx'
import { newImapOf, type SignInValues, signInRules, signInValuesOf } from './sign-in-values.ts'
import { StartFields, type StartValues } from './start-fields.tsx'

type Values = SignInValues & StartValues & SendingValues

function valuesOf({ address, host, smtp }: ServerStepProps['server']): Values {
  const imap = {
    host,
    port: 993,
    security: 'tls' as const,
    user: address,
    auth: 'oauth' as const,
    oauth: null,
  }
  return { ...signInValuesOf(imap), ...newSendingValues({ smtp }, 'imap'), start_from: 'now', start_days: 7 }
}

/** Sends the person to the provider, which sends them back to the page `signed-in`. */
export function OauthStep({ server, back }: Omit<ServerStepProps, 'onDone'>) {
  const { id: project_id } = useProject()
  const sending = useSending<Values, BegunSignIn>({
    initialValues: takeDraft<Values>(project_id, server.address) ?? valuesOf(server),
    validate: { ...(signInRules as object), ...newSendingRules } as never,
    send: values => {
      const { start_from, start_days } = values
      keepDraft(project_id, server, { ...values, smtp: { ...values.smtp, password: '' } })
      return beginSignIn(project_id, {
        address: server.address,
        imap: newImapOf(values),
        start_from,
        ...(start_from === 'days' && { start_days }),
        ...sendingBodyOf(values),
      })
    },
    onDone: ({ authorize_url }) => location.assign(authorize_url),
  })
  const { form } = sending
  const { provider } = form.getValues().imap.oauth
  const { signInAt, signInUserAbouts } = pageText.mailboxes
  return (
    <Form sending={sending} action={signInAt[provider]} aside={back}>
      <SignInFields form={form} />
      {provider === 'custom' && <HostFields form={form} />}
      <UserField form={form} about={signInUserAbouts[provider]} />
      <StartFields form={form} />
      <SendingFields
        form={form}
        installationSends={server.installation_sends}
        logins={['imap', 'password', 'none']}
      />
    </Form>
  )
}
