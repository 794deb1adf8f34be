import { showMoney } from '../money.ts'
import type { Gateway } from './gateway.ts'

/** Bank transfer: the installation's admin checks the bank account, and confirms or cancels the order. */
export const createOffline = (paymentInstructions: string): Gateway => ({
  name: 'offline',
  method: 'bank_transfer',
  async start({ order_id, amount, currency, expires_at }) {
    // For the command line. The dashboard words the same from the order.
    const order = `Transfer ${showMoney(amount, currency)} by ${expires_at.slice(0, 10)} with the reference ${order_id}`
    const instructions = paymentInstructions ? `${order} to: ${paymentInstructions}` : order
    return { external_id: null, url: null, instructions }
  },
  // The admin sends the money by hand.
  async refund() {},
})
