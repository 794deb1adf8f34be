import { Alert, PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Form, useSending } from '../core/form.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { auth, takeAuth } from './auth.ts'
import { KnownAccount } from './known-account.tsx'
import { useMe } from './me.ts'
import { Passkeys } from './passkeys.tsx'
import { checkPassword, NewPassword } from './password.tsx'
import { ProviderFailed, ProviderSettings } from './provider.tsx'
import { signInMethodsQuery } from './queries.ts'
import { SecondFactorSettings } from './second-factor-settings.tsx'

export default function AccountSecurityPage() {
  const { user, memberships } = useMe()
  const { data: methods } = useQuery(signInMethodsQuery)
  const takesPasswords = methods?.takes_passwords ?? false
  const error = new URLSearchParams(location.search).get('error')
  const isNeeded = !user.meets_second_factor && memberships.some(one => one.requires_second_factor)
  return (
    <Page title={pageText.account.security} about={pageText.account.securityAbout}>
      {isNeeded && (
        <Alert color="orange" mb="md">
          {pageText.account.needed}
        </Alert>
      )}
      {error && <ProviderFailed code={error} />}
      <ProviderSettings />
      {user.has_password && takesPasswords && <ChangePassword {...user} />}
      <SecondFactorSettings />
      {takesPasswords && <Passkeys />}
    </Page>
  )
}

function ChangePassword({ name, email }: { name: string; email: string }) {
  const sending = useSending({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: value => (value ? null : pageText.users.passwordNeeded),
      newPassword: checkPassword,
    },
    send: values => takeAuth(() => auth.changePassword({ ...values, revokeOtherSessions: true })),
    onDone: (_answer, form) => {
      form.reset()
      showNotice(pageText.account.changed)
    },
  })
  const { form } = sending
  return (
    <Section title={pageText.account.password} about={pageText.account.passwordAbout}>
      <Form sending={sending} action={pageText.account.change}>
        <KnownAccount email={email} />
        <PasswordInput
          label={pageText.account.current}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': pageText.users.showPassword }}
          maw={360}
          {...form.getInputProps('currentPassword')}
        />
        <div style={{ maxWidth: 360 }}>
          <NewPassword known={[name, email]} {...form.getInputProps('newPassword')} />
        </div>
      </Form>
    </Section>
  )
}
