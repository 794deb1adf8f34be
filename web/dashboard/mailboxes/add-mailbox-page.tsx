import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useProject } from '../projects/project.ts'
import { AddressStep } from './address-step.tsx'
import { ArrivalStep } from './arrival-step.tsx'
import type { DetectedServer, Mailbox } from './queries.ts'
import { ServerStep } from './server-step.tsx'

/** Adds a mailbox: its address, its server, and a first email. */
export default function AddMailboxPage() {
  const back = `/p/${useProject().id}/settings/mailboxes`
  const [server, setServer] = useState<DetectedServer | null>(null)
  const [made, setMade] = useState<Mailbox | null>(null)
  const { add, back: backLabel, step } = pageText.mailboxes
  const current = made ? 3 : server ? 2 : 1
  return (
    <Page
      title={add}
      about={<Anchor renderRoot={props => <Link to={back} {...props} />}>{backLabel}</Anchor>}
    >
      <Section title={step(current)}>
        {made && <ArrivalStep mailbox={made} />}
        {!made && server && (
          <ServerStep key={server.address} server={server} onBack={() => setServer(null)} onDone={setMade} />
        )}
        {!made && !server && <AddressStep onDone={setServer} />}
      </Section>
    </Page>
  )
}
