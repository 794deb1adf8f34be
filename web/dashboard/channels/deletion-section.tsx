import { Button, List, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../core/confirm.tsx'
import { Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import type { Key } from '../core/query-key.ts'

interface Props {
  /** The dialog lists `removeEffects`. */
  words: { remove: string; removeAbout: string; removeEffects?: string[] }
  /** The question that is asked first. */
  question: string
  keys: { row: Key; list: Key }
  /** The page that is shown afterwards. */
  back: string
  send(): Promise<unknown>
}

/** Deletes a mailbox, a bot or a custom channel. */
export function DeletionSection({ words, question, keys, back, send }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const remove = useChange({
    send,
    async onDone() {
      await navigate({ to: back })
      client.removeQueries({ queryKey: keys.row })
      void client.invalidateQueries({ queryKey: keys.list })
    },
  })
  const { remove: label, removeAbout, removeEffects } = words
  return (
    <Section title={label} about={removeAbout}>
      <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={question}
        about={removeAbout}
        action={label}
        run={() => remove.mutate()}
      >
        {removeEffects && <Effects effects={removeEffects} />}
      </Confirm>
    </Section>
  )
}

const Effects = ({ effects }: { effects: string[] }) => (
  <List size="sm" spacing={4}>
    {effects.map(effect => (
      <List.Item key={effect}>
        <Text size="sm">{effect}</Text>
      </List.Item>
    ))}
  </List>
)
