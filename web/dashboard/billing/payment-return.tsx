import { Alert } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { pageText } from '../core/page-text.ts'
import { type Billing, money } from './queries.ts'

/** The order that the person returns from after paying or cancelling. */
export function usePaymentReturn(): { paid?: string; cancelled?: string } {
  return useSearch({ strict: false })
}

/**
 * Whether the person has returned before the payment was confirmed. The gateway reports it a little later.
 */
export const isAwaited = (billing: Billing | null | undefined, paid: string | undefined): boolean =>
  billing?.payments.some(({ order_id, status }) => order_id === paid && status === 'pending') ?? false

/** The result of the payment that the person returns from. */
export function PaymentReturn({ billing }: { billing: Billing }) {
  const { paid, cancelled } = usePaymentReturn()
  const payment = billing.payments.find(({ order_id }) => order_id === (paid ?? cancelled))
  if (!payment || payment.is_disputed) return null
  const amount = money(payment.amount, payment.currency)
  if (payment.status === 'failed') return null
  const isHere = payment.status === 'received'
  const awaited = paid ? pageText.billing.paymentAwaited(amount) : pageText.billing.paymentCancelled
  return (
    <Alert color={isHere ? 'green' : 'gray'} role="status" mb="md">
      {isHere ? pageText.billing.paymentCame(amount) : awaited}
    </Alert>
  )
}
