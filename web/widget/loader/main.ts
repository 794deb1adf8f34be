import type { Identity } from '../protocol.ts'
import type { Options } from './options.ts'
import { Widget } from './widget.ts'

/** `/widget.js`: replaces the stub by `Deskbell(verb, …)`, and runs the calls that the stub has queued. */

type Listener = (detail?: unknown) => void
type Verb = (...args: unknown[]) => void
type Deskbell = Verb & { q?: IArguments[] | unknown[][]; isLoaded?: boolean }

/** Read at once, because the browser does not provide it later. */
const script = document.currentScript as HTMLScriptElement | null

const listeners = new Map<string, Set<Listener>>()
let widget: Widget | null = null
let booted: string | null = null

function tell(name: string, detail?: unknown): void {
  for (const listener of listeners.get(name) ?? []) {
    try {
      listener(detail)
    } catch (error) {
      // An error in the page's own listener is reported to the page, and does not stop the widget.
      reportError(error)
    }
  }
}

/** A repeated call with the same options, as from a page that renders again, only undoes a logout. */
function boot(options: Options): void {
  if (!options?.project) throw new Error("Deskbell('boot', { project: '…' }) needs the id of your project")
  const words = JSON.stringify(options)
  if (widget && booted === words) return void widget.comeBack()
  widget?.destroy()
  booted = words
  const host = options.host ?? new URL(script?.src || location.href).origin
  widget = new Widget(host, options, tell)
}

function ready(): Widget {
  if (widget) return widget
  throw new Error("Call Deskbell('boot', { project: '…' }) first")
}

const verbs: Record<string, (...args: never[]) => void> = {
  boot,
  identify: (identity: Identity) => ready().identify(identity),
  logout: () => widget?.logout(),
  open: (ticketId?: string) => ready().open(ticketId),
  close: () => widget?.close(),
  toggle: () => ready().toggle(),
  destroy() {
    widget?.destroy()
    widget = null
    booted = null
  },
  on(name: string, listener: Listener) {
    if (!listeners.has(name)) listeners.set(name, new Set())
    listeners.get(name)!.add(listener)
  },
  off(name: string, listener?: Listener) {
    if (listener) listeners.get(name)?.delete(listener)
    else listeners.delete(name)
  },
}

function act(verb: unknown, ...args: unknown[]): void {
  if (typeof verb !== 'string' || !Object.hasOwn(verbs, verb))
    throw new Error(`Deskbell knows ${Object.keys(verbs).join(', ')}, not ${String(verb)}`)
  ;(verbs[verb] as Verb)(...args)
}

function whenBody(run: () => void): void {
  if (document.body) run()
  else document.addEventListener('DOMContentLoaded', run, { once: true })
}

/** An invalid call of the page does not prevent the calls after it. */
function actSafely(call: ArrayLike<unknown>): void {
  try {
    act(...(Array.from(call) as [unknown]))
  } catch (error) {
    reportError(error)
  }
}

const page = window as unknown as { Deskbell?: Deskbell }
if (!page.Deskbell?.isLoaded) {
  const asked = page.Deskbell?.q ?? []
  page.Deskbell = Object.assign((...call: unknown[]) => whenBody(() => act(...(call as [unknown]))), {
    isLoaded: true,
  })
  whenBody(() => {
    const { project, locale, position } = script?.dataset ?? {}
    if (project) actSafely(['boot', { project, ...(locale && { locale }), ...(position && { position }) }])
    for (const call of asked) actSafely(call)
  })
}
