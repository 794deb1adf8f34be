import { FingerPrintIcon } from '@heroicons/react/20/solid'
import { Alert, Anchor, Button, Divider, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../core/failure.ts'
import { Form, useSending } from '../core/form.tsx'
import { pageText } from '../core/page-text.ts'
import { auth, takeAuth } from './auth.ts'
import { ProviderButton } from './provider.tsx'
import { signInMethodsQuery } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'

export interface SignInProps {
  /** The account that must sign in; it cannot be changed. */
  email?: string
  onDone(): void
  onForgot?(): void
  /** The paths to return to from the provider, after a success and after a failure. */
  next?: string
  onFailure?: string
  /** Whether the password was already entered elsewhere. */
  isSecond?: boolean
}

/** All ways to sign in, including the second factor. */
export function SignIn(props: SignInProps) {
  const [isSecond, setSecond] = useState(props.isSecond ?? false)
  const { data: methods, isPending } = useQuery(signInMethodsQuery)
  if (isSecond) return <SecondFactor onDone={props.onDone} onBack={() => setSecond(false)} />
  if (isPending) return null
  if (methods?.takes_passwords === false) return <OnlyProvider {...props} name={methods.oidc_name ?? ''} />
  return (
    <Stack gap="md">
      <WithPassword {...props} onSecond={() => setSecond(true)} />
      <Divider label={pageText.users.or} labelPosition="center" />
      <Stack gap="xs">
        <WithPasskey {...props} />
        <ProviderButton {...props} />
      </Stack>
    </Stack>
  )
}

function OnlyProvider({ name, ...props }: SignInProps & { name: string }) {
  return (
    <Stack gap="md">
      <Text c="dimmed">{pageText.provider.onlyWay(name)}</Text>
      <ProviderButton {...props} />
    </Stack>
  )
}

function WithPassword({ email, onDone, onForgot, onSecond }: SignInProps & { onSecond(): void }) {
  const sending = useSending({
    initialValues: { email: email ?? '', password: '' },
    validate: {
      email: value => (value.trim() ? null : pageText.users.emailNeeded),
      password: value => (value ? null : pageText.users.passwordNeeded),
    },
    send: ({ email, password }) => takeAuth(() => auth.signIn.email({ email: email.trim(), password })),
    onDone: answer => ('twoFactorRedirect' in answer && answer.twoFactorRedirect ? onSecond() : onDone()),
  })
  const { form } = sending
  return (
    <Form sending={sending} action={pageText.users.signIn} isWide>
      <TextInput
        label={pageText.users.email}
        type="email"
        autoComplete="username webauthn"
        readOnly={Boolean(email)}
        data-autofocus={!email || undefined}
        autoFocus={!email}
        {...form.getInputProps('email')}
      />
      <Stack gap={6}>
        <PasswordInput
          label={pageText.users.password}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': pageText.users.showPassword }}
          data-autofocus={email ? true : undefined}
          autoFocus={Boolean(email)}
          {...form.getInputProps('password')}
        />
        {onForgot && (
          <Group justify="flex-end">
            <Anchor component="button" type="button" size="sm" py={3} onClick={onForgot}>
              {pageText.users.forgot}
            </Anchor>
          </Group>
        )}
      </Stack>
    </Form>
  )
}

function WithPasskey({ onDone }: SignInProps) {
  const signIn = useMutation({
    mutationFn: () => takeAuth(() => auth.signIn.passkey()),
    meta: { isForm: true },
    onSuccess: onDone,
  })
  if (!('PublicKeyCredential' in window)) return null
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<FingerPrintIcon width={18} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {pageText.users.withPasskey}
      </Button>
      {signIn.error && (
        <Alert color="red" role="alert">
          {asFailure(signIn.error).message}
        </Alert>
      )}
    </>
  )
}
