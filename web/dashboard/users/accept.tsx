import { TextInput } from '@mantine/core'
import { api, take } from '../core/api.ts'
import { Form, useSending } from '../core/form.tsx'
import { text } from '../core/text.ts'
import { KnownAccount } from './known-account.tsx'
import { checkPassword, NewPassword } from './password.tsx'
import type { ShownLink } from './queries.ts'

interface Props {
  link: ShownLink
  token: string
  onDone(isSignedIn: boolean): void
}

const needs = (words: string) => (value: string) => (value.trim() ? null : words)

/** A new account, or a new password for one that there is. */
export function Accept({ link, token, onDone }: Props) {
  const isNew = link.purpose !== 'reset'
  const asksEmail = isNew && !link.email
  const sending = useSending({
    initialValues: { email: link.email ?? '', name: link.name ?? '', password: '' },
    validate: {
      email: asksEmail ? needs(text.users.emailNeeded) : () => null,
      name: isNew ? needs(text.users.nameNeeded) : () => null,
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
    <Form sending={sending} action={isNew ? text.users.create : text.users.setPassword} isWide>
      {isNew && (
        <TextInput
          label={text.users.email}
          type="email"
          autoComplete="username"
          readOnly={!asksEmail}
          autoFocus={asksEmail}
          {...form.getInputProps('email')}
        />
      )}
      {isNew && (
        <TextInput
          label={text.users.yourName}
          description={text.users.nameAbout}
          autoComplete="name"
          autoFocus={!asksEmail}
          {...form.getInputProps('name')}
        />
      )}
      {!isNew && <KnownAccount email={link.email ?? ''} />}
      <NewPassword
        label={isNew ? text.users.password : text.users.newPassword}
        known={[email, name]}
        isFirst={!isNew}
        {...form.getInputProps('password')}
      />
    </Form>
  )
}
