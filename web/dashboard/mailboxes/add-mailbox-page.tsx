import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { Step } from '../core/step.tsx'
import { useProject } from '../projects/project.ts'
import { AddressStep } from './address-step.tsx'
import { ArrivalStep } from './arrival-step.tsx'
import { type DetectedServer, type Mailbox, mailboxQuery } from './queries.ts'
import { ServerStep } from './server-step.tsx'
import { readDraft } from './sign-in-draft.ts'

/** After a sign-in with the provider: the new mailbox, or whether the sign-in failed. */
interface Search {
  mailbox?: string
  again?: boolean
}

/** Adds a mailbox: its address, its server, and a first email. */
export default function AddMailboxPage() {
  const { id: project_id } = useProject()
  const { mailbox: mailbox_id = '', again = false } = useSearch({ strict: false }) as Search
  const draft = again ? readDraft(project_id) : null
  const [server, setServer] = useState<DetectedServer | null>(draft?.server ?? null)
  const [made, setMade] = useState<Mailbox | null>(null)
  const { data: connected = null } = useQuery({
    ...mailboxQuery({ project_id, mailbox_id }),
    enabled: mailbox_id !== '',
  })
  const { add, back: backLabel, step } = pageText.mailboxes
  const added = made ?? connected
  const current = added || mailbox_id ? 3 : server ? 2 : 1
  const back = `/p/${project_id}/settings/mailboxes`
  return (
    <Page
      title={add}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{backLabel}</Anchor>}
    >
      <Section title={step(current)}>
        <Step number={current} name={step(current)}>
          {current === 3 && (added ? <ArrivalStep mailbox={added} /> : <Loading />)}
          {current === 2 && server && (
            <ServerStep
              key={server.address}
              server={server}
              isSignIn={again || server.provider === 'microsoft'}
              onBack={() => setServer(null)}
              onDone={setMade}
            />
          )}
          {current === 1 && <AddressStep onDone={setServer} />}
        </Step>
      </Section>
    </Page>
  )
}
