export { correctBalance, creditBalance, refundPayment } from './adjust.ts'
export { mountStripe } from './callback.ts'
export { choosePlan, createProjectOnPlan, setAutoRenew, setProjectPlan } from './choose-plan.ts'
export { getGateway } from './gateways/gateway.ts'
export { createGateways, stripeOf } from './gateways/gateways.ts'
export { findAccount } from './ledger.ts'
export { type LedgerEntry, listLedger, presentEntry, printCsv } from './ledger-report.ts'
export { deleteOldMails, sendBillingMail } from './mails.ts'
export { readCurrency, readPositive, readPrice, readSigned, showMoney, toNumber } from './money.ts'
export { findNotices } from './notices.ts'
export { expireOrders } from './order-payment.ts'
export { describeDisputes, listBalances, listOrders, orderStatuses } from './orders.ts'
export {
  closeDispute,
  failPayment,
  getPayment,
  isDisputed,
  type Payment,
  presentPayment,
  receivePayment,
} from './payments.ts'
export { deletePlan, getPlan, listPlans, listProjectsOnPlan, type Plan } from './plans.ts'
export { type PlanChange, putPlan } from './put-plan.ts'
export { printReceipt } from './receipt-pdf.ts'
export { getReceipt } from './receipts.ts'
export { renewDue, renewNow, waitingRenewals } from './renew.ts'
export { type BillingReport, showBilling } from './show-billing.ts'
export { currencyOf, topUp } from './top-up.ts'
export { findUsage, hasFeature, lockUsage } from './usage.ts'
