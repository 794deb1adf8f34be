import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { setAccent } from '../core/accent.ts'
import { asFailure, type Failure } from '../core/failure.ts'
import { pageText } from '../core/page-text.ts'
import { queryClient } from '../core/query.ts'
import { Broken, Loading } from '../core/states.tsx'
import { text } from '../core/text.ts'
import { Accept } from './accept.tsx'
import { Frame } from './frame.tsx'
import { JoinKnown } from './join-known.tsx'
import { rememberProject } from './open-project.ts'
import { isUnconnected, ProviderButton, ProviderFailed } from './provider.tsx'
import { linkQuery, type ShownLink, signInMethodsQuery } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'

const route = getRouteApi('/link/$token')

/** The page of a personal link: creates an account, joins a project or sets a new password. */
export default function LinkPage() {
  const { token } = route.useParams()
  const { data: link, error, refetch } = useQuery(linkQuery(token))
  if (error) return <Refused failure={asFailure(error)} retry={refetch} />
  if (!link) return <Loading />
  return <Open link={link} token={token} />
}

function Open({ link, token }: { link: ShownLink; token: string }) {
  const { join = false, error } = route.useSearch()
  const [isSecond, setSecond] = useState(false)
  const navigate = useNavigate()
  const enter = async () => {
    queryClient.clear()
    // To the project of the link, not to the one that was open last.
    if (link.project) rememberProject(link.project.id)
    await navigate({ to: '/', replace: true })
  }
  const { title, about } = wordsOf(link)
  const color = link.project?.color ?? null
  useEffect(() => setAccent(color), [color])
  if (isSecond) {
    return (
      <Frame title={title}>
        <SecondFactor onDone={enter} onBack={() => navigate({ to: '/sign-in' })} />
      </Frame>
    )
  }
  const done = (isSignedIn: boolean) => (isSignedIn ? enter() : setSecond(true))
  return (
    <Frame title={title} about={about}>
      {error && <ProviderFailed code={error} />}
      {link.purpose !== 'reset' && (link.has_account || join) ? (
        <JoinKnown link={link} token={token} joins={join} connects={isUnconnected(error)} onDone={enter} />
      ) : (
        <NewHere link={link} token={token} onDone={done} />
      )}
    </Frame>
  )
}

interface NewHereProps {
  link: ShownLink
  token: string
  onDone(isSignedIn: boolean): void
}

/** Creates an account, or uses the one of the provider. */
function NewHere({ link, token, onDone }: NewHereProps) {
  const { data: methods } = useQuery(signInMethodsQuery)
  if (!methods) return null
  const accept = <Accept link={link} token={token} onDone={onDone} />
  if (!methods.oidc_name || link.purpose === 'reset') return accept
  const button = <ProviderButton next={`/link/${token}?join=true`} onFailure={`/link/${token}`} />
  if (!methods.takes_passwords) return button
  return (
    <Stack gap="md">
      {accept}
      <Divider label={pageText.users.or} labelPosition="center" />
      {button}
    </Stack>
  )
}

function wordsOf({ purpose, project, email }: ShownLink): { title: string; about: string } {
  const name = project?.name ?? text.shell.product
  if (purpose === 'set_up')
    return { title: pageText.users.setUpTitle, about: pageText.users.setUpAbout(name) }
  if (purpose === 'invite')
    return { title: pageText.users.inviteTitle(name), about: pageText.users.inviteAbout }
  return { title: pageText.users.resetTitle, about: pageText.users.resetChosen(email ?? '') }
}

function Refused({ failure, retry }: { failure: Failure; retry(): unknown }) {
  const advice = pageText.users.linkAdvice[failure.code]
  const navigate = useNavigate()
  if (!advice) return <Broken error={failure} reset={() => void retry()} />
  return (
    <Frame title={pageText.users.linkTitle}>
      <Stack gap="lg">
        <Text>{advice}</Text>
        <Group>
          <Button onClick={() => navigate({ to: '/sign-in' })}>{pageText.users.toSignIn}</Button>
        </Group>
      </Stack>
    </Frame>
  )
}
