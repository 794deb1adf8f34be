import { listActions } from './actions.ts'
import { preference } from './preferences.ts'

/**
 * The keys of the registered actions: single keys, sequences such as `g i`, and combinations with Ctrl or
 * Command.
 */

export const isMac = /mac|iphone|ipad/i.test(navigator.platform)

/** The longest time between the two keys of a sequence. */
const pairTimeoutMs = 1_200

const fields =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, select, [contenteditable]'

/** Whether keys pressed there are text, or choose something, and are no shortcuts. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(`${fields}, [role=combobox], [role=menu], [role=listbox]`) !== null

/** On a keyboard with another script, the position of the key determines the letter. */
function letterOf({ key, code }: KeyboardEvent): string {
  if (key.length === 1 && key > '\x7f' && /^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase()
  return key.length === 1 ? key.toLowerCase() : key.toLowerCase().replace('arrow', '')
}

/**
 * In the notation of the registry. For most keys, Shift already changes the key itself, but not for letters
 * and named keys.
 */
export function keyNameOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey
  const letter = letterOf(event)
  const isShifted = event.shiftKey && (/^[a-z]$/.test(letter) || letter.length > 1)
  return [mod && 'mod', event.altKey && 'alt', isShifted && 'shift', letter].filter(Boolean).join('+')
}

const isSingle = (name: string): boolean => !/^(mod|alt)\+/.test(name)

/** Whether a field has its own use for the key. */
const isForText = (name: string): boolean => isSingle(name) || name === 'mod+a'

let before = ''
let timer: number | undefined

function remember(name: string): void {
  before = name
  window.clearTimeout(timer)
  timer = window.setTimeout(() => {
    before = ''
  }, pairTimeoutMs)
}

export function pressKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return
  const name = keyNameOf(event)
  if (isForText(name) && isTyping(event.target)) return
  // In front of the page, a dialog has no keys except that of the command bar.
  if (name !== 'mod+k' && document.querySelector('[aria-modal=true]')) return
  if (isSingle(name) && !preference.get('singleKeys')) return
  const actions = listActions()
  const found =
    (before && actions.find(({ keys }) => keys === `${before} ${name}`)) ||
    actions.find(({ keys }) => keys === name)
  if (found) {
    event.preventDefault()
    before = ''
    found.run()
    return
  }
  remember(actions.some(({ keys }) => keys?.startsWith(`${name} `)) ? name : '')
}

const shown: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  enter: '↵',
  escape: 'Esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
}

/** The labels of the keys: `mod+k` becomes [[Ctrl, K]], and `g i` becomes [[G], [I]]. */
export const showKeys = (keys: string): string[][] =>
  keys
    .split(' ')
    .map(one =>
      one.split(/(?<=.)\+/).map(part => shown[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    )
