import { Alert } from '@mantine/core'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { queryClient } from '../core/query.ts'
import { text } from '../core/text.ts'
import { Forgotten } from './forgotten.tsx'
import { Frame } from './frame.tsx'
import { SignIn } from './sign-in.tsx'

const route = getRouteApi('/sign-in')

/** Only a path of ours: nobody is led elsewhere by a link to the sign-in. */
export const safeNext = (next: string | undefined): string =>
  next && URL.parse(next, location.origin)?.origin === location.origin && next.startsWith('/') ? next : '/'

const errorOf = (error: string | undefined): string | null => {
  if (!error) return null
  return error === 'not_invited' ? text.users.notInvited : text.users.providerFailed
}

export default function SignInPage() {
  const { next, error } = route.useSearch()
  const [isForgotten, setForgotten] = useState(false)
  const router = useRouter()
  const navigate = useNavigate()
  const enter = async () => {
    queryClient.clear()
    await navigate({ href: safeNext(next), replace: true })
    await router.invalidate()
  }
  if (isForgotten) return <Forgotten onBack={() => setForgotten(false)} />
  return (
    <Frame title={text.users.signInTo} about={text.users.aboutProduct}>
      {error && (
        <Alert color="red" role="alert" mb="md">
          {errorOf(error)}
        </Alert>
      )}
      <SignIn next={safeNext(next)} onDone={enter} onForgot={() => setForgotten(true)} />
    </Frame>
  )
}
