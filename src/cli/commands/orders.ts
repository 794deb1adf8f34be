import { listOrders, orderStatuses } from '../../billing/billing.ts'
import { command } from '../command.ts'
import { UsageError } from '../parse.ts'
import { drawRecords } from '../table.ts'

const readStatus = (text: string) => {
  const status = orderStatuses.find(one => one === text)
  if (status) return status
  throw new UsageError(`--status must be one of ${orderStatuses.join(', ')}, not "${text}"`)
}

export const ordersCommand = command(
  {
    name: 'billing orders',
    about: 'Lists the payment orders of all projects, oldest first',
    optional: ['status'],
    choices: { status: orderStatuses },
  },
  async ({ db }, { status }) => ({
    items: await listOrders(db, status === undefined ? undefined : readStatus(status)),
  }),
  ({ items }) =>
    drawRecords(
      items.map(({ amount, ...order }) => ({ ...order, amount: amount.toFixed(2) })),
      'No orders',
    ),
)
