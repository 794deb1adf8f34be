import { listActions } from './actions.ts'
import { preference } from './preferences.ts'

/** Keys of the registered actions: single ones, pairs such as `g i`, and those with Ctrl or Command. */

export const isMac = /mac|iphone|ipad/i.test(navigator.platform)

/** A pair must be typed within this. */
const pairTimeoutMs = 1_200

const fields =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, select, [contenteditable]'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(`${fields}, [role=combobox], [role=menu], [role=listbox]`) !== null

/** On a keyboard of another script the place of the key stands for the letter. */
function letterOf({ key, code }: KeyboardEvent): string {
  if (key.length === 1 && key > '\x7f' && /^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase()
  return key.length === 1 ? key.toLowerCase() : key.toLowerCase().replace('arrow', '')
}

/** As the registry writes it; what Shift makes of a key is in the key already, but for letters and names. */
export function keyNameOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey
  const letter = letterOf(event)
  const isShifted = event.shiftKey && (/^[a-z]$/.test(letter) || letter.length > 1)
  return [mod && 'mod', event.altKey && 'alt', isShifted && 'shift', letter].filter(Boolean).join('+')
}

const isSingle = (name: string): boolean => !/^(mod|alt)\+/.test(name)

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
  if (isSingle(name) && (isTyping(event.target) || !preference.get('singleKeys'))) return
  if (isSingle(name) && document.querySelector('[aria-modal=true]')) return
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

/** What stands on the keys: `mod+k` is [[Ctrl, K]], `g i` is [[G], [I]]. */
export const showKeys = (keys: string): string[][] =>
  keys
    .split(' ')
    .map(one =>
      one.split(/(?<=.)\+/).map(part => shown[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    )
