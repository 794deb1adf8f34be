import { CreditCardIcon } from '@heroicons/react/20/solid'
import { Alert, Badge, Button, Group, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Empty } from '../core/empty.tsx'
import { showNotice } from '../core/notice.ts'
import { Page, Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { Loading } from '../core/states.tsx'
import { day } from '../core/time.ts'
import { useProject } from '../projects/project.ts'
import { BuyerForm } from './buyer.tsx'
import { ConfirmStep, currencyOf } from './confirm-step.tsx'
import { LedgerTable } from './ledger-table.tsx'
import { isAwaited, PaymentReturn, usePaymentReturn } from './payment-return.tsx'
import { Plans } from './plans.tsx'
import { type Billing, billingQuery, money } from './queries.ts'
import { TopUp } from './top-up.tsx'

/**
 * The page polls this often for a payment. A gateway confirms within seconds; a bank transfer takes days, and
 * nobody waits for it on the page.
 */
const maxLooks = 60

export default function BillingPage() {
  const { id } = useProject()
  const { paid } = usePaymentReturn()
  const { data: billing } = useQuery({
    ...billingQuery(id),
    refetchInterval: ({ state }) => state.dataUpdateCount < maxLooks && isAwaited(state.data, paid) && 2_000,
  })
  return (
    <Page title={pageText.billing.title} about={pageText.billing.about}>
      {billing === undefined && <Loading />}
      {billing === null && (
        <Empty icon={CreditCardIcon} title={pageText.billing.off} about={pageText.billing.offAbout} />
      )}
      {billing && (
        <>
          <PaymentReturn billing={billing} />
          <Current billing={billing} />
          <Plans billing={billing} />
          <TopUp billing={billing} />
          <BuyerForm billing={billing} />
          <LedgerTable />
        </>
      )}
    </Page>
  )
}

function useRenewal({ expires_at, renewal }: Billing) {
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
        api.POST('/projects/{project_id}/billing/renew', {
          params,
          body: { expires_at: expires_at ?? '', amount: renewal?.amount ?? 0 },
        }),
      ),
    refresh,
    onDone: () => showNotice(pageText.billing.renewed),
  })
  return { turn, renew }
}

function Current({ billing }: { billing: Billing }) {
  const { turn, renew } = useRenewal(billing)
  const [isAsking, setAsking] = useState(false)
  const { plan_name, is_trial, expires_at, auto_renew, balance, currency, tickets, renewal } = billing
  return (
    <Section
      title={pageText.billing.plan}
      actions={
        renewal && (
          <Button variant="default" loading={renew.isPending} onClick={() => setAsking(true)}>
            {pageText.billing.renew}
          </Button>
        )
      }
    >
      <Group gap={8}>
        <Text fw={600}>{plan_name}</Text>
        {is_trial && <Badge variant="default">{pageText.billing.trial}</Badge>}
      </Group>
      <Text>{expires_at ? pageText.billing.until(day(expires_at)) : pageText.billing.endless}</Text>
      <Text>{pageText.billing.tickets(tickets.used, tickets.limit)}</Text>
      <Text>{pageText.billing.seats(billing.operator_seats)}</Text>
      <Text fw={550}>{pageText.billing.balanceIs(money(balance, currency))}</Text>
      <Next billing={billing} />
      {auto_renew !== null && (
        <Switch
          mt="sm"
          label={pageText.billing.autoRenew}
          checked={turn.isPending ? turn.variables : auto_renew}
          onChange={event => turn.mutate(event.currentTarget.checked)}
        />
      )}
      <ConfirmStep
        billing={billing}
        step={isAsking ? renewal : null}
        title={pageText.billing.renewTitle}
        action={() => pageText.billing.renew}
        run={() => renew.mutate()}
        onClose={() => setAsking(false)}
      />
    </Section>
  )
}

/** What happens at the end of the period, as things are now. */
function Next({ billing }: { billing: Billing }) {
  const { next } = billing
  if (!next?.at) return null
  const show = (amount: number) => money(amount, currencyOf(billing, next))
  const about = pageText.billing.comesNext[next.reason]({
    plan: next.plan_name,
    day: day(next.at),
    price: next.amount ? show(next.amount) : null,
    balance: show(next.balance_after),
    shortfall: show(next.shortfall ?? 0),
  })
  if (next.reason !== 'balance_low') return <Text mt="xs">{about}</Text>
  return (
    <Alert mt="sm" color="red">
      {about}
    </Alert>
  )
}
