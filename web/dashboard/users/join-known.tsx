import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { FailureWords } from '../core/failure-words.tsx'
import { text } from '../core/text.ts'
import { auth, takeAuth } from './auth.ts'
import type { ShownLink } from './queries.ts'
import { SignIn } from './sign-in.tsx'

interface Props {
  link: ShownLink
  token: string
  onDone(): void
}

/** Whoever has an account joins with it: signed in already, or signing in now. */
export function JoinKnown({ link, token, onDone }: Props) {
  const [isOther, setOther] = useState(false)
  const { data: session, isPending } = useQuery({
    queryKey: ['session'],
    queryFn: () => takeAuth(() => auth.getSession()),
  })
  const join = useMutation({
    mutationFn: () => take(api.POST('/links/{token}', { params: { path: { token } }, body: {} })),
    meta: { isForm: true },
    onSuccess: onDone,
  })
  if (isPending) return null
  const failed = join.error && (
    <Alert color="red" role="alert">
      <FailureWords failure={asFailure(join.error)} />
    </Alert>
  )
  if (session && !isOther) {
    return (
      <Stack gap="md">
        {failed}
        <Text>{text.users.inviteJoin(session.user.name)}</Text>
        <Button onClick={() => join.mutate()} loading={join.isPending}>
          {text.users.join}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setOther(true)}>
          {text.users.other}
        </Button>
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      {failed}
      <Text>{text.users.inviteKnown(link.email ?? '')}</Text>
      <SignIn
        email={isOther ? undefined : (link.email ?? undefined)}
        onDone={() => join.mutate()}
        next={location.pathname}
      />
    </Stack>
  )
}
