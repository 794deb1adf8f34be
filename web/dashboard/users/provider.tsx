import { Alert, Badge, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { asFailure } from '../core/failure.ts'
import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { auth, takeAuth } from './auth.ts'
import { useMe } from './me.ts'
import { loginsQuery, signInMethodsQuery } from './queries.ts'

/** Signing in at the company's own provider, and connecting an account to it. */

const provider = 'oidc'

interface WayProps {
  /** The path to return to. */
  next?: string
  /** The path to return to after a failure. */
  onFailure?: string
}

export function ProviderButton({ next = '/', onFailure = '/sign-in' }: WayProps) {
  const { data } = useQuery(signInMethodsQuery)
  const signIn = useMutation({
    mutationFn: () =>
      takeAuth(() => auth.signIn.social({ provider, callbackURL: next, errorCallbackURL: onFailure })),
    meta: { isForm: true },
  })
  if (!data?.oidc_name) return null
  return (
    <>
      <Button
        variant={data.takes_passwords ? 'default' : 'filled'}
        fullWidth
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {pageText.users.withProvider(data.oidc_name)}
      </Button>
      {signIn.error && (
        <ProviderFailed code={asFailure(signIn.error).code} otherwise={signIn.error.message} />
      )}
    </>
  )
}

/** Shows only our own texts. Only the error code is taken from the URL, which others can write. */
export function ProviderFailed({ code, otherwise }: { code: string; otherwise?: string }) {
  const { data } = useQuery(signInMethodsQuery)
  if (!data) return null
  const name = data.oidc_name ?? ''
  const isDeadEnd = isUnconnected(code) && !data.takes_passwords
  const words = pageText.provider.failures[isDeadEnd ? 'email_not_verified' : code]
  const shown = /^\w{1,60}$/.test(code) ? code : '?'
  return (
    <Alert color="red" role="alert" mb="md">
      {words?.(name) ?? otherwise ?? pageText.provider.failed(name, shown)}
    </Alert>
  )
}

/** Connects a signed-in account to the provider. */
export const connect = (next: string, onFailure = '/account/security') =>
  takeAuth(() => auth.linkSocial({ provider, callbackURL: next, errorCallbackURL: onFailure }))

/** Whether the account must be connected by signing in here once. */
export const isUnconnected = (error: string | undefined): boolean => error === 'account_not_linked'

/** Shows whether one's account is connected, and lets the person change that. */
export function ProviderSettings() {
  const { user } = useMe()
  const { data: methods } = useQuery(signInMethodsQuery)
  const { data: logins } = useQuery(loginsQuery)
  const begin = useChange({ send: () => connect('/account/security') })
  const end = useChange({
    send: (accountId: string) => takeAuth(() => auth.unlinkAccount({ accountId })),
    refresh: [loginsQuery.queryKey],
    onDone: () => showNotice(pageText.provider.disconnected),
  })
  if (!methods?.oidc_name || !logins) return null
  const login = logins.find(({ providerId }) => providerId === provider)
  const state = (
    <Badge variant="light" color={login ? 'green' : 'gray'}>
      {login ? pageText.provider.connected : pageText.provider.notConnected}
    </Badge>
  )
  return (
    <Section title={methods.oidc_name} about={pageText.provider.about(methods.oidc_name)} actions={state}>
      {!login && (
        <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {pageText.provider.connect}
        </Button>
      )}
      {login && user.has_password && methods.takes_passwords && (
        <Button variant="subtle" color="red" loading={end.isPending} onClick={() => end.mutate(login.id)}>
          {pageText.provider.disconnect}
        </Button>
      )}
    </Section>
  )
}
