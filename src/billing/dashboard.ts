import { Readable } from 'node:stream'
import { asApiErrors } from '../core/cli-errors.ts'
import type { Config } from '../core/config/config.ts'
import { bytes, type Endpoint, endpoint } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import * as schema from './dashboard-schema.ts'
import { findAccount } from './ledger.ts'
import { listLedger, printCsv } from './ledger-report.ts'
import { printReceipt } from './receipt-pdf.ts'
import { getReceipt } from './receipts.ts'
import {
  changeBuyer,
  choosePlanAudited,
  isBillingEnabled,
  orderTopUp,
  readBilling,
  renew,
  requireBilling,
  switchRenewal,
} from './settings.ts'

const tag = 'Billing'
const minRole = 'owner'

const gated = (definition: Endpoint): Endpoint => ({
  ...definition,
  errors: ['FEATURE_OFF', ...definition.errors],
  async run(call) {
    await requireBilling(call.db, call.project.id)
    return definition.run(call)
  },
})

const download = (name: string, type: string, content: Buffer | string) => ({
  headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  stream: Readable.from([Buffer.from(content)]),
})

const changes = ({ config }: { config: Config }): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/billing/plan',
    tag,
    summary: 'Choose the next plan',
    minRole,
    body: schema.planChoice,
    responses: { 200: schema.billing },
    errors: ['NOT_POSSIBLE'],
    async run(call) {
      await choosePlanAudited(call.db, call, call.body)
      return readBilling(call.db, config, call.project.id)
    },
  }),
  endpoint({
    method: 'PATCH',
    path: '/billing',
    tag,
    summary: 'Turn auto-renew on or off',
    minRole,
    body: schema.autoRenewal,
    responses: { 200: schema.billing },
    errors: ['NOT_POSSIBLE'],
    async run(call) {
      await switchRenewal(call.db, call, call.body.auto_renew)
      return readBilling(call.db, config, call.project.id)
    },
  }),
]

const buyers = ({ config }: { config: Config }): Endpoint[] => [
  endpoint({
    method: 'PUT',
    path: '/billing/buyer',
    tag,
    summary: 'Set the buyer named on receipts',
    minRole,
    body: schema.buyer,
    responses: { 200: schema.billing },
    errors: [],
    async run(call) {
      await changeBuyer(call.db, call, call.body)
      return readBilling(call.db, config, call.project.id)
    },
  }),
]

const payments = ({ config }: { config: Config }): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/billing/renew',
    tag,
    summary: 'Pay for another period now',
    minRole,
    body: schema.renewal,
    responses: { 200: schema.billing },
    errors: ['NOT_POSSIBLE'],
    async run(call) {
      await renew(call.db, call, call.body)
      return readBilling(call.db, config, call.project.id)
    },
  }),
  endpoint({
    method: 'POST',
    path: '/billing/top-ups',
    tag,
    summary: 'Order a balance top-up',
    minRole,
    body: schema.topUpOrder,
    responses: { 201: schema.startedPayment },
    errors: ['NOT_POSSIBLE', 'VALIDATION_ERROR'],
    run: call => orderTopUp(call.db, config, call, call.body),
  }),
]

const reads = ({ config }: { config: Config }): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/billing',
    tag,
    summary: 'Read the plan, its usage and the balance',
    minRole,
    responses: { 200: schema.billing },
    errors: [],
    run: ({ db, project }) => readBilling(db, config, project.id),
  }),
  endpoint({
    method: 'GET',
    path: '/billing/ledger',
    tag,
    summary: 'List the ledger entries, newest first',
    minRole,
    responses: { 200: schema.ledger },
    errors: [],
    async run({ db, project }) {
      const account = await findAccount(db, project.id)
      const items = (await listLedger(db, project.id)).reverse()
      return { currency: account?.currency ?? null, items }
    },
  }),
]

const downloads = ({ config }: { config: Config }): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/billing/ledger.csv',
    tag,
    summary: 'Download the ledger as CSV',
    minRole,
    responses: { 200: bytes },
    errors: [],
    async run({ db, project, reply }) {
      const csv = printCsv(await listLedger(db, project.id))
      const { headers, stream } = download('ledger.csv', 'text/csv; charset=utf-8', csv)
      reply.headers(headers)
      return stream
    },
  }),
  endpoint({
    method: 'GET',
    path: '/billing/receipts/{seq}',
    tag,
    summary: 'Download the receipt of a ledger entry',
    minRole,
    responses: { 200: bytes },
    errors: ['NOT_POSSIBLE'],
    async run({ db, project, params, reply }) {
      const seq = /^\d{1,15}$/.test(params.seq!) ? Number(params.seq) : null
      if (seq === null) throw new ApiError('NOT_POSSIBLE', { reason: 'no_receipt' })
      const receipt = await asApiErrors(getReceipt(db, project.id, seq, config))
      const pdf = await printReceipt(receipt)
      const name = `${receipt.title.toLowerCase()}-${receipt.number}.pdf`
      const { headers, stream } = download(name, 'application/pdf', pdf)
      reply.headers(headers)
      return stream
    },
  }),
]

/** The list of settings requests this to decide whether it shows the billing page. */
const offer = endpoint({
  method: 'GET',
  path: '/billing/offer',
  tag,
  summary: 'Read whether plans can be chosen or paid for',
  minRole,
  responses: { 200: schema.offer },
  errors: [],
  run: async ({ db, project }) => ({ is_sold: await isBillingEnabled(db, project.id) }),
})

export const billingDashboard = (deps: { config: Config }): Endpoint[] => [
  offer,
  ...[...reads(deps), ...downloads(deps), ...changes(deps), ...buyers(deps), ...payments(deps)].map(gated),
]
