import {
  type ActionIconProps,
  type AlertProps,
  type BadgeProps,
  type CSSVariablesResolver,
  createTheme,
  type DrawerProps,
  type LoaderProps,
  type MantineColorsTuple,
  type MenuItemProps,
  type MenuProps,
  type ModalProps,
  type NotificationProps,
  type NumberInputProps,
  type PopoverProps,
  type RadioProps,
  type SwitchProps,
  type TooltipProps,
} from '@mantine/core'
import type { DOMAttributes } from 'react'
import {
  black,
  mix,
  parseColor,
  printColor,
  type Rgb,
  white,
  withContrast,
} from '../../../src/core/text/color.ts'
import { focusMenuButton } from './return-focus.ts'
import { text } from './text.ts'

/** Calm greys and one accent: the project's colour, adjusted until it is readable. */

const darkSurface: Rgb = [32, 36, 43]

/** Ten shades. White text is readable on 6 and darker ones, and 4 is readable on the dark surface. */
export function shadesOf(color: string | null): MantineColorsTuple {
  const given = parseColor(color)
  const base = withContrast(given, black, white)
  const onDark = withContrast(given, white, darkSurface)
  const shades = [
    mix(base, white, 0.92),
    mix(base, white, 0.84),
    mix(base, white, 0.68),
    mix(onDark, white, 0.25),
    onDark,
    mix(base, white, 0.12),
    base,
    mix(base, black, 0.14),
    mix(base, black, 0.28),
    mix(base, black, 0.44),
  ]
  return shades.map(printColor) as unknown as MantineColorsTuple
}

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f1f2f5',
  '#e6e8ed',
  '#dfe2e8',
  '#c8ccd5',
  '#a7adb9',
  '#5d6472',
  '#4a505d',
  '#343a45',
  '#1b1f27',
]

const dark: MantineColorsTuple = [
  '#e8eaee',
  '#c4c9d2',
  '#a5acb8',
  '#7d8694',
  '#424a56',
  '#333943',
  '#262b33',
  '#1b1f25',
  '#14161a',
  '#0e1013',
]

/** A dialog that faded out would take the keys that are meant for the page. */
const closeAtOnce = { exitDuration: 0 }

const defaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps })

const makeDialogs = () => ({
  Drawer: defaults<DrawerProps>({ transitionProps: closeAtOnce }),
  Modal: {
    ...defaults<ModalProps>({
      centered: true,
      overlayProps: { backgroundOpacity: 0.4 },
      transitionProps: { duration: 200, transition: 'fade-down', ...closeAtOnce },
      closeButtonProps: { 'aria-label': text.shell.close },
    }),
    styles: { title: { fontWeight: 620, fontSize: '1rem' } },
  },
})

export const themeOf = (color: string | null) =>
  createTheme({
    colors: { accent: shadesOf(color), gray, dark },
    primaryColor: 'accent',
    primaryShade: 6,
    black: '#1b1f27',
    fontFamily: 'var(--sans)',
    fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
    headings: {
      fontWeight: '620',
      sizes: {
        h1: { fontSize: '1.25rem', lineHeight: '1.4' },
        h2: { fontSize: '1rem', lineHeight: '1.5' },
        h3: { fontSize: '0.875rem', lineHeight: '1.5' },
      },
    },
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    // Typed without importing the components, because those that are not visible at first are loaded later.
    components: {
      ActionIcon: defaults<ActionIconProps>({ variant: 'subtle', color: 'gray' }),
      Alert: defaults<AlertProps>({ variant: 'light' }),
      Badge: defaults<BadgeProps>({ tt: 'none', fw: 550 }),
      InputWrapper: {
        styles: { label: { marginBlockEnd: 4 }, description: { fontSize: '0.75rem', marginBlockEnd: 4 } },
      },
      ...makeDialogs(),
      Loader: defaults<LoaderProps>({ size: 'sm' }),
      // Otherwise, a screen reader counts the placeholder as an item.
      Menu: defaults<MenuProps>({ withInitialFocusPlaceholder: false }),
      MenuItem: defaults<MenuItemProps & Pick<DOMAttributes<Element>, 'onClickCapture'>>({
        onClickCapture: focusMenuButton,
      }),
      Notification: defaults<NotificationProps>({ closeButtonProps: { 'aria-label': text.shell.close } }),
      // Its arrows are too small as targets, and the arrow keys do the same.
      NumberInput: defaults<NumberInputProps>({ hideControls: true }),
      // A menu that is higher than the window scrolls (see base.css).
      Popover: defaults<PopoverProps>({ middlewares: { size: { padding: 5 } } }),
      Radio: defaults<RadioProps>({ size: 'md' }),
      Switch: defaults<SwitchProps>({ size: 'md' }),
      Tooltip: defaults<TooltipProps>({
        openDelay: 400,
        withArrow: true,
        events: { hover: true, focus: true, touch: false },
      }),
    },
  })

/** For white text, in the light and the dark theme. */
const red = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02323' }

/**
 * Overrides Mantine's variables that lack contrast. `--edge` is the border of fields, with a contrast of 3 to
 * 1.
 */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {
    '--accent': colors.accent![6],
    '--mantine-color-error': 'light-dark(#c02626, #ff8f8f)',
  },
  light: {
    ...red,
    '--page': '#f7f8fa',
    '--surface': '#ffffff',
    '--line': '#e1e4ea',
    '--mantine-color-default-hover': '#f1f2f5',
    '--edge': '#868d9b',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5d6472',
    '--mantine-color-placeholder': '#6a7180',
    '--mantine-color-anchor': colors.accent![6],
    '--mantine-color-default-border': '#cfd3db',
  },
  dark: {
    ...red,
    '--page': '#111317',
    '--surface': '#1b1f25',
    '--line': '#2b3039',
    '--mantine-color-default-hover': '#2a2f38',
    '--mantine-color-accent-light': `color-mix(in srgb, ${colors.accent![4]} 26%, #1b1f25)`,
    '--mantine-color-accent-light-hover': `color-mix(in srgb, ${colors.accent![4]} 34%, #1b1f25)`,
    '--edge': '#7d8694',
    '--mantine-color-body': '#1b1f25',
    '--mantine-color-dimmed': '#a5acb8',
    '--mantine-color-placeholder': '#98a0ad',
    '--mantine-color-anchor': colors.accent![4],
    '--mantine-color-red-light-color': '#ff8f8f',
    '--mantine-color-default': '#262b33',
    '--mantine-color-default-border': '#424a56',
  },
})
