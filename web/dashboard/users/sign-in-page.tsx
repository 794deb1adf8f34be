import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { queryClient } from '../core/query.ts'
import { ForgottenPassword } from './forgotten-password.tsx'
import { Frame } from './frame.tsx'
import { connect, isUnconnected, ProviderFailed } from './provider.tsx'
import { SignIn } from './sign-in.tsx'

const route = getRouteApi('/sign-in')

/** Allows only our own paths, so that a link to sign in cannot lead to another site. */
export const safeNext = (next: string | undefined): string =>
  next && URL.parse(next, location.origin)?.origin === location.origin && next.startsWith('/') ? next : '/'

export default function SignInPage() {
  const { next, error, step } = route.useSearch()
  const [isForgotten, setForgotten] = useState(false)
  const router = useRouter()
  const navigate = useNavigate()
  const enter = async () => {
    queryClient.clear()
    // An account that is not connected to the provider is connected by signing in here once.
    if (isUnconnected(error)) return connect(safeNext(next))
    await navigate({ href: safeNext(next), replace: true })
    await router.invalidate()
  }
  if (isForgotten) return <ForgottenPassword onBack={() => setForgotten(false)} />
  return (
    <Frame title={pageText.users.signInTo} about={pageText.users.aboutProduct}>
      {error && <ProviderFailed code={error} />}
      <SignIn
        next={safeNext(next)}
        onFailure={next ? `/sign-in?next=${encodeURIComponent(next)}` : undefined}
        isSecond={step === 'second'}
        onDone={enter}
        onForgot={() => setForgotten(true)}
      />
    </Frame>
  )
}
