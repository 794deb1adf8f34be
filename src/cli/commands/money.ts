import type { AuditAction } from '../../audit/audit.ts'
import {
  closeDispute,
  correctBalance,
  createGateways,
  creditBalance,
  currencyOf,
  failPayment,
  getGateway,
  getPayment,
  isDisputed,
  type Payment,
  presentEntry,
  presentPayment,
  readCurrency,
  readPositive,
  readSigned,
  receivePayment,
  refundPayment,
  showMoney,
  toNumber,
  topUp,
} from '../../billing/billing.ts'
import { UserError } from '../../core/user-error.ts'
import type { Tx } from '../../events/transaction.ts'
import { findProject } from '../../projects/projects.ts'
import { type AuditedChange, auditCommand, changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import type { Values } from '../parse.ts'
import type { CliSession } from '../session.ts'
import { ordersCommand } from './orders.ts'

/** Commands for payments and corrections of a project's balance. */

const by = 'command line'

/** Reads the project and the amount in its currency. */
async function readMoney({ db }: CliSession, values: Values, read: typeof readPositive) {
  const { ID: id = '', amount: text = '', currency: given } = values
  await findProject(db, id)
  const currency = given === undefined ? await currencyOf(db, id) : readCurrency(given)
  return { id, currency, amount: read(text, currency) }
}

const adjustment = (
  verb: 'credit' | 'correct',
  about: string,
  adjust: typeof creditBalance,
  read: typeof readPositive,
): Command =>
  command(
    {
      name: `billing ${verb}`,
      about,
      arguments: ['ID'],
      required: ['amount', 'note'],
      optional: ['currency', 'key'],
    },
    async (session, values) => {
      const { id, currency, amount } = await readMoney(session, values, read)
      const { note = '', key } = values
      const detail = { amount: toNumber(amount), currency, note }
      const entry = await changeAudited(
        session.db,
        id,
        tx => adjust(tx, id, { amount, currency, note, by, ...(key && { key }) }),
        () => ({ action: `billing.${verb}ed`, target: { type: 'balance' }, detail }),
      )
      return { project_id: id, currency, ...presentEntry(entry) }
    },
    ({ balance_after, currency }) => `Done. The balance is now ${balance_after.toFixed(2)} ${currency}`,
  )

const noted = (action: AuditAction, { order_id, amount, currency }: Payment, detail = {}): AuditedChange => ({
  action,
  target: { type: 'payment', id: order_id },
  detail: { amount: toNumber(amount), currency, ...detail },
})

/** Also closes a disputed payment of a gateway. */
const cancelled = 'billing.payment_cancelled'

async function settle(
  { db }: CliSession,
  orderId: string,
  action: AuditAction,
  act: (tx: Tx, payment: Payment) => Promise<boolean>,
) {
  const payment = await getPayment(db, orderId)
  if (payment.gateway !== 'offline' && !(action === cancelled && isDisputed(payment)))
    throw new UserError(
      `Order ${orderId} is paid through ${payment.gateway}, which will report the result. Wait for it`,
    )
  const isNews = await changeAudited(
    db,
    payment.project_id,
    tx => act(tx, payment),
    done => (done ? noted(action, payment) : null),
  )
  const now = await getPayment(db, orderId)
  if (!isNews && now.status !== 'received') throw new UserError(`Order ${orderId} is already ${now.status}`)
  return { ...presentPayment(now), is_news: isNews }
}

export const moneyCommands: Command[] = [
  ordersCommand,
  command(
    {
      name: 'billing top-up',
      about: 'Creates a payment order to top up the balance, by bank transfer or another gateway',
      arguments: ['ID'],
      required: ['amount'],
      optional: ['currency', 'gateway'],
    },
    async (session, values) => {
      const { id, ...money } = await readMoney(session, values, readPositive)
      const gateway = getGateway(createGateways(session.config), values.gateway ?? 'offline')
      const { url, instructions, ...payment } = await topUp(session.db, gateway, id, { ...money, by })
      await auditCommand(
        session.db,
        id,
        noted('billing.top_up_ordered', payment, { gateway: payment.gateway }),
      )
      return { ...presentPayment(payment), url, instructions }
    },
    ({ order_id, url, instructions }) => `Order ${order_id}: ${instructions ?? `pay at ${url}`}`,
  ),
  command(
    {
      name: 'billing confirm',
      about: 'Confirms that a bank transfer has arrived',
      arguments: ['ORDER'],
      optional: ['transaction'],
    },
    (session, { ORDER: order = '', transaction = null }) =>
      settle(session, order, 'billing.payment_confirmed', (tx, payment) =>
        receivePayment(tx, payment, { ...payment, transaction_id: transaction, by }),
      ),
    ({ order_id, is_news }) =>
      is_news ? `Order ${order_id} is credited to the balance` : `Order ${order_id} was already confirmed`,
  ),
  command(
    {
      name: 'billing cancel',
      about: 'Cancels a bank transfer that will not arrive, or closes a disputed payment',
      arguments: ['ORDER'],
      optional: ['reason'],
    },
    async (session, { ORDER: order = '', reason = 'cancelled' }) => {
      const ended = await settle(session, order, cancelled, (tx, payment) =>
        isDisputed(payment) ? closeDispute(tx, payment, reason) : failPayment(tx, payment, reason),
      )
      if (!ended.is_news)
        throw new UserError(`The payment for order ${order} has already arrived; refund it instead`)
      return ended
    },
    ({ order_id }) => `Order ${order_id} is cancelled`,
  ),
  adjustment('credit', 'Adds a credit to a balance', creditBalance, readPositive),
  adjustment(
    'correct',
    'Raises or lowers a balance with a correcting entry, such as --amount -5.00',
    correctBalance,
    readSigned,
  ),
  command(
    {
      name: 'billing refund',
      about: 'Refunds a paid order, in full or in part. An order can be refunded only once',
      arguments: ['ORDER'],
      optional: ['amount'],
    },
    async ({ db, config }, { ORDER: order = '', amount }) => {
      const payment = await getPayment(db, order)
      const gateway = getGateway(createGateways(config), payment.gateway)
      const given = amount === undefined ? {} : { amount: readPositive(amount, payment.currency) }
      const back = { ...payment, ...given }
      const beside = (tx: Tx) => auditCommand(tx, payment.project_id, noted('billing.refunded', back))
      const { refunded, ...rest } = await refundPayment(db, gateway, order, { ...given, by, beside })
      return { ...presentPayment(rest), refunded: showMoney(refunded, rest.currency) }
    },
    ({ order_id, gateway, refunded }) =>
      `${refunded} of order ${order_id} was taken from the balance${gateway === 'offline' ? '. Now transfer the money back yourself' : ' and is being refunded'}`,
  ),
]
