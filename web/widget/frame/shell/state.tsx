import { computed } from '@preact/signals'
import { isReached } from '../core/api.ts'
import { text } from '../core/text.ts'
import { notice } from './problem.ts'

/** Placeholders for empty and loading views. */

export const Loading = () => (
  <div class="loading" aria-busy="true">
    <span />
    <span />
    <span />
  </div>
)

export const NotLoaded = ({ again }: { again: () => void }) => (
  <div class="nothing" role="alert">
    <p>{text.value.notLoaded}</p>
    <button type="button" class="quiet" onClick={again}>
      {text.value.retry}
    </button>
  </div>
)

export const Nothing = ({ children }: { children: string }) => <p class="nothing">{children}</p>

const words = computed(() => {
  if (isReached.value) return null
  return navigator.onLine ? text.value.connecting : text.value.offline
})

/** Always rendered, so that screen readers announce text that appears in it. */
export const Connection = () => (
  <div class="connection" role="status">
    {words.value && <p>{words.value}</p>}
    {notice.value && <p>{notice.value}</p>}
  </div>
)
