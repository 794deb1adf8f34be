import type { ComponentChildren } from 'preact'
import { isPage, tell } from '../core/bridge.ts'
import { goBack } from '../core/route.ts'
import { isMuted, mute } from '../core/sound.ts'
import { text } from '../core/text.ts'
import { Icon } from './icon.tsx'

type Name = Parameters<typeof Icon>[0]['name']

interface ButtonProps {
  icon: Name
  label: string
  onClick: (event: MouseEvent) => void
  isDisabled?: boolean
}

/** An icon button; its label is the tooltip and for screen readers. */
export const IconButton = ({ icon, label, onClick, isDisabled }: ButtonProps) => (
  <button type="button" class="tap" title={label} aria-label={label} disabled={isDisabled} onClick={onClick}>
    <Icon name={icon} />
  </button>
)

const SoundButton = () => (
  <IconButton
    icon={isMuted.value ? 'silence' : 'sound'}
    label={isMuted.value ? text.value.unmute : text.value.mute}
    onClick={() => mute(!isMuted.peek())}
  />
)

/** The hosted page has no close button, because it is closed with its tab. */
const CloseButton = () =>
  isPage ? null : <IconButton icon="close" label={text.value.close} onClick={() => tell({ type: 'close' })} />

export const Controls = () => (
  <span class="controls">
    <SoundButton />
    <CloseButton />
  </span>
)

interface BarProps {
  children: ComponentChildren
  /** Another button. */
  action?: ComponentChildren
}

export const Bar = ({ children, action }: BarProps) => (
  <header class="bar">
    <IconButton icon="back" label={text.value.back} onClick={goBack} />
    <div class="bar-title">{children}</div>
    {action}
    <Controls />
  </header>
)
