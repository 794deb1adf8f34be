import { TextInput } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { KnownAccount } from './known-account.tsx'
import { checkPassword, NewPassword } from './password.tsx'
import type { ShownLink } from './queries.ts'

interface Props {
  link: ShownLink
  token: string
  onDone(isSignedIn: boolean): void
}

const needs = (words: string) => (value: string) => (value.trim() ? null : words)

/** Creates an account, or sets a new password for an existing one. */
export function Accept({ link, token, onDone }: Props) {
  const isNew = link.purpose !== 'reset'
  const asksEmail = isNew && !link.email
  const sending = useSending({
    initialValues: { email: link.email ?? '', name: link.name ?? '', password: '' },
    validate: {
      email: asksEmail ? needs(pageText.users.emailNeeded) : () => null,
      name: isNew ? needs(pageText.users.nameNeeded) : () => null,
      password: checkPassword,
    },
    send: ({ email, name, password }) => {
      const body = {
        password,
        ...(isNew && { name: name.trim() }),
        ...(asksEmail && { email: email.trim() }),
      }
      return take(api.POST('/links/{token}', { params: { path: { token } }, body }))
    },
    onDone: answer => onDone(answer.is_signed_in),
  })
  const { form } = sending
  const { email, name } = form.getValues()
  return (
    <Form sending={sending} action={isNew ? pageText.users.create : pageText.users.setPassword} isWide>
      {isNew && (
        <TextInput
          label={pageText.users.email}
          type="email"
          autoComplete="username"
          readOnly={!asksEmail}
          autoFocus={asksEmail}
          {...form.getInputProps('email')}
        />
      )}
      {isNew && (
        <TextInput
          label={pageText.users.yourName}
          description={pageText.users.nameAbout}
          autoComplete="name"
          autoFocus={!asksEmail}
          {...form.getInputProps('name')}
        />
      )}
      {!isNew && <KnownAccount email={link.email ?? ''} />}
      <NewPassword
        label={isNew ? pageText.users.password : pageText.users.newPassword}
        known={[email, name]}
        isFirst={!isNew}
        {...form.getInputProps('password')}
      />
    </Form>
  )
}
