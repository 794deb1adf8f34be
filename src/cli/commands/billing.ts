import { writeFile } from 'node:fs/promises'
import {
  type BillingReport,
  choosePlan,
  getReceipt,
  type LedgerEntry,
  listLedger,
  printCsv,
  printReceipt,
  renewNow,
  setAutoRenew,
  showBilling,
} from '../../billing/billing.ts'
import { UserError } from '../../core/user-error.ts'
import { findProject } from '../../projects/projects.ts'
import { changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { readSwitch, UsageError } from '../parse.ts'
import { drawRecords, drawTable } from '../table.ts'

/** Commands for a project's plan and balance. */

const yesNo = (is: boolean): string => (is ? 'yes' : 'no')

const drawReport = (report: BillingReport): string =>
  drawTable([
    ['plan', report.is_trial ? `${report.plan} (trial)` : report.plan],
    ['ends', report.expires_at ?? 'never'],
    ['next plan', report.next_plan ?? '-'],
    ['auto-renew', report.auto_renew === null ? '-' : yesNo(report.auto_renew)],
    ['balance', `${report.balance.toFixed(2)} ${report.currency ?? ''}`],
    ...(report.shortfall === null
      ? []
      : [
          [
            'WARNING',
            `the balance is ${report.shortfall.toFixed(2)} short for the renewal; top it up before the plan ends`,
          ],
        ]),
    ['tickets', `${report.tickets.used} of ${report.tickets.limit ?? 'any number'} this month`],
    ['operators', `${report.operator_seats ?? 'any number'}`],
    ['knowledge', yesNo(report.features.knowledge_base)],
    ['offered', report.offered.join(', ') || '-'],
  ])

const drawLedger = (items: LedgerEntry[]): string =>
  drawRecords(
    items.map(({ amount, balance_after, ...entry }) => ({
      ...entry,
      amount: amount.toFixed(2),
      balance_after: balance_after.toFixed(2),
    })),
    'No transactions yet',
  )

const target = { type: 'plan' }

export const billingCommands: Command[] = [
  command(
    { name: 'billing show', about: "Shows a project's plan, usage and balance", arguments: ['ID'] },
    ({ db }, { ID: id = '' }) => showBilling(db, id),
    drawReport,
  ),
  command(
    {
      name: 'billing ledger',
      about: "Lists the transactions on a project's balance, as a table or CSV",
      arguments: ['ID'],
      flags: ['csv'],
    },
    async ({ db }, { ID: id = '', csv }) => {
      await findProject(db, id)
      const items = await listLedger(db, id)
      return { items, ...(csv && { csv: printCsv(items) }) }
    },
    ({ items, csv }) => csv ?? drawLedger(items),
  ),
  command(
    {
      name: 'billing next',
      about:
        'Schedules a plan for the next period. If the current plan has no end date, the new plan starts right away',
      arguments: ['ID', 'CODE'],
    },
    ({ db }, { ID: id = '', CODE: code = '' }) =>
      changeAudited(
        db,
        id,
        tx => choosePlan(tx, id, code),
        ({ plan, next_plan }) => ({ action: 'billing.plan_chosen', target, detail: { plan, next_plan } }),
      ),
    ({ plan, next_plan, expires_at }) =>
      next_plan
        ? `On ${plan} until ${expires_at}, then on ${next_plan}`
        : expires_at
          ? `On ${plan} until ${expires_at}`
          : `On ${plan}, with no end date`,
  ),
  command(
    {
      name: 'billing auto-renew',
      about: 'Turns auto-renewal on or off',
      arguments: ['ID', 'on|off'],
    },
    async ({ db }, { ID: id = '', 'on|off': word = '' }) => {
      const auto_renew = readSwitch('auto-renew', word, ['on', 'off'])
      await changeAudited(
        db,
        id,
        tx => setAutoRenew(tx, id, auto_renew),
        () => ({ action: 'billing.auto_renew_changed', target, detail: { auto_renew } }),
      )
      return { id, auto_renew }
    },
    ({ auto_renew }) =>
      auto_renew ? 'Auto-renewal is on' : 'Auto-renewal is off: the plan ends at the end of its period',
  ),
  command(
    { name: 'billing renew', about: 'Pays for another period now, from the balance', arguments: ['ID'] },
    async ({ db }, { ID: id = '' }) => {
      const { expires_at } = await showBilling(db, id)
      const renewal = await changeAudited(
        db,
        id,
        tx => renewNow(tx, id, expires_at ?? ''),
        done =>
          done.outcome === 'renewed' ? { action: 'billing.renewed', target, detail: { ...done } } : null,
      )
      if (renewal.outcome !== 'balance_low') return renewal
      throw new UserError(
        `The balance of ${renewal.balance.toFixed(2)} does not cover plan "${renewal.plan}": it is ${renewal.shortfall.toFixed(2)} short`,
      )
    },
    ({ expires_at }) => `Paid until ${expires_at}`,
  ),
  command(
    {
      name: 'billing receipt',
      about: 'Creates a PDF receipt or invoice for a ledger entry',
      arguments: ['ID', 'SEQ'],
      required: ['out'],
    },
    async ({ db, config }, { ID: id = '', SEQ: seq = '', out = '' }) => {
      if (!/^\d{1,15}$/.test(seq))
        throw new UsageError(`SEQ must be the number of a ledger entry, not "${seq}"`)
      await findProject(db, id)
      const receipt = await getReceipt(db, id, Number(seq), config)
      await writeFile(out, await printReceipt(receipt))
      return { number: receipt.number, title: receipt.title, out }
    },
    ({ title, number, out }) => `${title} ${number}: ${out}`,
  ),
]
