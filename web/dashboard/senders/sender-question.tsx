import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { useProject } from '../projects/project.ts'
import { isPublicDomain } from './public-domains.ts'
import { type SenderVerdict, setSenderRule } from './queries.ts'
import { senderKeys } from './query-keys.ts'

export interface SenderChoice {
  address: string
  verdict: SenderVerdict
  /** Whether the whole domain is selected initially. */
  isDomain: boolean
}

/** Says what a sender rule will do, before it is made. */
export function SenderQuestion({ choice, onClose }: { choice: SenderChoice; onClose(): void }) {
  const { id: projectId } = useProject()
  const { address, verdict } = choice
  const [isDomain, setDomain] = useState(choice.isDomain)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const pattern = isDomain ? domain : address
  const words = pageText.senderRules
  const setting = useChange({
    send: () => setSenderRule(projectId, { pattern, verdict }),
    refresh: [senderKeys.rules(projectId)],
    onDone: () => {
      showNotice(words.done[verdict](pattern))
      onClose()
    },
  })
  return (
    <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text>{words.effects[verdict](pattern)}</Text>
      <Checkbox
        label={words.wholeDomain(domain)}
        checked={isDomain}
        onChange={event => setDomain(event.currentTarget.checked)}
      />
      {isDomain && verdict === 'blocked' && isPublicDomain(domain) && (
        <Alert color="yellow" role="alert">
          {words.publicDomain(domain)}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {words.undoAbout}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} autoFocus data-autofocus>
          {text.shell.cancel}
        </Button>
        <Button
          color={verdict === 'blocked' ? 'red' : undefined}
          loading={setting.isPending}
          onClick={() => setting.mutate()}
        >
          {words.run[verdict]}
        </Button>
      </Group>
    </Stack>
  )
}
