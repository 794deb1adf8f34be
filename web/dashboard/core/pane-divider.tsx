import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import classes from './pane-divider.module.css'
import { type PaneName, paneLimits, setPaneWidth, showPaneWidth } from './panes.ts'
import { usePreferences } from './preferences.ts'
import { text } from './text.ts'

interface Props {
  pane: PaneName
  /** Where the pane is: before the divider in the line, or after it. */
  side: 'before' | 'after'
}

const step = 16

const clamp = (pane: PaneName, width: number): number =>
  Math.round(Math.min(Math.max(width, paneLimits[pane].min), paneLimits[pane].max))

/** 1 if the pane grows when the divider moves to the right, otherwise -1. */
function signOf(divider: Element, side: Props['side']): number {
  const isRtl = getComputedStyle(divider).direction === 'rtl'
  return isRtl === (side === 'before') ? -1 : 1
}

function widthOf(divider: Element, side: Props['side']): number {
  const pane = side === 'before' ? divider.previousElementSibling : divider.nextElementSibling
  return pane?.getBoundingClientRect().width ?? 0
}

/** Changes the width of a pane: by pointer, or by the arrow keys, Home and End. A double click restores the default. */
export default function PaneDivider({ pane, side }: Props) {
  const width = usePreferences().panes[pane] ?? paneLimits[pane].usual
  const [isDragged, setDragged] = useState(false)
  const { min, max } = paneLimits[pane]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be focused is a widget, which hr is not
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={text.shell.panes[pane]}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      className={classes.divider}
      data-pane={pane}
      data-dragged={isDragged || undefined}
      onDoubleClick={() => setPaneWidth(pane, null)}
      onKeyDown={event => resizeByKey(event, pane, side)}
      onPointerDown={event => drag(event, pane, side, setDragged)}
    />
  )
}

function resizeByKey(event: KeyboardEvent<HTMLElement>, pane: PaneName, side: Props['side']): void {
  const { currentTarget: divider, key } = event
  const { min, max } = paneLimits[pane]
  const now = widthOf(divider, side)
  const grown = step * signOf(divider, side)
  const widths: Record<string, number> = {
    ArrowRight: now + grown,
    ArrowLeft: now - grown,
    Home: min,
    End: max,
  }
  const next = widths[key]
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  setPaneWidth(pane, clamp(pane, next))
}

function drag(
  event: PointerEvent<HTMLElement>,
  pane: PaneName,
  side: Props['side'],
  setDragged: (is: boolean) => void,
): void {
  if (event.button !== 0) return
  event.preventDefault()
  const divider: HTMLElement = event.currentTarget
  const { clientX: start, pointerId } = event
  const before = widthOf(divider, side)
  const sign = signOf(divider, side)
  const widthAt = (x: number) => clamp(pane, before + (x - start) * sign)
  const ended = new AbortController()
  const { signal } = ended
  const end = (x: number | null) => {
    ended.abort()
    setDragged(false)
    if (x !== null && x !== start) setPaneWidth(pane, widthAt(x))
  }
  divider.setPointerCapture(pointerId)
  divider.focus()
  setDragged(true)
  divider.addEventListener('pointermove', ({ clientX }) => showPaneWidth(pane, widthAt(clientX)), { signal })
  divider.addEventListener('pointerup', ({ clientX }) => end(clientX), { signal })
  divider.addEventListener('pointercancel', () => end(null), { signal })
}
