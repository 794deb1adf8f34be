/** A simple in-memory model of billing, with which histories in the database are compared. */

export interface ModelPlan {
  price: number
  currency: string
  months: number
  limit: number | null
  isOffered: boolean
}

interface Period {
  start: number
  limit: number | null
}

interface ModelSubscription {
  anchor: number
  months: number
  end: number
  isTrial: boolean
  autoRenew: boolean
  next: string | null
  periods: Period[]
}

export interface ModelEvent {
  type: string
  data: Record<string, unknown>
}

export interface World {
  now: number
  print(time: number): string
  plans: Record<string, ModelPlan>
  plan: string
  subscription: ModelSubscription | null
  /** Null before the first ledger entry. */
  balance: number | null
  orders: { amount: number; status: 'pending' | 'received' | 'failed' }[]
  events: ModelEvent[]
}

export const entry = 'free'
export const trialDays = 14
const becomes = 'team'

export class Refused extends Error {}

const refuse = (): never => {
  throw new Refused()
}

const day = 86_400_000

/** In a short month, the 31st becomes the last day. */
function addMonths(time: number, months: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (time % day)
}

const planOf = (world: World, code = world.plan): ModelPlan => world.plans[code] ?? refuse()

const emit = (world: World, type: string, data: Record<string, unknown>): void =>
  void world.events.push({ type: `billing.${type}`, data })

/** The account is in euros. */
const availableFor = (world: World, plan: ModelPlan): number =>
  plan.price === 0 || plan.currency === 'EUR' ? (world.balance ?? 0) : 0

const covers = (world: World, plan: ModelPlan): boolean =>
  plan.price === 0 || availableFor(world, plan) >= plan.price

function pay(world: World, plan: ModelPlan): { amount: number; new_balance: number } {
  if (plan.price > 0) world.balance = (world.balance ?? 0) - plan.price
  return { amount: plan.price / 100, new_balance: availableFor(world, plan) / 100 }
}

function begin(world: World, code: string, anchor: number, autoRenew: boolean): void {
  const { months, limit } = planOf(world, code)
  const end = code === 'trial' ? anchor + trialDays * day : addMonths(anchor, months)
  const isTrial = code === 'trial'
  const periods = [{ start: anchor, limit }]
  world.subscription = { anchor, months: isTrial ? 0 : months, end, isTrial, autoRenew, next: null, periods }
  world.plan = code
}

function addPeriod(world: World, subscription: ModelSubscription, code: string): void {
  const { months, limit } = planOf(world, code)
  subscription.periods.push({ start: subscription.end, limit })
  subscription.months += months
  subscription.end = addMonths(subscription.anchor, subscription.months)
  if (subscription.next === code) subscription.next = null
  world.plan = code
}

function leave(world: World, code: string): void {
  world.plan = code
  world.subscription = null
}

function startPaid(world: World, code: string, anchor: number, autoRenew: boolean, reason?: string): void {
  const old_plan = world.plan
  begin(world, code, anchor, autoRenew)
  const expires_at = world.print(world.subscription!.end)
  const paid = pay(world, planOf(world, code))
  emit(world, 'plan_changed', { old_plan, new_plan: code, expires_at, ...paid, ...(reason && { reason }) })
}

function renew(world: World, subscription: ModelSubscription, trigger: string): void {
  addPeriod(world, subscription, world.plan)
  const paid = pay(world, planOf(world))
  emit(world, 'plan_renewed', {
    plan: world.plan,
    ...paid,
    expires_at: world.print(subscription.end),
    trigger,
  })
}

function emitLow(world: World, code: string, more: object = {}): void {
  const plan = planOf(world, code)
  const balance = availableFor(world, plan)
  const shortfall = (plan.price - balance) / 100
  emit(world, 'balance_low', {
    plan: code,
    balance: balance / 100,
    price: plan.price / 100,
    shortfall,
    ...more,
  })
}

function fall(world: World, { end, isTrial }: ModelSubscription, reason: string): void {
  const old_plan = world.plan
  if (!isTrial) emit(world, 'subscription_expired', { old_plan, reason, expired_at: world.print(end) })
  leave(world, entry)
  const moved = { old_plan, new_plan: entry, expires_at: null }
  emit(world, 'plan_downgraded', { ...moved, ...(isTrial && { reason: 'trial_unpaid' }) })
}

function moveFree(world: World, code: string, isTrial: boolean): void {
  const moved = { old_plan: world.plan, new_plan: code, expires_at: null }
  leave(world, code)
  emit(world, 'plan_changed', { ...moved, ...(isTrial && { reason: 'trial_ended' }) })
}

/** Handles the end of one period. */
function endPeriod(world: World, subscription: ModelSubscription) {
  const { isTrial, autoRenew, next, end } = subscription
  const code = next ?? (autoRenew ? (isTrial ? becomes : world.plan) : null)
  if (code === null) return fall(world, subscription, 'auto_renew_disabled')
  const plan = planOf(world, code)
  const isMove = isTrial || code !== world.plan
  if (plan.price === 0 && isMove) {
    return isTrial && code === entry
      ? fall(world, subscription, 'insufficient_balance')
      : moveFree(world, code, isTrial)
  }
  if (!covers(world, plan)) {
    if (!isTrial) emitLow(world, code)
    return fall(world, subscription, 'insufficient_balance')
  }
  if (isTrial) return startPaid(world, code, end, autoRenew, 'trial_ended')
  if (!isMove) return renew(world, subscription, 'auto')
  const old_plan = world.plan
  addPeriod(world, subscription, code)
  const expires_at = world.print(subscription.end)
  emit(world, 'plan_changed', { old_plan, new_plan: code, expires_at, ...pay(world, plan) })
}

const orderOf = ({ orders }: World, at: number) => orders[at % orders.length] ?? refuse()

/**
 * The actions on a project according to their rules. A refused action throws `Refused` and changes nothing.
 */
export const acts = {
  open(world: World, code: string) {
    world.plan = code
    if (code === 'trial') begin(world, code, world.now, true)
  },
  credit(world: World, amount: number) {
    world.balance = (world.balance ?? 0) + amount
  },
  correct(world: World, amount: number) {
    world.balance = (world.balance ?? 0) + amount
  },
  refund(world: World, amount: number) {
    if ((world.balance ?? 0) < amount) refuse()
    world.balance = (world.balance ?? 0) - amount
  },
  order(world: World, amount: number) {
    world.balance ??= 0
    world.orders.push({ amount, status: 'pending' })
  },
  confirm(world: World, at: number) {
    const order = orderOf(world, at)
    if (order.status === 'received') return
    order.status = 'received'
    world.balance = (world.balance ?? 0) + order.amount
    const paid = { currency: 'EUR', method: 'bank_transfer', transaction_id: 'txn' }
    emit(world, 'payment_received', { amount: order.amount / 100, ...paid, new_balance: world.balance / 100 })
  },
  cancel(world: World, at: number) {
    const order = orderOf(world, at)
    if (order.status !== 'pending') return
    order.status = 'failed'
    emit(world, 'payment_failed', {
      amount: order.amount / 100,
      method: 'bank_transfer',
      reason: 'cancelled',
    })
  },
  dispute(world: World, at: number) {
    orderOf(world, at)
    refuse()
  },
  choose(world: World, code: string) {
    const { subscription } = world
    const plan = planOf(world, code)
    if (!plan.isOffered) refuse()
    if (world.balance !== null && plan.price > 0 && plan.currency !== 'EUR') refuse()
    if (subscription) {
      subscription.next = code === world.plan && !subscription.isTrial ? null : code
      return
    }
    if (code === world.plan) refuse()
    if (plan.price === 0) return moveFree(world, code, false)
    if (!covers(world, plan)) refuse()
    startPaid(world, code, world.now, true)
  },
  autoRenew(world: World, on: boolean) {
    if (!world.subscription) refuse()
    world.subscription!.autoRenew = on
  },
  renewNow(world: World) {
    const { subscription } = world
    if (!subscription) return refuse()
    const code = subscription.isTrial ? (subscription.next ?? becomes) : world.plan
    const plan = planOf(world, code)
    if (subscription.isTrial && plan.price === 0) refuse()
    if (!covers(world, plan)) return emitLow(world, code, { trigger: 'manual' })
    if (subscription.isTrial) startPaid(world, code, world.now, subscription.autoRenew, 'trial_paid')
    else renew(world, subscription, 'manual')
  },
  job(world: World) {
    while (world.subscription && world.subscription.end <= world.now) endPeriod(world, world.subscription)
  },
  setPlan(world: World, code: string) {
    if (code === 'trial') begin(world, code, world.now, true)
    else leave(world, code)
  },
  changePlan(world: World, code: string, change: Partial<ModelPlan>) {
    Object.assign(planOf(world, code), change)
  },
  pass(world: World, days: number) {
    const { subscription } = world
    if (!subscription) return null
    subscription.anchor -= days * day
    subscription.end -= days * day
    for (const period of subscription.periods) period.start -= days * day
  },
}

/** The monthly limit right now. */
export function limitNow(world: World): number | null {
  const period = world.subscription?.periods.findLast(({ start }) => start <= world.now)
  return period ? period.limit : planOf(world).limit
}
