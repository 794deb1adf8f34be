import { CreditCardIcon } from '@heroicons/react/20/solid'
import { Alert, Badge, Button, Group, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Empty } from '../core/empty.tsx'
import { tell } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { useChange } from '../core/query.ts'
import { text } from '../core/text.ts'
import { day } from '../core/time.ts'
import { useProject } from '../projects/project.ts'
import { Loading } from '../shell/states.tsx'
import { LedgerTable } from './ledger-table.tsx'
import { Plans } from './plans.tsx'
import { type Billing, billingQuery, money } from './queries.ts'
import { TopUp } from './top-up.tsx'

export default function BillingPage() {
  const { id } = useProject()
  const { data: billing } = useQuery(billingQuery(id))
  return (
    <Page title={text.billing.title} about={text.billing.about}>
      {billing === undefined && <Loading />}
      {billing === null && (
        <Empty icon={CreditCardIcon} title={text.billing.off} about={text.billing.offAbout} />
      )}
      {billing && (
        <>
          <Current billing={billing} />
          <Plans billing={billing} />
          <TopUp billing={billing} />
          <LedgerTable />
        </>
      )}
    </Page>
  )
}

function useRenewal({ expires_at }: Billing) {
  const { id: project_id } = useProject()
  const params = { path: { project_id } }
  const refresh = [billingQuery(project_id).queryKey]
  const turn = useChange({
    send: (auto_renew: boolean) =>
      take(api.PATCH('/projects/{project_id}/billing', { params, body: { auto_renew } })),
    refresh,
  })
  const renew = useChange({
    send: () =>
      take(
        api.POST('/projects/{project_id}/billing/renew', { params, body: { expires_at: expires_at ?? '' } }),
      ),
    refresh,
    onDone: () => tell(text.billing.renewed),
  })
  return { turn, renew }
}

function Current({ billing }: { billing: Billing }) {
  const { turn, renew } = useRenewal(billing)
  const { plan_name, is_trial, expires_at, auto_renew, balance, currency, shortfall, tickets } = billing
  return (
    <Section
      title={text.billing.plan}
      actions={
        expires_at && (
          <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
            {text.billing.renew}
          </Button>
        )
      }
    >
      <Group gap={8}>
        <Text fw={600}>{plan_name}</Text>
        {is_trial && <Badge variant="default">{text.billing.trial}</Badge>}
      </Group>
      <Text>{expires_at ? text.billing.until(day(expires_at)) : text.billing.endless}</Text>
      <Text>{text.billing.tickets(tickets.used, tickets.limit)}</Text>
      <Text>{text.billing.seats(billing.operator_seats)}</Text>
      <Text fw={550}>{text.billing.balanceIs(money(balance, currency))}</Text>
      {shortfall !== null && (
        <Alert mt="sm" color="red">
          {text.billing.shortfall(money(shortfall, currency))}
        </Alert>
      )}
      {auto_renew !== null && (
        <Switch
          mt="sm"
          label={text.billing.autoRenew}
          checked={turn.isPending ? turn.variables : auto_renew}
          onChange={event => turn.mutate(event.currentTarget.checked)}
        />
      )}
    </Section>
  )
}
