import { Button, Select, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { ImapStep } from './imap-step.tsx'
import { ListenStep } from './listen-step.tsx'
import { OauthStep } from './oauth-step.tsx'
import type { DetectedServer, Mailbox } from './queries.ts'

export interface ServerStepProps {
  server: DetectedServer
  onDone(made: Mailbox): void
  back: ReactNode
}

interface Props extends Omit<ServerStepProps, 'back'> {
  /** Whether the sign-in is selected initially. */
  isSignIn: boolean
  onBack(): void
}

/** Asks how email reaches Deskbell. The mailbox is stored only after a successful test. */
export function ServerStep({ server, isSignIn, onBack, onDone }: Props) {
  const [way, setWay] = useState<keyof typeof pageText.mailboxes.ways>(isSignIn ? 'oauth' : 'imap')
  const { ways, way: label, found, notFound, providers, changeAddress } = pageText.mailboxes
  const props = {
    server,
    onDone,
    back: (
      <Button variant="default" onClick={onBack}>
        {changeAddress}
      </Button>
    ),
  }
  return (
    <>
      <Text mb="md">
        {server.provider ? found(server.address, providers[server.provider]) : notFound(server.address)}
      </Text>
      <Select
        label={label}
        allowDeselect={false}
        maw={420}
        mb="md"
        value={way}
        onChange={value => setWay(value as typeof way)}
        data={Object.entries(ways).map(([value, name]) => ({ value, label: name }))}
      />
      {way === 'imap' && <ImapStep {...props} />}
      {way === 'oauth' && <OauthStep {...props} />}
      {way === 'listen' && <ListenStep {...props} />}
    </>
  )
}
