import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { pageText } from '../core/page-text.ts'
import { type SenderChoice, SenderQuestion } from './sender-question.tsx'

/** Blocks or allows the sender of a logged email. */
export function SenderButtons({ address }: { address: string }) {
  const [choice, setChoice] = useState<SenderChoice | null>(null)
  if (choice) return <SenderQuestion choice={choice} onClose={() => setChoice(null)} />
  const { blockSender, blockDomain, allowSender } = pageText.senderRules
  const offer = (label: string, verdict: SenderChoice['verdict'], isDomain = false) => (
    <Button variant="default" size="xs" onClick={() => setChoice({ address, verdict, isDomain })}>
      {label}
    </Button>
  )
  return (
    <Group gap="xs">
      {offer(blockSender, 'blocked')}
      {offer(blockDomain, 'blocked', true)}
      {offer(allowSender, 'allowed')}
    </Group>
  )
}
