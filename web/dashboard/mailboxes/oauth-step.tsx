import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { type BegunSignIn, beginSignIn } from './queries.ts'
import { HostFields, UserField } from './server-fields.tsx'
import type { ServerStepProps } from './server-step.tsx'
import { keepDraft, takeDraft } from './sign-in-draft.ts'
import { SignInFields } from './sign-in-fields.tsx'
import { newImapOf, type SignInValues, signInRules, signInValuesOf } from './sign-in-values.ts'
import { StartFields, type StartValues } from './start-fields.tsx'

type Values = SignInValues & StartValues

function valuesOf({ address, host }: ServerStepProps['server']): Values {
  const imap = {
    host,
    port: 993,
    security: 'tls' as const,
    user: address,
    auth: 'oauth' as const,
    oauth: null,
  }
  return { ...signInValuesOf(imap), start_from: 'now', start_days: 7 }
}

/** Sends the person to the provider, which sends them back to the page `signed-in`. */
export function OauthStep({ server, back }: Omit<ServerStepProps, 'onDone'>) {
  const { id: project_id } = useProject()
  const sending = useSending<Values, BegunSignIn>({
    initialValues: takeDraft<Values>(project_id, server.address) ?? valuesOf(server),
    validate: signInRules,
    send: values => {
      const { start_from, start_days } = values
      keepDraft(project_id, server, values)
      return beginSignIn(project_id, {
        address: server.address,
        imap: newImapOf(values),
        start_from,
        ...(start_from === 'days' && { start_days }),
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
    </Form>
  )
}
