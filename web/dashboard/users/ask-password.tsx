import { PasswordInput, Text } from '@mantine/core'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { KnownAccount } from './known-account.tsx'
import { useMe } from './me.ts'

interface AskProps<T> {
  about: string
  action: string
  send(password: string | undefined): Promise<T>
  onDone(answer: T): unknown
}

/** Asks for the password, if the account has one. */
export function AskPassword<T>({ about, action, send, onDone }: AskProps<T>) {
  const { user } = useMe()
  const sending = useSending({
    initialValues: { password: '' },
    validate: { password: value => (value || !user.has_password ? null : pageText.users.passwordNeeded) },
    send: ({ password }) => send(password || undefined),
    onDone,
  })
  return (
    <Form sending={sending} action={action}>
      <Text c="dimmed">{about}</Text>
      <KnownAccount email={user.email} />
      {user.has_password && (
        <PasswordInput
          label={pageText.users.password}
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': pageText.users.showPassword }}
          {...sending.form.getInputProps('password')}
        />
      )}
    </Form>
  )
}
