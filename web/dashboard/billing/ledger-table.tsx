import { ArrowDownTrayIcon } from '@heroicons/react/20/solid'
import { Anchor, Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { day } from '../core/time.ts'
import { useProject } from '../projects/project.ts'
import { type Ledger, ledgerQuery, money } from './queries.ts'

const withReceipt = ['top_up', 'plan', 'refund']

export function LedgerTable() {
  const { id } = useProject()
  const { data: ledger } = useQuery(ledgerQuery(id))
  const base = `/api/dashboard/projects/${id}/billing`
  const csv = (
    <Button
      component="a"
      variant="default"
      leftSection={<ArrowDownTrayIcon width={16} aria-hidden />}
      href={`${base}/ledger.csv`}
    >
      {pageText.billing.csv}
    </Button>
  )
  return (
    <Section title={pageText.billing.ledger} actions={ledger?.items.length ? csv : null}>
      {ledger?.items.length === 0 && <Text c="dimmed">{pageText.billing.ledgerNone}</Text>}
      {ledger && ledger.items.length > 0 && <Entries ledger={ledger} base={base} />}
    </Section>
  )
}

function Entries({ ledger: { items, currency }, base }: { ledger: Ledger; base: string }) {
  const heads = [
    pageText.billing.date,
    pageText.billing.what,
    pageText.billing.amount,
    pageText.billing.balance,
  ]
  return (
    <Table.ScrollContainer
      minWidth={420}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: 'region', 'aria-label': pageText.billing.ledger },
      }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            {heads.map(head => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ seq, created_at, cause, note, amount, balance_after }) => (
            <Table.Tr key={seq}>
              <Table.Td>{day(created_at)}</Table.Td>
              <Table.Td>
                {withReceipt.includes(cause) ? (
                  <Anchor href={`${base}/receipts/${seq}`} aria-label={pageText.billing.receipt(seq)}>
                    {pageText.billing.causes[cause] ?? cause}
                  </Anchor>
                ) : (
                  (pageText.billing.causes[cause] ?? cause)
                )}
                {note && <Text size="sm">{pageText.billing.notes[note] ?? note}</Text>}
              </Table.Td>
              <Table.Td>{money(amount, currency)}</Table.Td>
              <Table.Td>{money(balance_after, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
