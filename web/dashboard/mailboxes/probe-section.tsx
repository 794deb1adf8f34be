import { Alert, Badge, Button, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { wordFault } from '../channels/channel-state.tsx'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { showSaved, useChange } from '../core/query.ts'
import { Row, Rows } from '../core/rows.tsx'
import { useProject } from '../projects/project.ts'
import { type Mailbox, mailboxPath, probeQuery } from './queries.ts'

type Probe = NonNullable<Shape<'MailboxProbe'>['probe']>

/** The test email from the mailbox to itself, and its result. */
export function ProbeSection({ mailbox }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const client = useQueryClient()
  const path = { project_id, mailbox_id: mailbox.id }
  const { data } = useQuery(probeQuery(path))
  const test = useChange({
    send: () => take(api.POST(`${mailboxPath}/probe`, { params: { path } })),
    onDone: found => showSaved(client, probeQuery(path).queryKey, found),
  })
  const { title, about, send, sendAgain } = pageText.mailboxTest
  return (
    <Section title={title} about={about(mailbox.address)}>
      <ProbeResult mailbox={mailbox} />
      <Button mt="md" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {data?.probe ? sendAgain : send}
      </Button>
    </Section>
  )
}

/** The result of the latest test email. */
export function ProbeResult({ mailbox }: { mailbox: Mailbox }) {
  const { id: project_id } = useProject()
  const { data } = useQuery(probeQuery({ project_id, mailbox_id: mailbox.id }))
  return <div aria-live="polite">{data?.probe && <Result probe={data.probe} mailbox={mailbox} />}</div>
}

function Result({ probe, mailbox }: { probe: Probe; mailbox: Mailbox }) {
  const { failed, waiting, plus } = pageText.mailboxTest
  if (probe.error)
    return (
      <Alert color="red" title={failed}>
        {wordFault(pageText.mailboxes, probe.error)}
      </Alert>
    )
  if (probe.state === 'waiting') return <Text size="sm">{waiting}</Text>
  return (
    <>
      <Arrival probe={probe} address={mailbox.address} />
      {(probe.round_trip !== null || probe.plus !== 'waiting') && (
        <Rows label={plus}>
          <PlusRow probe={probe} mailbox={mailbox} />
          {(probe.round_trip !== null || probe.authentication) && <ChecksRow probe={probe} />}
        </Rows>
      )}
    </>
  )
}

function Arrival({ probe: { state, round_trip }, address }: { probe: Probe; address: string }) {
  const { sent, arrived, arrivedAfter, notArrived, notArrivedAbout } = pageText.mailboxTest
  if (round_trip !== null)
    return (
      <Text size="sm" mb="xs">
        <strong>{arrived}</strong> {arrivedAfter(round_trip)}
      </Text>
    )
  if (state === 'sent')
    return (
      <Text size="sm" mb="xs">
        {sent}
      </Text>
    )
  return (
    <Alert color="red" title={notArrived}>
      {notArrivedAbout(address)}
    </Alert>
  )
}

function PlusRow({ probe: { plus, plus_refusal }, mailbox }: { probe: Probe; mailbox: Mailbox }) {
  const texts = pageText.mailboxTest
  const isMissing = plus === 'refused' || plus === 'not_arrived'
  const isMicrosoft = mailbox.imap?.oauth?.provider === 'microsoft'
  return (
    <Row aside={<Badge variant="default">{texts.plusStatuses[plus]}</Badge>}>
      <Text fw={550}>{texts.plus}</Text>
      <Text size="sm">{texts.plusAbouts[plus]()}</Text>
      {plus_refusal && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {texts.serverSays(plus_refusal)}
        </Text>
      )}
      {(isMissing || plus === 'too_long') && <Text size="sm">{texts.without}</Text>}
      {isMissing && <Text size="sm">{texts.plusGuides[isMicrosoft ? 'microsoft' : 'other']}</Text>}
    </Row>
  )
}

const methods = ['spf', 'dkim', 'dmarc'] as const

function ChecksRow({ probe: { authentication: found } }: { probe: Probe }) {
  const { checks, noChecks, checkedBy, checkedByUs, checkNames, verdicts, checksFailed } =
    pageText.mailboxTest
  const hasFailed = found !== null && methods.some(method => found[method] === 'fail')
  return (
    <Row>
      <Text fw={550}>{checks}</Text>
      {!found && <Text size="sm">{noChecks}</Text>}
      {found && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {found.server === null ? checkedByUs : checkedBy(found.server)}{' '}
          {methods.map(method => `${checkNames[method]} ${verdicts[found[method]]}`).join(', ')}
        </Text>
      )}
      {hasFailed && <Text size="sm">{checksFailed}</Text>}
    </Row>
  )
}
