import { Alert, Table } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../core/confirm.tsx'
import { pageText } from '../core/page-text.ts'
import { day } from '../core/time.ts'
import { type Billing, money, type Step } from './queries.ts'

interface Props {
  billing: Billing
  step: Step | null
  title(plan: string): string
  action(plan: string): string
  run(): void
  onClose(): void
}

/** Shows the charge, the remaining balance and the end date before anything happens. */
export function ConfirmStep({ billing, step: asked, title, action, run, onClose }: Props) {
  const step = useLast(asked)
  const isMissing = step !== null && step.shortfall !== null
  const plan = step?.plan_name ?? ''
  return (
    <Confirm
      isOpen={asked !== null}
      title={title(plan)}
      about={step?.at ? pageText.billing.happensAt(day(step.at)) : pageText.billing.happensNow}
      action={isMissing && step.at === null ? null : action(plan)}
      color="accent"
      run={run}
      onClose={onClose}
    >
      {step && <Sums billing={billing} step={step} />}
    </Confirm>
  )
}

/** Keeps the last step, which the dialog still shows when it closes. */
function useLast(step: Step | null): Step | null {
  const [last, setLast] = useState(step)
  if (step !== null && step !== last) setLast(step)
  return step ?? last
}

function Sums({ billing, step }: { billing: Billing; step: Step }) {
  const show = (amount: number) => money(amount, currencyOf(billing, step))
  const { amount, balance_after, shortfall, expires_at } = step
  const rows = [
    [pageText.billing.balance, show(billing.balance)],
    [shortfall === null ? pageText.billing.taken : pageText.billing.price, show(amount)],
    ...(shortfall === null ? [[pageText.billing.balanceAfter, show(balance_after)]] : []),
    ...(expires_at ? [[pageText.billing.paidUntil, day(expires_at)]] : []),
  ]
  return (
    <>
      <Table>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td ta="end">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {shortfall !== null && (
        <Alert mt="sm" color="red">
          {step.at ? pageText.billing.lacksThen(show(shortfall)) : pageText.billing.lacksNow(show(shortfall))}
        </Alert>
      )}
    </>
  )
}

/** Before the first payment, the currency is the plan's. */
export const currencyOf = ({ currency, offered }: Billing, { plan }: Step): string | null =>
  currency ?? offered.find(({ code }) => code === plan)?.currency ?? null
