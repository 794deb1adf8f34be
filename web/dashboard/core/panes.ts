import { preference } from './preferences.ts'

/** The widths of panes that people have changed, in pixels. This browser keeps them. */

export type PaneName = 'views' | 'list' | 'panel'

/** The default widths, as in the style sheets, and the limits. */
export const paneLimits: Record<PaneName, { usual: number; min: number; max: number }> = {
  views: { usual: 200, min: 160, max: 360 },
  list: { usual: 352, min: 272, max: 560 },
  panel: { usual: 288, min: 256, max: 520 },
}

/** Null for the default width. */
export function showPaneWidth(pane: PaneName, width: number | null): void {
  const { style } = document.documentElement
  if (width === null) style.removeProperty(`--${pane}-pane`)
  else style.setProperty(`--${pane}-pane`, `${width}px`)
}

export function setPaneWidth(pane: PaneName, width: number | null): void {
  showPaneWidth(pane, width)
  preference.set('panes', { ...preference.get('panes'), [pane]: width })
}

/** Called before the first view, so that nothing moves later. */
export function showKeptPanes(): void {
  const kept = preference.get('panes')
  for (const pane of ['views', 'list', 'panel'] as const) showPaneWidth(pane, kept[pane] ?? null)
}
