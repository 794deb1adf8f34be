import { Alert, Anchor, Button, Group, Loader, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { asFailure } from '../core/failure.ts'
import { FailureWords } from '../core/failure-words.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { finishSignIn, type SignInResult, type SignInReturn } from './queries.ts'
import { TrialResult } from './trial-result.tsx'

/** The router may rewrite numbers in the address, so the parameters are read from the requested address. */
function readReturn(): SignInReturn | null {
  const [entry] = performance.getEntriesByType('navigation')
  const { searchParams } = new URL(entry?.name ?? location.href, location.href)
  const { state, code, error, iss } = Object.fromEntries(searchParams)
  return state ? { state, ...(code && { code }), ...(error && { error }), ...(iss && { iss }) } : null
}

/** Where the provider sends people back. */
export default function SignedInPage() {
  const { id: project_id } = useProject()
  const [returned] = useState(readReturn)
  const { signInTitle, finishing, back, nothingToFinish } = pageText.mailboxes
  const { mutate, data, error } = useFinish(project_id)
  const isBegun = useRef(false)
  useEffect(() => {
    // In development, React runs effects twice, but a state works once.
    if (returned && !isBegun.current) mutate(returned)
    isBegun.current = true
  }, [returned, mutate])
  const list = `/p/${project_id}/settings/mailboxes`
  return (
    <Page
      title={signInTitle}
      about={<Anchor renderRoot={props => <Link to={list} {...props} />}>{back}</Anchor>}
    >
      <Section>
        {!returned && <Text>{nothingToFinish}</Text>}
        {returned && !data && !error && (
          <Group role="status">
            <Loader size="sm" aria-hidden />
            <Text>{finishing}</Text>
          </Group>
        )}
        {error && (
          <Alert color="red" role="alert">
            <FailureWords failure={asFailure(error)} />
          </Alert>
        )}
        {data && <Result list={list} result={data} />}
      </Section>
    </Page>
  )
}

/** The address is replaced, so that the code does not stay in the history. */
function useFinish(project_id: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (returned: SignInReturn) => finishSignIn(project_id, returned),
    meta: { isForm: true },
    onSuccess: ({ trial, mailbox_id, is_new }) => {
      const list = `/p/${project_id}/settings/mailboxes`
      if (!trial.ok || trial.sending?.ok === false)
        return void navigate({ to: `${list}/signed-in`, replace: true })
      if (!is_new) showNotice(pageText.mailboxes.signedIn)
      const href = is_new ? `${list}/add?mailbox=${mailbox_id}` : `${list}/${mailbox_id}`
      void navigate({ href, replace: true })
    },
  })
}

function Result({ list, result }: { list: string; result: SignInResult }) {
  const { trial, mailbox_id, authorize_url } = result
  const { toMailbox, changeSettings, tryAgain } = pageText.mailboxes
  const next = mailbox_id ? `${list}/${mailbox_id}` : `${list}/add?again=true`
  return (
    <div aria-live="polite">
      <TrialResult trial={trial} />
      <Group mt="md">
        {authorize_url && (
          <Button component="a" href={authorize_url}>
            {tryAgain}
          </Button>
        )}
        <Button variant="default" renderRoot={props => <Link to={next} {...props} />}>
          {mailbox_id ? toMailbox : changeSettings}
        </Button>
      </Group>
    </div>
  )
}
