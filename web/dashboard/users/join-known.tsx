import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { FailureWords } from '../core/failure-words.tsx'
import { pageText } from '../core/page-text.ts'
import { auth, takeAuth } from './auth.ts'
import { connect } from './provider.tsx'
import type { ShownLink } from './queries.ts'
import { userKeys } from './query-keys.ts'
import { SignIn } from './sign-in.tsx'

interface Props {
  link: ShownLink
  token: string
  /** Whether the person has just signed in to join. */
  joins: boolean
  /** Whether signing in here also connects the account to the provider. */
  connects: boolean
  onDone(): void
}

/** Lets a person with an account join, whether already signed in or not. */
export function JoinKnown({ link, token, joins, connects, onDone }: Props) {
  const [isOther, setOther] = useState(false)
  const { data: session, isPending } = useQuery({
    queryKey: userKeys.session(),
    queryFn: () => takeAuth(() => auth.getSession()),
  })
  const join = useMutation({
    mutationFn: () => take(api.POST('/links/{token}', { params: { path: { token } }, body: {} })),
    meta: { isForm: true },
    onSuccess: onDone,
  })
  const isBack = joins && Boolean(session)
  const { mutate } = join
  useEffect(() => {
    if (isBack) mutate()
  }, [isBack, mutate])
  const back = `${location.pathname}?join=true`
  if (isPending || (isBack && !join.error)) return null
  const failed = join.error && (
    <Alert color="red" role="alert">
      <FailureWords failure={asFailure(join.error)} />
    </Alert>
  )
  if (session && !isOther) {
    return (
      <Stack gap="md">
        {failed}
        <Text>{pageText.users.inviteJoin(session.user.name)}</Text>
        <Button onClick={() => join.mutate()} loading={join.isPending}>
          {pageText.users.join}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setOther(true)}>
          {pageText.users.other}
        </Button>
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      {failed}
      {link.email && <Text>{pageText.users.inviteKnown(link.email)}</Text>}
      <SignIn
        email={isOther ? undefined : (link.email ?? undefined)}
        onDone={() => (connects ? connect(back, location.pathname) : join.mutate())}
        next={back}
        onFailure={location.pathname}
      />
    </Stack>
  )
}
