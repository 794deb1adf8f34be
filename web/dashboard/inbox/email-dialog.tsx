import { Anchor, Button, Checkbox, Group, Modal, Stack, Table, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ThreadReason, ThreadWarning } from '../../../src/mail/choose-ticket.ts'
import type { MailClass } from '../../../src/mail/classify.ts'
import { useReturnFocus } from '../core/return-focus.ts'
import { text } from '../core/text.ts'
import { openEmailDialog, useEmailDialog } from '../messages/editing.ts'
import classes from '../messages/email.module.css'
import { type Email, emailQuery, messageUrl } from '../messages/email-queries.ts'
import { EmailSource } from '../messages/email-source.tsx'
import type { Message } from '../messages/queries.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { askToBlock } from '../senders/blocking.ts'
import { ticketQuery } from '../tickets/queries.ts'
import { useInboxPlace } from './inbox.ts'
import { mergeInto, splitOff } from './merge.ts'

const close = () => openEmailDialog(null)

/** Why an email is in its ticket, or its headers and source. */
export default function EmailDialog() {
  const asked = useEmailDialog()
  const email = asked?.message.email
  useReturnFocus(Boolean(email))
  const isWhy = asked?.kind === 'why'
  return (
    <Modal
      opened={Boolean(email)}
      onClose={close}
      title={isWhy ? text.email.why : text.email.source}
      size={isWhy ? 'md' : 'xl'}
    >
      {asked && email && (isWhy ? <Why message={asked.message} email={email} /> : <Source {...asked} />)}
    </Modal>
  )
}

/** The compiler finds a missing text. */
const reasons: Record<ThreadReason | 'forwarded', string> = text.email.reasons
const warningTexts: Record<ThreadWarning, string> = text.email.warnings
const classTexts: Record<MailClass, string> = text.email.classes

/** This version of the dashboard may not know the word. */
const wordOf = (words: Record<string, string>, key: string, other: string): string => words[key] ?? other

function Why({ message, email }: { message: Message; email: Email }) {
  const { thread_reason, thread_evidence, warnings, related_ticket_id } = email
  const evidence = thread_evidence?.slice(thread_evidence.indexOf(': ') + 2)
  return (
    <Stack gap="sm">
      <Text>{wordOf(reasons, thread_reason, text.email.reasonOther)}</Text>
      {evidence && thread_reason !== 'reply_token' && (
        <Text size="sm" c="dimmed" className={classes.evidence}>
          {text.email.evidence(evidence)}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {text.email.kind(wordOf(classTexts, email.class, email.class))}
      </Text>
      {warnings.map(warning => (
        <p key={warning} className={classes.warning}>
          {wordOf(warningTexts, warning, warning)}
        </p>
      ))}
      {related_ticket_id && <Related message={message} id={related_ticket_id} />}
      <SplitOff message={message} />
      {email.from && message.sender_type === 'contact' && <BlockButton address={email.from} />}
    </Stack>
  )
}

/** The ticket that the email refers to. */
function Related({ message, id }: { message: Message; id: string }) {
  const { openTicket } = useInboxPlace()
  const { data: ticket } = useQuery(ticketQuery(message.workspace_id, id))
  const { data: own } = useQuery(ticketQuery(message.workspace_id, message.ticket_id))
  if (!ticket || !own) return null
  const show = (event: React.MouseEvent) => {
    event.preventDefault()
    close()
    void openTicket(ticket.short_id)
  }
  const add = () => {
    close()
    void mergeInto(own, ticket, openTicket)
  }
  return (
    <Group justify="space-between">
      <Anchor size="sm" href={`#${ticket.short_id}`} onClick={show} dir="auto">
        {text.email.related(ticket.short_id, ticket.subject ?? '')}
      </Anchor>
      <Button size="xs" onClick={add}>
        {text.email.addTo(ticket.short_id)}
      </Button>
    </Group>
  )
}

function SplitOff({ message }: { message: Message }) {
  const { openTicket } = useInboxPlace()
  const [hasLater, setHasLater] = useState(false)
  const run = () => {
    close()
    void splitOff(message, hasLater, openTicket)
  }
  return (
    <Group justify="space-between">
      <Checkbox
        label={text.email.splitLater}
        checked={hasLater}
        onChange={event => setHasLater(event.currentTarget.checked)}
      />
      <Button size="xs" variant="default" onClick={run}>
        {text.email.splitOff}
      </Button>
    </Group>
  )
}

function BlockButton({ address }: { address: string }) {
  const { role } = useProject()
  if (!mayDo(role, 'admin')) return null
  const ask = () => {
    close()
    askToBlock(address)
  }
  return (
    <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={ask}>
      {text.email.block}
    </Button>
  )
}

function Source({ message }: { message: Message }) {
  const { data: details } = useQuery(emailQuery(message))
  return (
    <Tabs defaultValue="headers">
      <Tabs.List mb="sm">
        <Tabs.Tab value="headers">{text.email.headers}</Tabs.Tab>
        <Tabs.Tab value="source">{text.email.raw}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="headers">
        <Table className={classes.headers} layout="fixed" verticalSpacing={4}>
          <Table.Tbody>
            {details?.headers.map(({ name, value }, at) => (
              <Table.Tr key={`${name} ${at}`}>
                <Table.Th w="30%">{name}</Table.Th>
                <Table.Td dir="auto">{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Tabs.Panel>
      <Tabs.Panel value="source">
        {details?.has_raw === false && <Text>{text.email.rawNone}</Text>}
        {details?.has_raw && <EmailSource url={messageUrl(message, 'raw')} />}
      </Tabs.Panel>
    </Tabs>
  )
}
